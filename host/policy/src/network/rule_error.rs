//! The error for an invalid network rule.

use isolette_types::Error;

/// An invalid network rule: the rule, what is wrong with it, and a hint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("network rule `{rule}` {problem}\nhint: {hint}")]
pub struct RuleError {
    rule: String,
    problem: String,
    hint: String,
}

impl From<RuleError> for Error {
    fn from(error: RuleError) -> Self {
        Self::invalid(error.message(), error.hint())
    }
}

impl RuleError {
    pub(super) fn new(rule: &str, problem: String, hint: &str) -> Self {
        Self { rule: rule.to_owned(), problem, hint: hint.to_owned() }
    }

    /// Sets the rule to the whole text that the user wrote.
    pub(super) fn of(mut self, rule: &str) -> Self {
        rule.trim().clone_into(&mut self.rule);
        self
    }

    /// Returns the rule and what is wrong with it.
    #[must_use]
    pub fn message(&self) -> String {
        format!("network rule `{}` {}", self.rule, self.problem)
    }

    /// Returns what the user can do.
    #[must_use]
    pub fn hint(&self) -> &str {
        &self.hint
    }
}
