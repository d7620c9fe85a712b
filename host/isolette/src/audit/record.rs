//! What an audit is made of.

use std::{sync::Arc, time::SystemTime};

use serde::{Serialize, Serializer};

use isolette_types::{
    ArgumentsDigest, CallOutcome, CallRecord, EngineName, Language, RunId, SessionId, Usage, rfc3339,
};

/// One entry of an audit. As JSON, `record` says which kind it is: `run-began`, `call`, `file-calls` or `run-ended`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AuditRecord {
    /// A program was started.
    RunBegan(RunBegan),
    /// A host call of its has ended, in one way or another.
    Call(Box<AuditedCall>),
    /// Calls for files that have no entry of their own, because there were too many.
    FileCalls(CountedFileCalls),
    /// It has ended; no call follows.
    RunEnded(RunEnded),
}

/// RunScope entry it is.
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

    /// The session that it was run in, if it was: [`Session::identifier`](crate::session::Session::identifier).
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        self.0.session
    }

    /// What the host calls it: [`RunOptions::label`](crate::options::RunOptions::label).
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
    /// When.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// Which.
    #[serde(flatten)]
    pub scope: RunScope,
    /// What it is written in.
    pub language: Language,
    /// What runs it: `wasm` or `microvm`.
    pub engine: EngineName,
    /// What it is called.
    pub program: String,
    /// Bytes of its text.
    pub code_bytes: u64,
    /// The SHA-256 of its text.
    pub code_sha256: ArgumentsDigest,
    /// Its text, with [`RecordedArguments::Whole`](super::RecordedArguments::Whole), if it is 64 KiB at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A host call, complete.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct AuditedCall {
    /// RunScope.
    #[serde(flatten)]
    pub scope: RunScope,
    /// The first of a run is 1, and no number is left out.
    pub number: u64,
    /// What it was and what became of it.
    #[serde(flatten)]
    pub call: CallRecord,
}

/// Calls for files beyond half of [`Limits::audit_bytes`](isolette_policy::Limits::audit_bytes), counted at the end of their
/// run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CountedFileCalls {
    /// When they were put on record.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// RunScope.
    #[serde(flatten)]
    pub scope: RunScope,
    /// How many there were of each kind. None of them has a number.
    pub counted: Vec<CountedCalls>,
}

/// Calls for files that did the same, with the same outcome.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CountedCalls {
    /// What they did: `stat`, `write`, …
    pub operation: String,
    /// What became of them.
    pub outcome: CallOutcome,
    /// How many there were.
    pub calls: u64,
    /// Bytes that they wrote.
    pub bytes_out: u64,
    /// Bytes that they read.
    pub bytes_in: u64,
}

/// A program has ended.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunEnded {
    /// When.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// Which.
    #[serde(flatten)]
    pub scope: RunScope,
    /// `ok`, `exception`, or the [name](isolette_types::Error::name) of what ended it: `Timeout`, `Cancelled`, …
    pub ending: &'static str,
    /// Its exit code, if it came to an end of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Calls that have an entry of their own.
    pub calls: u64,
    /// What it used; nothing of it is known if nobody waited for its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}
