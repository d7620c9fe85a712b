//! What a test function may return.

use libtest_mimic::Completion;

/// A test that could not be run here, and the reason.
#[derive(Debug)]
pub struct Skipped(pub String);

/// What a test function may return.
pub trait Outcome {
    /// Converts it to the form of the harness.
    fn completion(self) -> Completion;
}

impl Outcome for () {
    fn completion(self) -> Completion {
        Completion::Completed
    }
}

impl Outcome for Completion {
    fn completion(self) -> Completion {
        self
    }
}

impl Outcome for Skipped {
    fn completion(self) -> Completion {
        Completion::ignored_with(format!("skipped: {}", self.0))
    }
}

impl Outcome for Result<(), Skipped> {
    fn completion(self) -> Completion {
        self.map_or_else(Outcome::completion, Outcome::completion)
    }
}
