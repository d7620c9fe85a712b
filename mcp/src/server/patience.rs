//! How long a program waits for somebody's answer, and how long somebody may have to wait for a program.

use std::time::Duration;

use isolette::{CapabilityKind, policy::CallRequest};

use super::Shared;

/// Beyond the time of a run, until a program that nobody came back for is forgotten.
const BEYOND: Duration = Duration::from_secs(5);

/// The longest that a program is kept for anybody, though it may have any amount of time: it keeps a place that others need.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a person may think about a program that has not begun, so that no time of its own runs.
const BEFORE_IT_BEGINS: Duration = Duration::from_secs(5 * 60);

impl Shared {
    /// How long an answer to this question is waited for.
    pub(super) fn patience(&self, question: &CallRequest) -> Duration {
        match question.capability {
            CapabilityKind::Program => BEFORE_IT_BEGINS,
            _ => patience(self.longest_run()),
        }
    }

    fn longest_run(&self) -> Duration {
        let sandboxes = self.sandboxes();
        sandboxes.iter().map(|lent| lent.explanation.policy.limits.wall_time).max().unwrap_or_default()
    }
}

/// How long a program takes at the most, with a turn and somebody's agreement that it may have to wait for.
pub(super) fn longest(run: Duration, turn: Duration) -> Duration {
    run.saturating_add(turn).saturating_add(BEFORE_IT_BEGINS).min(LONGEST)
}

/// How long a program whose run may take so long waits for an answer.
fn patience(longest_run: Duration) -> Duration {
    longest_run.saturating_add(BEYOND).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use isolette::policy::Limits;

    use super::*;

    #[test]
    fn patience_has_an_end_whatever_time_there_is() {
        assert_eq!(patience(Duration::from_secs(30)), Duration::from_secs(35));
        assert_eq!(patience(Limits::UNLIMITED_TIME), LONGEST);
        assert_eq!(longest(Duration::from_secs(30), Duration::from_secs(60)), Duration::from_secs(390));
        assert_eq!(longest(Limits::UNLIMITED_TIME, Limits::UNLIMITED_TIME), LONGEST);
    }
}
