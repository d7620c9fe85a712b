//! Converts the end of a run by the host into the error that the caller gets.

use std::{sync::PoisonError, time::Duration};

use super::Context;
use crate::{audit::Audit, audit::RunAudit};
use isolette_deadline::Stop;
use isolette_engine::EngineError;
use isolette_policy::Budget;
use isolette_types::{Error, ExecutionResult};

impl Context {
    pub(super) fn error(&self, error: EngineError, partial: Box<ExecutionResult>) -> Error {
        match error {
            EngineError::Stopped(Stop::Deadline) => {
                let used = Duration::from_secs_f64(partial.usage.wall_ms / 1e3).max(self.limit);
                Error::Timeout { limit: self.limit, used, partial }
            }
            EngineError::Stopped(Stop::Cancelled) => match self.time_budgets.spent().map(Budget::time_spent) {
                Some(Error::BudgetSpent { what, limit, used, .. }) => {
                    Error::BudgetSpent { what, limit, used, partial: Some(partial) }
                }
                _ => Error::Cancelled { partial },
            },
            EngineError::Stopped(stop @ (Stop::Malformed | Stop::Gone)) => {
                Error::GuestCrashed { reason: stop.to_string(), partial }
            }
            EngineError::Stopped(Stop::CpuTime) => {
                let limit = self.deadline.cpu().limit();
                Error::CpuTimeExceeded {
                    limit,
                    used: Duration::from_secs_f64(partial.usage.cpu_ms / 1e3).max(limit),
                    partial,
                }
            }
            EngineError::Stopped(Stop::Sleep) => {
                let limit = self.shared.policy.limits.sleep;
                let used = Duration::from_secs_f64(partial.usage.sleep_ms / 1e3).max(limit);
                Error::SleepExceeded { limit, used, partial }
            }
            EngineError::Stopped(Stop::Unrecorded) => {
                let reason = self.oversight.audit.as_ref().and_then(Audit::failure).unwrap_or_default().to_owned();
                Error::Audit { reason, partial: Some(partial) }
            }
            EngineError::Stopped(Stop::AuditBytes) => {
                let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
                let limit = self.shared.policy.limits.audit_bytes;
                let (limit, used) =
                    record.recording.audit.as_ref().and_then(RunAudit::is_full).unwrap_or((limit, limit));
                Error::AuditBytesExceeded { limit, used, partial }
            }
            EngineError::Stopped(Stop::Paused) => {
                Error::GuestCrashed { reason: "the program was paused where it cannot be".into(), partial }
            }
            EngineError::Stopped(Stop::HostCalls) => Error::HostCallRateExceeded {
                limit: self.shared.policy.limits.host_calls_per_second,
                used: partial.usage.host_calls,
                partial,
            },
            EngineError::OutOfMemory => Error::OutOfMemory {
                limit: self.shared.policy.limits.memory,
                used: partial.usage.memory_peak_bytes,
                partial,
            },
            EngineError::StackOverflow => Error::StackOverflow { partial },
            EngineError::Crashed(reason) => Error::GuestCrashed { reason, partial },
            EngineError::NotRestored(reason) => Error::Unavailable {
                what: "the state in which the guest starts".into(),
                reason,
                hint: "continue with the image, on a machine, as it was saved with".into(),
            },
            EngineError::NoCapacity(reason) => Error::Unavailable {
                what: "one more live guest".into(),
                reason,
                hint: "let some of the running guests end first".into(),
            },
        }
    }
}
