//! The record of what programs had the host do, kept where neither they nor a crash of theirs can reach it.
//!
//! An [`Audit`] gets a record of every host call that reaches something: tools, HTTP requests, custom interfaces, files on
//! mounts, however many [`Limits::calls_recorded`](isolette_policy::Limits::calls_recorded) lets into the outcome. Clocks,
//! sleeps, random numbers, what programs print and the parts of long payloads reach nothing; the outcome counts them.
//!
//! A run may fill [`Limits::audit_bytes`](isolette_policy::Limits::audit_bytes) with them. Beyond half of it calls for files
//! are
//! counted, and beyond all of it the next other call ends that run, and no other, with
//! [`Error::AuditLimit`](isolette_types::Error::AuditLimit).
//!
//! Records are written by a thread of the audit's own, in order. **None is lost in silence**: a program waits when the
//! writer cannot keep up, a run ends only when its last record is written, and where writing fails, runs under way end with
//! [`Error::Audit`](isolette_types::Error::Audit) at their next host call and later ones do not begin. Records that were made
//! and not
//! yet written, 5 ms' worth at most while the sink keeps up, are lost with the process if that is killed.

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
    record::{AuditRecord, AuditedCall, CountedCalls, CountedFileCalls, RunBegan, RunEnded, RunScope},
};
pub(crate) use self::{arguments::SHOWN_LIMIT, run::RunAudit};
use self::{file::JsonLines, queue::Queue};
use isolette_deadline::{runtime, wait_until};
use isolette_types::Error;

/// How long a run waits at its end for its records to be written.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where records go.
pub trait AuditSink: Send + 'static {
    /// Writes records, in order, and returns when they are as safe as they are meant to be. Called on one thread, which is
    /// no guest's.
    ///
    /// # Errors
    /// After the first error nothing more is written and no program runs: see [`Error::Audit`].
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()>;
}

/// An audit, for any number of sandboxes: [`SandboxBuilder::audit`](crate::builder::SandboxBuilder::audit). A clone is the same
/// audit; when the last one is gone, what is left is written.
#[derive(Clone)]
pub struct Audit(Queue);

impl fmt::Debug for Audit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Audit")
    }
}

impl Audit {
    /// Starts the thread that writes.
    ///
    /// # Errors
    /// [`Error::Io`] if there is no thread to be had.
    pub fn new(sink: impl AuditSink) -> Result<Self, Error> {
        Queue::start(sink).map(Self).map_err(|error| Error::io("cannot start a thread for the audit", error))
    }

    /// Appends JSON to a file, one record a line, in the format of `docs/audit.md`. A file that is not there is made, and
    /// only its owner can read it; of one that is there, neither content nor permissions change.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened.
    pub fn file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = JsonLines::open(path)
            .map_err(|error| Error::io(format!("cannot open the audit file `{}`", path.display()), error))?;
        Self::new(file)
    }

    /// Waits until every record that was made so far is written. Each run does so for its own, so this is for the end of a
    /// process that has dropped some.
    ///
    /// # Errors
    /// [`Error::Audit`] if that fails, or takes longer than ten seconds.
    pub fn flush(&self) -> Result<(), Error> {
        self.wait().map_err(|reason| Error::Audit { reason, partial: None })
    }

    /// Waits on this thread. `Err` says why not everything was written.
    pub(crate) fn wait(&self) -> Result<(), String> {
        wait_until(Instant::now() + PATIENCE, self.0.written()).unwrap_or_else(|| Err(late()))
    }

    /// Waits without a thread, on any runtime. `Err` says why not everything was written.
    pub(crate) async fn written(&self) -> Result<(), String> {
        let queue = self.0.clone();
        let runtime = runtime().map_err(|error| error.to_string())?;
        let written = runtime.spawn(async move { tokio::time::timeout(PATIENCE, queue.written()).await });
        written.await.map_err(|error| error.to_string())?.unwrap_or_else(|_| Err(late()))
    }

    /// Why no more can be recorded, if that is so.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.0.failure()
    }

    /// Whether there is room for another record, or never will be.
    pub(crate) fn has_room(&self) -> bool {
        self.0.has_room()
    }

    /// Waits until [`Audit::has_room`].
    pub(crate) async fn room(&self) {
        self.0.room().await;
    }
}

fn late() -> String {
    format!("the last records have not been written within {PATIENCE:?}")
}
