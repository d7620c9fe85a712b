//! The languages of guests.

use std::{fmt, path::Path, str::FromStr};

use serde::Serialize;

use crate::Error;

/// What a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// CPython 3.14.
    Python,
    /// QuickJS-NG. TypeScript is accepted where its types are stripped first (feature `typescript`).
    JavaScript,
}

impl Language {
    /// Every language there is.
    pub const ALL: [Self; 2] = [Self::Python, Self::JavaScript];

    /// The name in image directories, on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
        }
    }

    /// What the ending of a file's name says: `py`, `js`, `mjs`, `cjs`, `ts`, `mts`.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "py" | "pyw" => Some(Self::Python),
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => Some(Self::JavaScript),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name.to_ascii_lowercase().as_str() {
            "python" | "py" | "python3" => Ok(Self::Python),
            "javascript" | "js" | "typescript" | "ts" => Ok(Self::JavaScript),
            _ => Err(Error::invalid(format!("unknown language `{name}`"), "use `python` or `javascript`")),
        }
    }
}
