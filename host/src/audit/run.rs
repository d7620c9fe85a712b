//! The audit of one run.

use std::{sync::Arc, time::SystemTime};

use super::{
    Audit,
    record::{AuditRecord, AuditedCall, Labelled, RunBegan, RunEnded, Whose},
};
use crate::{
    Identifier,
    outcome::{CallRecord, Usage},
};

/// Writes the end of the run when it is dropped, at the latest.
#[derive(Debug)]
pub(crate) struct RunAudit {
    audit: Audit,
    whose: Whose,
    calls: u64,
    ended: bool,
}

impl RunAudit {
    pub(crate) fn begin(
        audit: Audit,
        run: Identifier,
        session: Option<Identifier>,
        labels: Vec<(String, String)>,
        began: impl FnOnce(Whose) -> RunBegan,
    ) -> Self {
        let whose = Whose(Arc::new(Labelled { run, session, labels }));
        audit.0.push(AuditRecord::RunBegan(began(whose.clone())));
        Self { audit, whose, calls: 0, ended: false }
    }

    /// The number of the next call.
    pub(crate) fn number(&mut self) -> u64 {
        self.calls += 1;
        self.calls
    }

    pub(crate) fn call(&self, number: u64, call: CallRecord) {
        self.audit.0.push(AuditRecord::Call(Box::new(AuditedCall { whose: self.whose.clone(), number, call })));
    }

    /// No call follows.
    pub(crate) fn end(&mut self, ending: &'static str, exit_code: Option<i32>, usage: Option<Usage>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.audit.0.push(AuditRecord::RunEnded(RunEnded {
            time: SystemTime::now(),
            whose: self.whose.clone(),
            ending,
            exit_code,
            calls: self.calls,
            usage,
        }));
    }
}

impl Drop for RunAudit {
    fn drop(&mut self) {
        // Whoever began it no longer waits.
        self.end("Cancelled", None, None);
    }
}
