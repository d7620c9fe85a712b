//! The types of audit records.

use std::{sync::Arc, time::SystemTime};

use serde::{Serialize, Serializer};

use isolette_types::{
    ArgumentsDigest, CallOutcome, CallRecord, EngineName, Language, RunId, SessionId, Usage, rfc3339,
};

/// One entry of an audit. In JSON, the field `record` is its kind: `run-began`, `call`, `file-calls`, `run-paused`,
/// `run-resumed` or `run-ended`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AuditRecord {
    /// A program was started.
    RunBegan(RunBegan),
    /// A host call of the program has ended, with any outcome.
    Call(Box<AuditedCall>),
    /// Counts of calls for files that have no entry of their own because there were too many.
    FileCalls(CountedFileCalls),
    /// The program waits for answers to calls of deferred tools.
    RunPaused(RunPause),
    /// The program goes on after a pause.
    RunResumed(RunPause),
    /// The program has ended; no call follows.
    RunEnded(RunEnded),
}

/// Identifies the run of a record: its identifier, its session and its labels.
#[derive(Clone, Debug)]
pub struct RunScope(pub(super) Arc<Labelled>);

#[derive(Debug, Serialize)]
pub(super) struct Labelled {
    pub(super) run: RunId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<SessionId>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "map")]
    pub(super) labels: Vec<(String, String)>,
}

impl RunScope {
    /// The run: [`ExecutionResult::run`](isolette_types::ExecutionResult::run).
    #[must_use]
    pub fn run(&self) -> RunId {
        self.0.run
    }

    /// The session of the run, if it has one: [`Session::identifier`](crate::session::Session::identifier).
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        self.0.session
    }

    /// The embedder's labels, as pairs of name and value: [`RunOptions::label`](crate::options::RunOptions::label).
    #[must_use]
    pub fn labels(&self) -> &[(String, String)] {
        &self.0.labels
    }
}

impl Serialize for RunScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

fn map<S: Serializer>(labels: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(labels.iter().map(|(name, value)| (name, value)))
}

/// A program was started.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunBegan {
    /// Time of the start.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// The run.
    #[serde(flatten)]
    pub scope: RunScope,
    /// Language of the program.
    pub language: Language,
    /// Engine that runs the program: `wasm`, `process` or `microvm`.
    pub engine: EngineName,
    /// File name of the program, as in tracebacks.
    pub program: String,
    /// Length of the source text in bytes.
    pub code_bytes: u64,
    /// SHA-256 of the source text.
    pub code_sha256: ArgumentsDigest,
    /// The source text without secrets, with [`RecordedArguments::Whole`](super::RecordedArguments::Whole), if it is at
    /// most 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// The beginning or the end of a pause of a program.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunPause {
    /// Time of the record.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// The run.
    #[serde(flatten)]
    pub scope: RunScope,
    /// The number of calls that have begun so far.
    pub calls: u64,
}

/// A host call that has ended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditedCall {
    /// The run.
    #[serde(flatten)]
    pub scope: RunScope,
    /// Number of the call in its run, from 1, without gaps.
    pub number: u64,
    /// The call and its outcome.
    #[serde(flatten)]
    pub call: CallRecord,
}

/// Counts of calls for files beyond half of [`Limits::audit_bytes`](isolette_policy::Limits::audit_bytes), recorded at
/// the end of their run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CountedFileCalls {
    /// Time of the record.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// The run.
    #[serde(flatten)]
    pub scope: RunScope,
    /// One entry for each operation and outcome. These calls have no numbers.
    pub counted: Vec<CountedCalls>,
}

/// The number of calls for files with the same operation and the same outcome.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CountedCalls {
    /// The operation: `stat`, `write`, …
    pub operation: String,
    /// The outcome of the calls.
    pub outcome: CallOutcome,
    /// Number of calls.
    pub calls: u64,
    /// Bytes written by the program.
    pub bytes_out: u64,
    /// Bytes read by the program.
    pub bytes_in: u64,
}

/// A program has ended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunEnded {
    /// Time of the end.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// The run.
    #[serde(flatten)]
    pub scope: RunScope,
    /// `ok`, `exception`, or the [name](isolette_types::Error::name) of the error that ended the run: `Timeout`,
    /// `Cancelled`, …
    pub ending: &'static str,
    /// Exit code of the program, if the host did not end it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Number of calls that have an entry of their own.
    pub calls: u64,
    /// Resources that the run used; `None` if the caller dropped the run before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}
