//! Requests that fail, and their exit codes.

use isolette::Error;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{exit::Code, report};

/// Why a request failed: what the server answered, or why it was not reached.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Failure {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) hint: String,
}

/// The body of a response that reports a failure.
#[derive(Deserialize)]
pub(super) struct FailureBody {
    pub(super) error: Failure,
}

impl Failure {
    pub(super) fn new(kind: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), hint: hint.into() }
    }

    pub(super) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("InvalidArgument", message, hint)
    }

    /// What a server sends that this program does not expect.
    pub(super) fn answer(message: impl Into<String>) -> Self {
        Self::new("Io", message, "check that the server is `isolette serve` of the same version")
    }

    pub(super) fn code(&self) -> Code {
        Code::of_name(&self.kind)
    }

    /// Prints the failure on standard error, and with `json` on standard output too. Returns the exit code.
    pub(super) fn report(&self, json: bool) -> Code {
        if json {
            report::print(&json!({ "error": self }));
        }
        self.say();
        self.code()
    }

    pub(super) fn say(&self) {
        match self.hint.as_str() {
            "" => say!("error: {}", self.message),
            hint => say!("error: {}\nhint: {hint}", self.message),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        Self::new(error.name(), message, hint)
    }
}
