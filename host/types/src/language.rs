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
    /// QuickJS-NG.
    JavaScript,
    /// JavaScript with types, which the guest strips before it runs the program; lines and columns stay as they are.
    TypeScript,
    /// Whatever a component of your own takes, which is in the image in place of an interpreter. There is no such image
    /// until you make one: `cargo xtask image build --component`.
    Component,
}

impl Language {
    /// Every language that there is an interpreter for.
    pub const ALL: [Self; 3] = [Self::Python, Self::JavaScript, Self::TypeScript];

    /// The name on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Component => "component",
        }
    }

    /// The language of the image that runs it.
    #[must_use]
    pub fn image(self) -> Self {
        match self {
            Self::TypeScript => Self::JavaScript,
            other => other,
        }
    }

    /// The default name of a program. Its ending also tells the guest whether there are types.
    pub fn filename(self) -> &'static str {
        match self {
            Self::Python => "main.py",
            Self::JavaScript => "main.js",
            Self::TypeScript => "main.ts",
            Self::Component => "main",
        }
    }

    /// What the ending of a file's name says: `py`, `js`, `ts` and their variants.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "py" | "pyw" => Some(Self::Python),
            "js" | "mjs" | "cjs" => Some(Self::JavaScript),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
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
            "javascript" | "js" => Ok(Self::JavaScript),
            "typescript" | "ts" => Ok(Self::TypeScript),
            "component" => Ok(Self::Component),
            _ => {
                Err(Error::invalid(format!("unknown language `{name}`"), "use `python`, `javascript` or `typescript`"))
            }
        }
    }
}
