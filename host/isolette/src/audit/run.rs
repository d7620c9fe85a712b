//! The audit of one run, and the limit on its size.

use std::{collections::BTreeMap, io, sync::Arc, time::SystemTime};

use serde::{Deserialize, Serialize};

use super::{
    Audit,
    record::{
        AuditRecord, AuditedCall, CountedCalls, CountedFileCalls, Labelled, RunBegan, RunEnded, RunPause, RunScope,
    },
};
use isolette_types::{CallOutcome, CallRecord, RunId, SessionId, Usage};

/// The audit of a run that is paused, as it is saved.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedAudit {
    calls: u64,
    used: u64,
}

/// The audit of one run. Dropping it writes the end of the run if that has not been written.
#[derive(Debug)]
pub(crate) struct RunAudit {
    audit: Audit,
    scope: RunScope,
    calls: u64,
    ended: bool,
    /// Bytes of the records so far, and the limit.
    used: u64,
    limit: u64,
    /// Calls for files that are only counted, by operation and outcome. There are few of both.
    counted: BTreeMap<(String, CallOutcome), CountedCalls>,
}

impl RunAudit {
    pub(crate) fn begin(
        audit: Audit,
        run: RunId,
        session: Option<SessionId>,
        labels: Vec<(String, String)>,
        limit: u64,
        began: impl FnOnce(RunScope) -> RunBegan,
    ) -> Self {
        let scope = RunScope(Arc::new(Labelled { run, session, labels }));
        let record = AuditRecord::RunBegan(began(scope.clone()));
        let mut audit = Self { audit, scope, calls: 0, ended: false, used: 0, limit, counted: BTreeMap::new() };
        audit.push(record);
        audit
    }

    /// Continues the audit of a run that was paused in another process.
    pub(crate) fn continued(
        audit: Audit,
        run: RunId,
        session: Option<SessionId>,
        labels: Vec<(String, String)>,
        limit: u64,
        saved: &SavedAudit,
    ) -> Self {
        let scope = RunScope(Arc::new(Labelled { run, session, labels }));
        let SavedAudit { calls, used } = *saved;
        Self { audit, scope, calls, ended: false, used, limit, counted: BTreeMap::new() }
    }

    /// What another process needs to continue the audit.
    pub(crate) fn save(&mut self) -> SavedAudit {
        self.write_counts();
        SavedAudit { calls: self.calls, used: self.used }
    }

    /// Leaves the run to another process, which writes its end.
    pub(crate) fn leave(&mut self) {
        self.ended = true;
    }

    /// Returns the number of the next call, or `None` for a call for a file that is only counted: programs make very
    /// many of those, so half of the limit is reserved for all other calls.
    pub(crate) fn number(&mut self, for_file: bool) -> Option<u64> {
        if for_file && self.used >= self.limit / 2 {
            return None;
        }
        self.calls += 1;
        Some(self.calls)
    }

    pub(crate) fn call(&mut self, number: u64, call: CallRecord) {
        self.push(AuditRecord::Call(Box::new(AuditedCall { scope: self.scope.clone(), number, call })));
    }

    /// Counts a call for a file that has no number.
    pub(crate) fn count(&mut self, call: CallRecord) {
        let counted = self.counted.entry((call.operation.clone(), call.outcome)).or_insert_with(|| CountedCalls {
            operation: call.operation,
            outcome: call.outcome,
            calls: 0,
            bytes_out: 0,
            bytes_in: 0,
        });
        counted.calls += 1;
        counted.bytes_out = counted.bytes_out.saturating_add(call.bytes_out);
        counted.bytes_in = counted.bytes_in.saturating_add(call.bytes_in);
    }

    /// The limit and the bytes used, once the limit is reached.
    pub(crate) fn is_full(&self) -> Option<(u64, u64)> {
        (self.used >= self.limit).then_some((self.limit, self.used))
    }

    /// Writes that the program waits for answers.
    pub(crate) fn paused(&mut self) {
        self.push(AuditRecord::RunPaused(self.pause_now()));
    }

    /// Writes that the program goes on.
    pub(crate) fn resumed(&mut self) {
        self.push(AuditRecord::RunResumed(self.pause_now()));
    }

    fn pause_now(&self) -> RunPause {
        RunPause { time: SystemTime::now(), scope: self.scope.clone(), calls: self.calls }
    }

    /// Writes the counts and the end of the run. No call may follow.
    pub(crate) fn end(&mut self, ending: &'static str, exit_code: Option<i32>, usage: Option<Usage>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.write_counts();
        self.push(AuditRecord::RunEnded(RunEnded {
            time: SystemTime::now(),
            scope: self.scope.clone(),
            ending,
            exit_code,
            calls: self.calls,
            usage,
        }));
    }

    fn write_counts(&mut self) {
        let counted: Vec<_> = std::mem::take(&mut self.counted).into_values().collect();
        if !counted.is_empty() {
            let (time, scope) = (SystemTime::now(), self.scope.clone());
            self.push(AuditRecord::FileCalls(CountedFileCalls { time, scope, counted }));
        }
    }

    fn push(&mut self, record: AuditRecord) {
        let bytes = length(&record);
        self.used = self.used.saturating_add(bytes);
        self.audit.0.push(record, bytes);
    }
}

impl Drop for RunAudit {
    fn drop(&mut self) {
        // The caller has dropped the run.
        self.end("Cancelled", None, None);
    }
}

/// Length of a record as a line of JSON, in bytes. Other sinks may use more or less.
fn length(record: &impl Serialize) -> u64 {
    struct Counter(u64);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(1);
    // If serialization fails, the bytes counted so far are what a file would have received.
    let _ = serde_json::to_writer(&mut counter, record);
    counter.0
}
