//! Failures of requests: their messages and exit codes.

pub(crate) use isolette_proxy::Failure;
use serde::Deserialize;
use serde_json::json;

use crate::{exit::Code, report};

/// The body of a response that reports a failure.
#[derive(Deserialize)]
pub(super) struct FailureBody {
    pub(super) error: Failure,
}

/// The failure for an unexpected response of a server.
pub(super) fn unexpected(message: impl Into<String>) -> Failure {
    Failure::new("Io", message, "check that the server is `isolette serve` of the same version")
}

/// A failure that can be printed, and that has an exit code.
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
