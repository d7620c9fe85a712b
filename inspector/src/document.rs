//! The document that a page shows. Fields that a source does not have are absent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs, and how they belong together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Document {
    /// The runs, in the order in which they began.
    pub runs: Vec<Run>,
    /// Cells of sessions and sandboxes, snapshots and forks.
    pub tree: Vec<Node>,
    /// Notes for readers about the source, such as that its last line is cut.
    pub notes: Vec<String>,
}

/// A program that was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// Its identifier.
    pub run: String,
    /// The session that it is a cell of.
    pub session: Option<String>,
    /// Attributes that the embedder gave it.
    pub labels: BTreeMap<String, String>,
    /// `python`, `javascript` or `typescript`.
    pub language: Option<String>,
    /// `wasm`, `process` or `microvm`.
    pub engine: Option<String>,
    /// The name of the program in tracebacks.
    pub program: Option<String>,
    /// The source text.
    pub code: Option<String>,
    /// The length of the source text in bytes.
    pub code_bytes: Option<u64>,
    /// Its SHA-256.
    pub code_sha256: Option<String>,
    /// The time at which it began, in UTC.
    pub began: Option<String>,
    /// The time at which it ended, in UTC.
    pub ended: Option<String>,
    /// `ok`, `exception`, or the name of the error that ended it. `None` if it has not ended.
    pub ending: Option<String>,
    /// The exit code of the program.
    pub exit_code: Option<i64>,
    /// The error, for people.
    pub error: Option<String>,
    /// The line of the program at which the error was raised, from 1.
    pub error_line: Option<u64>,
    /// Its usage, as results report it.
    pub usage: BTreeMap<String, Value>,
    /// Its usage, with the limits where these are known.
    pub limits: Vec<LimitUse>,
    /// The limits that were set, by their names in `isolette run --explain --json`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub limits_set: BTreeMap<String, f64>,
    /// Its calls, by their numbers.
    pub calls: Vec<Call>,
    /// The number of calls that it made, some of which may be missing in `calls`.
    pub calls_in_all: Option<u64>,
    /// File calls that were only counted.
    pub counted: Vec<Value>,
    /// The times at which it was paused and resumed.
    pub pauses: Vec<Pause>,
    /// The output that it wrote.
    pub output: Vec<Output>,
    /// Its value.
    pub value: Option<Value>,
    /// The files that it left in `/output`.
    pub files: Vec<File>,
    /// Notes for readers about this run, such as that its output is cut.
    pub notes: Vec<String>,
}

/// A call of the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Call {
    /// Its number in its run, from 1.
    pub number: u64,
    /// When it began, in milliseconds since the beginning of the run.
    pub started_ms: f64,
    /// Its duration in milliseconds.
    pub duration_ms: f64,
    /// The lane in which it does not overlap with another call, from 0.
    pub lane: usize,
    /// `tools`, `http`, `files` or `capabilities`.
    pub capability: String,
    /// The operation, such as `call` or `GET`.
    pub operation: String,
    /// The tool, URL, path or interface.
    pub target: String,
    /// `ok`, or the reason why not.
    pub outcome: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// The arguments, if they were kept.
    pub arguments: Option<Value>,
    /// Their SHA-256.
    pub arguments_sha256: Option<String>,
    /// The outcome of the approval.
    pub approval: Option<Value>,
    /// The reason why the result does not have its declared type.
    pub mismatch: Option<Value>,
    /// The types of arguments and result.
    pub signature: Option<Value>,
    /// A note of the capability.
    pub note: Option<Value>,
    /// The requests that were made for a request.
    pub hops: Vec<Hop>,
    /// Bytes of the arguments, or of the body that was sent.
    pub bytes_out: u64,
    /// Bytes of the result, or of the body that was received.
    pub bytes_in: u64,
    /// The line of the program that made it, from 1.
    pub line: Option<u64>,
}

/// One of several requests for a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hop {
    /// The method.
    pub operation: String,
    /// The URL.
    pub target: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// `redirected`, `repeated`, or that of the call.
    pub outcome: String,
}

/// The usage of a limit by a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LimitUse {
    /// The name of the limit, as in a policy.
    pub name: String,
    /// The amount that was used.
    pub used: f64,
    /// The limit.
    pub limit: Option<f64>,
    /// `ms`, `bytes` or `count`.
    pub unit: String,
}

/// The beginning or the end of a pause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pause {
    /// `paused` or `resumed`.
    pub kind: String,
    /// In UTC.
    pub time: String,
    /// The number of calls that had begun.
    pub calls: u64,
}

/// A part of the output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Output {
    /// `stdout` or `stderr`.
    pub stream: String,
    /// The text that was written.
    pub text: String,
}

/// A file that a run left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct File {
    /// Its path, as the program knows it.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Its SHA-256.
    pub sha256: Option<String>,
    /// The bytes in base64, of a picture (PNG, JPEG, GIF or WebP) of at most 2 MiB.
    pub base64: Option<String>,
}

/// A node of the tree: a state, or a program that led to one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Identifies it in the tree.
    pub id: String,
    /// The node that it continues.
    pub parent: Option<String>,
    /// Its kind.
    pub kind: NodeKind,
    /// The run of a cell.
    pub run: Option<String>,
    /// The name for people.
    pub name: String,
    /// In UTC.
    pub time: Option<String>,
}

/// The kind of a node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NodeKind {
    /// A session, or a sandbox.
    Session,
    /// A program in a session.
    Cell,
    /// A saved state.
    Snapshot,
    /// A sandbox that continues from another one, or from a snapshot.
    Fork,
}
