//! What a server offers.

use std::{fmt, str::FromStr};

/// Which tools a server has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// One tool, `execute_code`, whose description says what programs may call.
    #[default]
    CodeAct,
    /// `search`, `get_schema`, `get_execute_syntax` and `execute_code` with its alias `execute`, for more tools than fit
    /// into a description.
    CodeMode,
    /// Sandboxes that live on: they are created, listed, reset and destroyed by handle; `execute_code` goes on where the
    /// last call ended; files are written, read and listed.
    Sessions,
}

/// There is no profile of that name.
#[derive(Clone, Debug, thiserror::Error)]
#[error("there is no profile `{0}`; use `codeact`, `codemode` or `sessions`")]
pub struct UnknownProfile(String);

impl Profile {
    /// Every profile there is.
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
