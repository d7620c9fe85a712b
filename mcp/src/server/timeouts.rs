//! Timeouts for the answers of persons, and for programs that wait for them.

use std::time::Duration;

use isolette::CapabilityKind;

use super::{Shared, control::Question};

/// Time beyond the longest run after which a parked program is dropped.
const BEYOND: Duration = Duration::from_secs(5);

/// The longest time that a program is kept, even if its run time is unlimited, because it occupies a place in the
/// queue.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Time that a person has to approve a program before it starts; it does not count towards the run time.
const BEFORE_IT_BEGINS: Duration = Duration::from_secs(5 * 60);

impl Shared {
    /// Timeout for the answer to this question.
    pub(super) fn approval_timeout(&self, question: &Question) -> Duration {
        match question.request.capability {
            // It occupies nothing but a file.
            _ if question.saved.is_some() => self.limits.approval_time,
            CapabilityKind::Program => BEFORE_IT_BEGINS,
            _ => during_run(self.longest_run()),
        }
    }

    /// The longest time from the call of a program that may run this long to its end, or to a question for which it waits in a
    /// file.
    pub(super) fn longest(&self, run: Duration) -> Duration {
        longest(run, self.limits.waiting_time)
    }

    fn longest_run(&self) -> Duration {
        let sandboxes = self.sandboxes();
        sandboxes.iter().map(|entry| entry.explanation.policy.limits.timeout).max().unwrap_or_default()
    }
}

/// The longest time that a program takes with the wait for its turn and for approval, if it waits in this process.
fn longest(run: Duration, turn: Duration) -> Duration {
    run.saturating_add(turn).saturating_add(BEFORE_IT_BEGINS).min(LONGEST)
}

/// Timeout for an answer during a run that may take this long.
fn during_run(longest_run: Duration) -> Duration {
    longest_run.saturating_add(BEYOND).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use isolette::policy::Limits;

    use super::*;

    #[test]
    fn timeouts_are_finite_for_unlimited_runs() {
        assert_eq!(during_run(Duration::from_secs(30)), Duration::from_secs(35));
        assert_eq!(during_run(Limits::UNLIMITED_TIME), LONGEST);
        assert_eq!(longest(Duration::from_secs(30), Duration::from_secs(60)), Duration::from_secs(390));
        assert_eq!(longest(Limits::UNLIMITED_TIME, Limits::UNLIMITED_TIME), LONGEST);
    }
}
