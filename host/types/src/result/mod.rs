//! What a run brought.

mod error;
mod output;

use std::{path::Path, sync::Arc};

use serde::Serialize;
use serde_json::Value;

pub use self::{
    error::Error,
    output::{DirectoryEntry, OutputDirectory, OutputFile},
};
use crate::{BudgetState, CallRecord, LimitHit, RunId};

/// The outcome of a run that came to its own end, with or without an exception.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ExecutionResult {
    /// Tells the run from every other, in audits and traces too. `None` if nothing was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The global `result` if the program set it, else the value of its trailing expression. `None` if there is neither.
    pub value: Option<Value>,
    /// `value` is the value itself. Otherwise JSON cannot carry it, and `value` is its printed form.
    pub value_exact: bool,
    /// What the program wrote to standard output. Bytes that are not UTF-8 are shown as `\u{FFFD}`; the callback of
    /// `RunOptions::on_output` gets the bytes themselves.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// 0, 1 after an exception, or what the program asked for.
    pub exit_code: i32,
    /// The exception that ended the program.
    pub error: Option<GuestError>,
    /// The regular files that the run has made, written, cut or renamed in `/output`, as they were at its end, sorted by path:
    /// at most 1,000. Of a directory that it renamed, that is every file in it. Files of other runs (of the same session, or
    /// into the same directory) and of the host are not among them; [`ExecutionResult::list_output`] has those too.
    pub files: Vec<OutputFile>,
    /// What was cut because it was over its limit.
    pub truncated: Truncated,
    /// Limits that cut something off or had something refused, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits_reached: Vec<LimitHit>,
    /// What the run used.
    pub usage: Usage,
    /// The host calls that do something outside (tools, HTTP, custom interfaces), in order. Calls for files are left to
    /// `Audit`s: there are too many of them.
    pub calls: Vec<CallRecord>,
    /// The budgets that the run shared with others, as they were at its end: the sandbox's before the run's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetState>,
    #[serde(skip)]
    output_directory: Option<Arc<dyn OutputDirectory>>,
}

impl ExecutionResult {
    /// The program ran to its end without an exception, and asked for no other exit code than 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.exit_code == 0 && self.error.is_none()
    }

    /// Reads a file in `/output`, by the path that the program has for it. It is read now: in a directory that runs share, it
    /// may have changed since the run ended.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than `limit`
    /// bytes.
    pub fn read_output(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        match &self.output_directory {
            Some(directory) => directory.read(path, limit),
            None => Err(Error::invalid(
                format!("cannot read `{}`: the run had no `/output`", path.escape_debug()),
                "give the sandbox an `/output`: `SandboxBuilder::temp_output` or `output_dir`",
            )),
        }
    }

    /// All regular files in `/output` as they are now, sorted by path, at most 1,000: those of this run, of other runs in the
    /// same directory, and of the host. Links are neither followed nor listed.
    #[must_use]
    pub fn list_output(&self) -> Vec<OutputFile> {
        self.output_directory.as_ref().map_or_else(Vec::new, |directory| directory.list())
    }

    /// The host's directory that was `/output`. A temporary one is removed when the last result that refers to it is dropped.
    #[must_use]
    pub fn output_path(&self) -> Option<&Path> {
        self.output_directory.as_ref()?.path()
    }

    /// Keeps the directory that was `/output`, for [`ExecutionResult::read_output`].
    pub fn keep_output(&mut self, directory: Arc<dyn OutputDirectory>) {
        self.output_directory = Some(directory);
    }
}

/// An exception in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GuestError {
    /// Its class: `ZeroDivisionError`, `TypeError`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says.
    pub message: String,
    /// Where in the program, from 1.
    pub line: Option<u32>,
    /// As the language prints it, without frames of the interpreter's own machinery.
    pub traceback: String,
}

/// What was cut because it was over its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Truncated {
    /// Bytes that `stdout` lacks.
    pub stdout: u64,
    /// Bytes that `stderr` lacks.
    pub stderr: u64,
    /// The value was too long to be kept.
    pub value: bool,
    /// Bytes that the exception's message and traceback lack.
    pub error: u64,
    /// Host calls that `calls` does not list.
    pub calls: u64,
    /// The run changed more in `/output` than `files` lists. When it was stopped in a call for files that did not come
    /// back in time, that is all there is to say.
    pub files: bool,
    /// Files in `files` whose digest was left out: see [`OutputFile::sha256`].
    #[serde(skip_serializing_if = "is_none_of_them")]
    pub digests: u64,
}

fn is_none_of_them(number: &u64) -> bool {
    *number == 0
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// From the request to the outcome, instantiation included, in milliseconds.
    pub wall_ms: f64,
    /// Time of a processor for the guest and for answering it, tools apart, in milliseconds.
    pub cpu_ms: f64,
    /// All sleeps together, in milliseconds.
    pub sleep_ms: f64,
    /// The most linear memory at one time, in bytes, of which most is shared between instances.
    pub memory_peak_bytes: u64,
    /// Messages over the wall.
    pub host_calls: u64,
    /// Calls of tools, refused ones included.
    pub tool_calls: u64,
    /// HTTP requests, refused ones included.
    pub http_requests: u64,
    /// Calls of custom interfaces, refused ones included.
    pub capability_calls: u64,
    /// Bytes of the bodies of requests, and of all that came back: as it came over the wire, or as what it became without
    /// its content coding, whichever is more for each request.
    pub http_bytes: u64,
}
