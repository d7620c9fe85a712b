//! What calls in a program returned: results, or what the program awaits to get them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a call returned in one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CallMode {
    /// The result.
    #[default]
    Sync,
    /// An awaitable (Python) or a promise (JavaScript).
    Async,
}

impl fmt::Display for CallMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Sync => "sync",
            Self::Async => "async",
        })
    }
}

/// The mode of the calls of one program, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChosenMode {
    /// The mode.
    pub mode: CallMode,
    /// The setting or the line of the program that it follows from, as the end of a sentence.
    pub reason: String,
}

impl ChosenMode {
    /// Makes a mode with its reason.
    #[must_use]
    pub fn new(mode: CallMode, reason: impl Into<String>) -> Self {
        Self { mode, reason: reason.into() }
    }
}

impl fmt::Display for ChosenMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.mode, self.reason)
    }
}

/// The modes of the calls of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallModes {
    /// Calls of tools. `None` if the sandbox has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<ChosenMode>,
    /// Calls of functions of custom interfaces. `None` if the sandbox has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interfaces: Option<ChosenMode>,
}

impl CallModes {
    /// Makes the modes of a program.
    #[must_use]
    pub fn new(tools: Option<ChosenMode>, interfaces: Option<ChosenMode>) -> Self {
        Self { tools, interfaces }
    }

    /// Returns whether the program can make no such call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_none() && self.interfaces.is_none()
    }
}
