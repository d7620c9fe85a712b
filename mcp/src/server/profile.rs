//! The profiles: which tools a server offers.

use std::{fmt, str::FromStr};

/// The set of tools that a server offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// One tool, `execute_code`, whose description says what programs may call.
    #[default]
    CodeAct,
    /// `search`, `get_schema`, `get_execute_syntax` and `execute_code` with its alias `execute`, for more tools than
    /// fit into a description.
    CodeMode,
    /// Sandboxes that keep their state: they are created, listed, reset and destroyed by handle; `execute_code`
    /// continues in the state of the last call; files are written, read and listed.
    Sessions,
}

/// The error for an unknown profile name.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no profile `{0}`; use `codeact`, `codemode` or `sessions`")]
pub struct UnknownProfile(String);

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 3] = [Self::CodeAct, Self::CodeMode, Self::Sessions];
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::CodeAct => "codeact",
            Self::CodeMode => "codemode",
            Self::Sessions => "sessions",
        })
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::ALL.into_iter().find(|profile| profile.to_string() == name).ok_or_else(|| UnknownProfile(name.into()))
    }
}
