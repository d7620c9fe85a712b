//! The result of a run.

mod error;
mod output;

use std::{path::Path, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    error::{BusyReason, Error},
    output::{DirectoryEntry, OutputDirectory, OutputFile},
};
use crate::{BudgetState, CallModes, CallRecord, LimitHit, RunId};

/// The result of a run that ended by itself, with or without an exception.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ExecutionResult {
    /// The identifier of the run, also in audits and traces. `None` if nothing was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The global `result` if the program set it, else the value of its trailing expression. `None` if there is
    /// neither.
    pub value: Option<Value>,
    /// Whether `value` is the value itself. If `false`, JSON cannot represent the value, and `value` is its printed
    /// form; in a table of pandas, only dates and durations are printed.
    pub value_exact: bool,
    /// What the program wrote to standard output. Bytes that are not UTF-8 are replaced by `\u{FFFD}`; the callback of
    /// `RunOptions::on_output` receives the original bytes.
    pub stdout: String,
    /// What the program wrote to standard error, in the same form as `stdout`.
    pub stderr: String,
    /// The exit code: 0, or 1 after an exception, or the one that the program requested.
    pub exit_code: i32,
    /// The exception that ended the program.
    pub error: Option<GuestError>,
    /// Whether the session has returned to the state before the run, as `RunOptions::rollback_on_error` asks for.
    #[serde(skip_serializing_if = "is_false")]
    pub rolled_back: bool,
    /// The regular files that the run created, wrote, truncated or renamed in `/output`, as they were at its end,
    /// sorted by path: at most 1,000. For a directory that the run renamed, these are all files in it. Files of the
    /// host and of other runs (of the same session, or into the same directory) are not included;
    /// [`ExecutionResult::list_output`] lists them too.
    pub files: Vec<OutputFile>,
    /// What was truncated because it exceeded its limit.
    pub truncated: Truncated,
    /// Limits that truncated data or caused a call to be refused, each at most once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits_reached: Vec<LimitHit>,
    /// The resources that the run used.
    pub usage: Usage,
    /// The host calls with an effect outside of the sandbox (tools, HTTP, custom interfaces), in order. File operations
    /// are only recorded in an `Audit`: a result would have too many of them.
    pub calls: Vec<CallRecord>,
    /// What calls of tools and of functions of custom interfaces returned in this program: results, or awaitables.
    #[serde(skip_serializing_if = "CallModes::is_empty")]
    pub call_modes: CallModes,
    /// The state of the shared budgets of the run at its end: the sandbox's budget before the run's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetState>,
    #[serde(skip)]
    output_directory: Option<Arc<dyn OutputDirectory>>,
}

impl ExecutionResult {
    /// Returns whether the program ended without an exception and with exit code 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.exit_code == 0 && self.error.is_none()
    }

    /// Reads a file in `/output`, by its path in the guest. The file is read at the time of the call: in a directory
    /// that runs share, it may have changed since the run ended.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than
    /// `limit` bytes.
    pub fn read_output(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        match &self.output_directory {
            Some(directory) => directory.read(path, limit),
            None => Err(Error::invalid(
                format!("cannot read `{}`: the run had no `/output`", path.escape_debug()),
                "give the sandbox an `/output`: `SandboxBuilder::temp_output` or `output_dir`",
            )),
        }
    }

    /// Lists all regular files that are in `/output` at the time of the call, sorted by path, at most 1,000: those of
    /// this run, of other runs in the same directory, and of the host. Links are neither followed nor listed.
    #[must_use]
    pub fn list_output(&self) -> Vec<OutputFile> {
        self.output_directory.as_ref().map_or_else(Vec::new, |directory| directory.list())
    }

    /// Returns the host directory that was mounted as `/output`. A temporary one is removed when the last result that
    /// refers to it is dropped.
    #[must_use]
    pub fn output_path(&self) -> Option<&Path> {
        self.output_directory.as_ref()?.path()
    }

    /// Sets the directory that was `/output`, for [`ExecutionResult::read_output`].
    pub fn keep_output(&mut self, directory: Arc<dyn OutputDirectory>) {
        self.output_directory = Some(directory);
    }
}

/// An exception that ended a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GuestError {
    /// The class of the exception: `ZeroDivisionError`, `TypeError`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The message of the exception.
    pub message: String,
    /// The line in the program, counted from 1.
    pub line: Option<u32>,
    /// The traceback as the language prints it, without the interpreter's internal frames.
    pub traceback: String,
}

/// What was truncated because it exceeded its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Truncated {
    /// Bytes that were cut from `stdout`.
    pub stdout: u64,
    /// Bytes that were cut from `stderr`.
    pub stderr: u64,
    /// Whether the value was dropped because it was too long.
    pub value: bool,
    /// Bytes that were cut from the exception's message and traceback.
    pub error: u64,
    /// Host calls that `calls` does not list.
    pub calls: u64,
    /// Whether the run changed more in `/output` than `files` lists. If the run was stopped in a file operation that
    /// did not return in time, this flag is the only information about it.
    pub files: bool,
    /// Number of files in `files` without a digest: see [`OutputFile::sha256`].
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    pub digests: u64,
}

fn is_none_of_them(number: &u64) -> bool {
    *number == 0
}

/// The resources that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Time from the request to the result, instantiation included, in milliseconds.
    pub wall_ms: f64,
    /// CPU time of the guest and of the host's work for its calls, without tools, in milliseconds.
    pub cpu_ms: f64,
    /// All sleeps together, in milliseconds.
    pub sleep_ms: f64,
    /// Peak linear memory, in bytes. Most of it is shared between instances.
    pub memory_peak_bytes: u64,
    /// Host calls.
    pub host_calls: u64,
    /// Tool calls, refused ones included.
    pub tool_calls: u64,
    /// HTTP requests, refused ones included.
    pub http_requests: u64,
    /// Calls of custom interfaces, refused ones included.
    pub capability_calls: u64,
    /// Bytes of the bodies of all requests and responses. A response counts with its size on the wire or its size after
    /// content decoding, whichever is larger.
    pub http_bytes: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "Serde passes a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}
