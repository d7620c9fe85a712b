//! The setting for what calls in programs return.

use std::{fmt, str::FromStr};

use serde::Serialize;

use crate::Error;

/// How calls of tools and of functions of custom interfaces behave in programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolCalls {
    /// As the text of each program expects: asynchronous if it awaits calls, or passes them to `gather`, `create_task`,
    /// `Promise.all` and the like, and synchronous otherwise.
    #[default]
    Auto,
    /// A call returns its result.
    Sync,
    /// A call returns an awaitable (Python) or a promise (JavaScript). `call_tool` stays synchronous in Python.
    Async,
}

impl ToolCalls {
    /// All settings.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Sync, Self::Async];

    /// Returns the name in policies and flags.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sync => "sync",
            Self::Async => "async",
        }
    }
}

impl fmt::Display for ToolCalls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for ToolCalls {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|setting| setting.as_str() == name).ok_or_else(|| {
            Error::invalid(format!("unknown setting `{name}` for calls of tools"), "use `auto`, `sync` or `async`")
        })
    }
}
