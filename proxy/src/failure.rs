//! Failures of requests and commands.

use isolette_types::Error;
use serde::{Deserialize, Serialize};

/// The reason why a request or a command fails, as replies and servers report it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// A name for programs: `NotFound`, `InvalidArgument`, `Busy`, `Timeout`, ...
    #[serde(rename = "type")]
    pub kind: String,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Failure {
    /// Makes a failure with a name, what happened, and what to do about it.
    pub fn new(kind: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), hint: hint.into() }
    }

    /// The failure of an invalid request.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("InvalidArgument", message, hint)
    }

    /// The failure of a request that was cancelled.
    pub(crate) fn cancelled() -> Self {
        Error::Cancelled { partial: Box::default() }.into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        Self::new(error.name(), message, hint)
    }
}
