//! Requests that fail: what is printed, and the exit code.

pub(crate) use isolette_proxy::Failure;
use serde::Deserialize;
use serde_json::json;

use crate::{exit::Code, report};

/// The body of a response that reports a failure.
#[derive(Deserialize)]
pub(super) struct FailureBody {
    pub(super) error: Failure,
}

/// What a server sends that this program does not expect.
pub(super) fn unexpected(message: impl Into<String>) -> Failure {
    Failure::new("Io", message, "check that the server is `isolette serve` of the same version")
}

/// What the command line does with a failure.
pub(super) trait Report {
    /// The exit code.
    fn code(&self) -> Code;

    /// Prints the failure on standard error, and with `json` on standard output too. Returns the exit code.
    fn report(&self, json: bool) -> Code;

    /// Prints the failure on standard error.
    fn say(&self);
}

impl Report for Failure {
    fn code(&self) -> Code {
        Code::of_name(&self.kind)
    }

    fn report(&self, json: bool) -> Code {
        if json {
            report::print(&json!({ "error": self }));
        }
        self.say();
        self.code()
    }

    fn say(&self) {
        match self.hint.as_str() {
            "" => say!("error: {}", self.message),
            hint => say!("error: {}\nhint: {hint}", self.message),
        }
    }
}
