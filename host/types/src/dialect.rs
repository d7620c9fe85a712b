//! The names and conventions by which programs call tools.

use std::{fmt, str::FromStr};

use serde::Serialize;

use crate::{Error, Language};

/// The names and conventions by which programs call tools: those of this project, or those that another vendor's models
/// write programs for. The additional globals of a dialect exist besides the usual ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Dialect {
    /// `tools.<name>(…)` and `call_tool("<name>", …)`.
    #[default]
    Isolette,
    /// Anthropic's programmatic tool calling, in Python: each tool is an asynchronous function of its own name, which
    /// takes a dict or keywords, and returns text: the result as JSON, or the result itself if it is text.
    Anthropic,
    /// OpenAI's programmatic tool calling, in JavaScript: `tools.<name>({…})` is a promise; `text(…)` and `image(…)`
    /// produce output.
    OpenAi,
    /// Code mode of OpenAI's Codex, in JavaScript: as [`Dialect::OpenAi`], with `ALL_TOOLS`, `store`, `load`, `notify`,
    /// `yield_control`, `exit` and the pragma `// @exec:`.
    Codex,
    /// Cloudflare's code mode, in JavaScript: `codemode.<name>({…})` is a promise; the program is an asynchronous
    /// function, whose result is the value.
    Cloudflare,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 5] = [Self::Isolette, Self::Anthropic, Self::OpenAi, Self::Codex, Self::Cloudflare];

    /// Returns the name in policies and flags.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Isolette => "isolette",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Codex => "codex",
            Self::Cloudflare => "cloudflare",
        }
    }

    /// Returns whether calls of tools return awaitables or promises in the dialect, whatever the text of a program is.
    #[must_use]
    pub fn is_asynchronous(self) -> bool {
        self != Self::Isolette
    }

    /// Returns whether programs in the language can be written in the dialect.
    #[must_use]
    pub fn is_of(self, language: Language) -> bool {
        match self {
            Self::Isolette => true,
            Self::Anthropic => language == Language::Python,
            Self::OpenAi | Self::Codex | Self::Cloudflare => {
                matches!(language, Language::JavaScript | Language::TypeScript)
            }
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == name).ok_or_else(|| {
            Error::invalid(
                format!("unknown dialect `{name}`"),
                "use `isolette`, `anthropic`, `openai`, `codex` or `cloudflare`",
            )
        })
    }
}
