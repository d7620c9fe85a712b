//! The languages that guests run.

use std::{fmt, path::Path, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Error;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// Python, run by CPython 3.14.
    Python,
    /// JavaScript, run by QuickJS-NG.
    JavaScript,
    /// TypeScript. The guest strips the types before it runs the program; lines and columns are kept.
    TypeScript,
    /// The input of a custom component, which the image has in place of an interpreter. Such an image must be built
    /// first: `cargo xtask image build --component`.
    Component,
}

impl Language {
    /// All languages that have an interpreter.
    pub const ALL: [Self; 3] = [Self::Python, Self::JavaScript, Self::TypeScript];

    /// Returns the name on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Component => "component",
        }
    }

    /// Returns the language whose image runs programs in this language: for TypeScript, JavaScript.
    #[must_use]
    pub fn image(self) -> Self {
        match self {
            Self::TypeScript => Self::JavaScript,
            other => other,
        }
    }

    /// Returns the default file name of a program. Its extension also determines whether the guest strips types.
    pub fn filename(self) -> &'static str {
        match self {
            Self::Python => "main.py",
            Self::JavaScript => "main.js",
            Self::TypeScript => "main.ts",
            Self::Component => "main",
        }
    }

    /// Returns the language for the extension of a file name (`py`, `js`, `ts` and their variants), in any case. `None`
    /// for any other extension.
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
