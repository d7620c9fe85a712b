//! What can go wrong, and whose fault it is.

use std::{io, path::PathBuf, time::Duration};

use super::ExecutionResult;
use crate::Unit;

/// Everything this crate fails with.
///
/// An exception in the program is *not* an error: it is an [`ExecutionResult`] with `error` set. Errors are what the
/// caller got wrong ([`InvalidArgument`](Self::InvalidArgument), …), what the machine lacks, and the ways in which a
/// sandbox ends a program that would not end by itself. The last kind carries what the program had done by then:
/// [`Error::partial`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's: an argument cannot be used. Nothing was run.
    #[error("{message}\nhint: {hint}")]
    InvalidArgument {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },

    /// The caller's: there is no image to run.
    #[error("no image for {language}: looked in {}\nhint: build it with `cargo xtask image build`, or name its directory", list(.searched))]
    ImageNotFound {
        /// What it should run.
        language: String,
        /// Where it was looked for.
        searched: Vec<PathBuf>,
    },

    /// The image is damaged, or was made for another version. It was not loaded.
    #[error("cannot use the image in {}: {reason}\nhint: {hint}", .path.display())]
    Image {
        /// The image's directory.
        path: PathBuf,
        /// What is wrong with it; names both sides of a mismatch.
        reason: String,
        /// What to do.
        hint: String,
    },

    /// The machine's: what was asked for cannot be had here. There is no silent downgrade.
    #[error("{what} is not available: {reason}\nhint: {hint}")]
    Unavailable {
        /// What was asked for.
        what: String,
        /// Why it is not there.
        reason: String,
        /// What to do.
        hint: String,
    },

    /// The program's: it ran for longer than it may.
    #[error(
        "the run took longer than its limit of {limit:?} and was ended\nhint: raise the time limit, or do less in one run"
    )]
    Timeout {
        /// The limit.
        limit: Duration,
        /// How long it ran.
        used: Duration,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The program's: a processor worked for it for longer than it may.
    #[error(
        "the run used {used:.1?} of processor time, its limit is {limit:?}, and was ended\nhint: raise `limits.cpu_time` in the policy, or compute less in one run"
    )]
    CpuTime {
        /// The limit.
        limit: Duration,
        /// What it used.
        used: Duration,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The program's: it slept for longer than it may.
    #[error(
        "the run slept for longer than its limit of {limit:?} and was ended\nhint: raise `limits.sleep` in the policy, or wait less"
    )]
    Sleep {
        /// The limit, for all sleeps together.
        limit: Duration,
        /// How long it slept, or was about to.
        used: Duration,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The program's: it called the host more often in a second than it may.
    #[error(
        "the run made more than {limit} host calls in a second ({used} in all) and was ended\nhint: raise `limits.host_calls_per_second` in the policy, or do more with each call"
    )]
    HostCallRate {
        /// The limit, in calls a second.
        limit: u64,
        /// All calls of the run.
        used: u64,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The caller's: the run was cancelled.
    #[error("the run was cancelled")]
    Cancelled {
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The program's: it needed more memory than it may have, and broke when it got none.
    #[error(
        "the program ran out of memory (limit {limit} bytes) and was ended\nhint: raise the memory limit, or keep less in memory at once"
    )]
    OutOfMemory {
        /// The limit, in bytes.
        limit: u64,
        /// The most that it had, in bytes; what it asked for besides was more than the rest.
        used: u64,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The program's: its calls were nested more deeply than the interpreter's own guard foresees.
    #[error(
        "the program's calls were nested too deeply and it was ended\nhint: recurse less deeply, or keep a stack of your own in a list"
    )]
    StackOverflow {
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The caller's: what was passed or asked for is more than it may be. Nothing was run, read or written.
    #[error("{what} is {used}{unit}, the limit is {limit}\nhint: raise the limit on {what}, or pass less")]
    LimitExceeded {
        /// What is limited; the limit itself, as a policy file calls it, where it is one on files: `limits.file_count`.
        what: &'static str,
        /// What it is counted in.
        unit: Unit,
        /// The limit.
        limit: u64,
        /// How much was passed or asked for.
        used: u64,
    },

    /// Somebody's who was asked: the program as a whole was not approved ([`Approval::Always`]). Nothing was run.
    ///
    /// [`Approval::Always`]: isolette_policy::Approval::Always
    #[error("the program was not approved: {message}")]
    NotApproved {
        /// Why not.
        message: String,
    },

    /// The caller's: what runs may use together is used up. Nothing was run.
    #[error("the budget for {what} is spent (limit {limit})\nhint: nothing more can be run on this budget")]
    BudgetSpent {
        /// What of.
        what: &'static str,
        /// How much there was.
        limit: String,
    },

    /// The guest broke: a fault of the image or of the interpreter, never of the host. Its instance is gone, the
    /// sandbox is not.
    #[error("the guest crashed: {reason}\nhint: run it again; if it happens again, please report the program")]
    GuestCrashed {
        /// What is known.
        reason: String,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The caller's: the session has ended, by itself or after an error.
    #[error("the session has ended: {reason}\nhint: start a new one with `Sandbox::session`")]
    SessionEnded {
        /// What ended it.
        reason: String,
    },

    /// The machine's: what programs have the host do can no longer be put on record, so no program runs. The sandboxes of
    /// that `Audit` are of no more use.
    #[error(
        "the audit cannot be written: {reason}\nhint: make room or mend the place that it is written to, and start again"
    )]
    Audit {
        /// What went wrong.
        reason: String,
        /// What the program had done by then, if one had begun.
        partial: Option<Box<ExecutionResult>>,
    },

    /// The program's: it made more calls than there is room for on record. Other runs go on.
    #[error(
        "the run filled {used} bytes of the audit, its limit is {limit}, and was ended\nhint: raise `limits.audit_bytes` in the policy, or make fewer calls in one run"
    )]
    AuditLimit {
        /// The limit, in bytes.
        limit: u64,
        /// What is on record of it.
        used: u64,
        /// What the program had done by then.
        partial: Box<ExecutionResult>,
    },

    /// The machine's: input or output failed.
    #[error("{context}: {source}")]
    Io {
        /// What was being done.
        context: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// [`Error::InvalidArgument`] with a message, and a hint that says what to do.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::InvalidArgument { message: message.into(), hint: hint.into() }
    }

    /// [`Error::Io`] with a description of what was being done.
    pub fn io(context: impl Into<String>, source: io::Error) -> Self {
        Self::Io { context: context.into(), source }
    }

    /// What the program had written, called and used when it was ended, for errors that end a program.
    #[must_use]
    pub fn partial(&self) -> Option<&ExecutionResult> {
        match self {
            Self::Timeout { partial, .. }
            | Self::CpuTime { partial, .. }
            | Self::Sleep { partial, .. }
            | Self::HostCallRate { partial, .. }
            | Self::AuditLimit { partial, .. }
            | Self::Cancelled { partial }
            | Self::OutOfMemory { partial, .. }
            | Self::StackOverflow { partial }
            | Self::GuestCrashed { partial, .. } => Some(partial),
            Self::Audit { partial, .. } => partial.as_deref(),
            _ => None,
        }
    }

    /// The name of the case, the same in every release: `Timeout`, `OutOfMemory`, …
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::InvalidArgument { .. } => "InvalidArgument",
            Self::ImageNotFound { .. } => "ImageNotFound",
            Self::Image { .. } => "Image",
            Self::Unavailable { .. } => "Unavailable",
            Self::Timeout { .. } => "Timeout",
            Self::CpuTime { .. } => "CpuTime",
            Self::Sleep { .. } => "Sleep",
            Self::HostCallRate { .. } => "HostCallRate",
            Self::Cancelled { .. } => "Cancelled",
            Self::OutOfMemory { .. } => "OutOfMemory",
            Self::StackOverflow { .. } => "StackOverflow",
            Self::LimitExceeded { .. } => "LimitExceeded",
            Self::NotApproved { .. } => "NotApproved",
            Self::BudgetSpent { .. } => "BudgetSpent",
            Self::GuestCrashed { .. } => "GuestCrashed",
            Self::SessionEnded { .. } => "SessionEnded",
            Self::Audit { .. } => "Audit",
            Self::AuditLimit { .. } => "AuditLimit",
            Self::Io { .. } => "Io",
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}
