//! Why a rule cannot be used.

use isolette_types::Error;

/// A rule that cannot be used.
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

    /// The same problem, with the whole text that the person wrote.
    pub(super) fn of(mut self, rule: &str) -> Self {
        rule.trim().clone_into(&mut self.rule);
        self
    }

    /// What is wrong, with the rule.
    #[must_use]
    pub fn message(&self) -> String {
        format!("network rule `{}` {}", self.rule, self.problem)
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &str {
        &self.hint
    }
}
