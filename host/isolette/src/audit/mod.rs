//! Audits: records of the host calls of programs, kept outside the reach of the programs and of their crashes.
//!
//! An [`Audit`] gets a record of every host call to a tool, an HTTP server, a custom interface or a file on a mount,
//! even of calls beyond [`Limits::calls_recorded`](isolette_policy::Limits::calls_recorded), which the result does not
//! list. Clocks, sleeps, random numbers, printed output and the parts of long payloads are not recorded; the result
//! counts them.
//!
//! The records of a run may take up to [`Limits::audit_bytes`](isolette_policy::Limits::audit_bytes). Beyond half of
//! that, calls for files are only counted. Beyond all of it, the next call of another kind ends that run, and no other
//! run, with [`Error::AuditBytesExceeded`].
//!
//! A thread of the audit writes the records, in order. **Records are not dropped silently**: a program waits while the
//! writer is behind, and a run ends only when its last record is written. If writing fails, runs in flight end with
//! [`Error::Audit`] at their next host call, and later runs do not start. If the process
//! is killed, records that are not yet written are lost: those of at most 5 ms while the sink keeps up.

mod arguments;
mod file;
mod queue;
mod record;
mod run;

use std::{
    fmt, io,
    path::Path,
    time::{Duration, Instant},
};

pub use self::{
    arguments::RecordedArguments,
    record::{AuditRecord, AuditedCall, CountedCalls, CountedFileCalls, RunBegan, RunEnded, RunPause, RunScope},
};
pub(crate) use self::{
    arguments::SHOWN_LIMIT,
    run::{RunAudit, SavedAudit},
};
use self::{file::JsonLines, queue::Queue};
use isolette_deadline::{runtime, wait_until};
use isolette_types::Error;

/// How long a run waits at its end for its records to be written.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// The destination of audit records.
pub trait AuditSink: Send + 'static {
    /// Writes records, in order, and returns when they are as durable as the sink guarantees. It is called on one
    /// thread, which does not run guests.
    ///
    /// # Errors
    /// After the first error the audit writes nothing more and no program runs: see [`Error::Audit`].
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()>;
}

/// An audit for any number of sandboxes: [`SandboxBuilder::audit`](crate::builder::SandboxBuilder::audit). Clones are
/// the same audit; when the last clone is dropped, the remaining records are written.
#[derive(Clone)]
pub struct Audit(Queue);

impl fmt::Debug for Audit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Audit")
    }
}

impl Audit {
    /// Starts the thread that writes records to `sink`.
    ///
    /// # Errors
    /// [`Error::Io`] if the thread cannot be started.
    pub fn new(sink: impl AuditSink) -> Result<Self, Error> {
        Queue::start(sink).map(Self).map_err(|error| Error::io("cannot start a thread for the audit", error))
    }

    /// Makes an audit that appends to a file, one JSON record a line, in the format of `docs/audit.md`. A missing file
    /// is created, readable by its owner only; the content and permissions of an existing file are kept.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be opened.
    pub fn file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = JsonLines::open(path)
            .map_err(|error| Error::io(format!("cannot open the audit file `{}`", path.display()), error))?;
        Self::new(file)
    }

    /// Waits until all records made so far are written. Each run waits for its own records, so this is needed only
    /// before a process exits that has dropped runs.
    ///
    /// # Errors
    /// [`Error::Audit`] if writing fails or takes longer than ten seconds.
    pub fn flush(&self) -> Result<(), Error> {
        self.wait().map_err(|reason| Error::Audit { reason, partial: None })
    }

    /// Waits on this thread. `Err` is the reason why not all records were written.
    pub(crate) fn wait(&self) -> Result<(), String> {
        wait_until(Instant::now() + WRITE_TIMEOUT, self.0.written()).unwrap_or_else(|| Err(late()))
    }

    /// Waits without blocking a thread, on any runtime. `Err` is the reason why not all records were written.
    pub(crate) async fn written(&self) -> Result<(), String> {
        let queue = self.0.clone();
        let runtime = runtime().map_err(|error| error.to_string())?;
        let written = runtime.spawn(async move { tokio::time::timeout(WRITE_TIMEOUT, queue.written()).await });
        written.await.map_err(|error| error.to_string())?.unwrap_or_else(|_| Err(late()))
    }

    /// The error that stopped the audit, if writing has failed.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.0.failure()
    }

    /// Whether another record can be queued without waiting; also `true` if writing has failed, since waiting is
    /// pointless then.
    pub(crate) fn has_room(&self) -> bool {
        self.0.has_room()
    }

    /// Waits until [`Audit::has_room`].
    pub(crate) async fn room(&self) {
        self.0.room().await;
    }
}

fn late() -> String {
    format!("the last records have not been written within {WRITE_TIMEOUT:?}")
}
