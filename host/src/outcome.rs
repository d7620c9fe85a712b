//! What a run brought.

use std::{path::Path, sync::Arc, time::SystemTime};

use serde::{Serialize, Serializer};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    Error, Identifier,
    audit::ArgumentsDigest,
    budget::BudgetState,
    capability::files::{Files, output::OUTPUT},
    policy::{Access, Breach, Mount},
};

/// The outcome of a run that came to its own end, with or without an exception.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct ExecutionResult {
    /// Tells the run from every other, in audits and traces too. `None` if nothing was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Identifier>,
    /// The global `result` if the program set it, else the value of its trailing expression. `None` if there is neither.
    pub value: Option<Value>,
    /// `value` is the value itself. Otherwise JSON cannot carry it, and `value` is its printed form.
    pub value_exact: bool,
    /// What the program wrote to standard output. Bytes that are not UTF-8 are shown as `\u{FFFD}`; the callback of
    /// [`RunOptions::on_output`](crate::RunOptions::on_output) gets the bytes themselves.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// 0, 1 after an exception, or what the program asked for.
    pub exit_code: i32,
    /// The exception that ended the program.
    pub error: Option<GuestError>,
    /// The regular files that the run has made, written, cut or given another name in `/output`, as they were at its
    /// end, sorted by path: at most 1,000. Of a directory that it gave another name, that is all that is in it. What other
    /// runs (of the same session, or into the same directory) and the host put there is not among them;
    /// [`Sandbox::get_output_files`] has that too.
    ///
    /// [`Sandbox::get_output_files`]: crate::Sandbox::get_output_files
    pub files: Vec<OutputFile>,
    /// What was cut because it was over its limit.
    pub truncated: Truncated,
    /// Limits that cut something off or had something refused, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits_reached: Vec<Breach>,
    /// What the run used.
    pub usage: Usage,
    /// The host calls that do something outside (tools, HTTP, custom interfaces), in order. Calls for files are left to
    /// [`Audit`](crate::audit::Audit)s: there are too many of them.
    pub calls: Vec<CallRecord>,
    /// The budgets that the run shared with others, as they were at its end: the sandbox's before the run's own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub budgets: Vec<BudgetState>,
    /// Keeps temporary output alive as long as somebody may look at it.
    #[serde(skip)]
    pub(crate) output_directory: OutputDirectory,
}

/// Where `/output` is on the host.
#[derive(Clone, Debug, Default)]
pub(crate) enum OutputDirectory {
    #[default]
    None,
    Mounted(Mount),
    Temporary(Arc<TempDir>),
}

impl OutputDirectory {
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::None => None,
            Self::Mounted(mount) => mount.host(),
            Self::Temporary(directory) => Some(directory.path()),
        }
    }
}

impl ExecutionResult {
    /// The program came to its end without an exception and did not ask for another exit code than 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.exit_code == 0 && self.error.is_none()
    }

    /// Reads a file that the run left in `/output`, under the path by which the program knows it. It is looked for now:
    /// in a directory that runs share, it may be another file than it was.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than `limit`
    /// bytes.
    pub fn read_output(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let mounts = match &self.output_directory {
            OutputDirectory::None => Vec::new(),
            OutputDirectory::Mounted(mount) => vec![mount.clone()],
            OutputDirectory::Temporary(directory) => vec![Mount::new(directory.path(), OUTPUT, Access::ReadOnly)?],
        };
        Files::new(&mounts)?.read_whole(path, limit)
    }

    /// The host's directory that was `/output`. A temporary one is removed with the last result that knows of it.
    #[must_use]
    pub fn output_path(&self) -> Option<&Path> {
        self.output_directory.path()
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

/// A file in `/output`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OutputFile {
    /// As the guest sees it: `/output/report.txt`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Of its contents, in hexadecimal. `None` where it was left out, so that no program can keep its host busy after its end:
    /// once the files before it had 256 MiB together, once the time of the run was over or it was cancelled while its files
    /// were read, and in what a run left that was stopped. [`Truncated::digests`] counts them.
    pub sha256: Option<String>,
}

/// Something in a directory that a guest sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DirectoryEntry {
    /// As the guest sees it.
    pub path: String,
    /// It is a directory.
    pub directory: bool,
    /// In bytes; 0 for what is no regular file.
    pub size: u64,
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

/// One thing that the program asked the host to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// When it began.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// When it began, from the beginning of the run, in milliseconds. Unlike `time` it never jumps.
    pub started_ms: f64,
    /// `tools`, `http`, `capabilities` for one of a custom interface; in an audit also `files`.
    pub capability: &'static str,
    /// `call`, the method of the request, the function, or what is done with a file.
    pub operation: String,
    /// The tool's name, the URL without its query, the interface, or the path: of a file that gets another name,
    /// `/output/old -> /output/new`.
    pub target: String,
    /// `ok`, or why not: `denied`, `failed`, `timeout`, …; `deadline` or `cancelled` for one that the end of the run cut
    /// off, of which nobody can tell how far it came.
    pub verdict: &'static str,
    /// The rule of the policy that decided: the network rule (of a request with redirects, the last one's, which
    /// [`CallRecord::hops`] lists), the rule for the
    /// interface, the pattern that lends the tool, the mount; where an approval rule refused, that one. `None` where no rule
    /// matched, or none was needed.
    pub rule: Option<String>,
    /// All requests that were made for a call that was redirected or sent again, the first included. Empty otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hops: Vec<HopRecord>,
    /// The SHA-256 of the arguments, where it was asked for: [`RecordedArguments`](crate::audit::RecordedArguments).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments_sha256: Option<ArgumentsDigest>,
    /// The arguments, where they were asked for, without the secrets of the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// What became of the approval that the call needed: `approved`, `refused`, `refused-by-rule`, or
    /// `nobody-to-ask`; `refused-by-check` where a check was against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<&'static str>,
    /// What is wrong with the result, where the tool has a schema for it that it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<String>,
    /// The types of the function, for one of a custom interface: `get: func(city: string) -> result<report, failure>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What whoever served it had to say: [`CallContext::note`](crate::CallContext::note).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Bytes that went out with it.
    pub bytes_out: u64,
    /// Bytes that came back.
    pub bytes_in: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
}

/// One request of a call that took several.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HopRecord {
    /// The method.
    pub operation: String,
    /// The URL without its query.
    pub target: String,
    /// The network rule that allowed it. `None` where none did.
    pub rule: Option<String>,
    /// `redirected`, `repeated` if it was sent again because the connection had been closed, and for the last one what
    /// became of the call.
    pub verdict: &'static str,
}

/// A time as people write it, in UTC.
pub(crate) fn rfc3339<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_rfc3339_micros(*time))
}
