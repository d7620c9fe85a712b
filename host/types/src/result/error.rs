//! The errors of the host, by who can correct them.

use std::{io, path::PathBuf, time::Duration};

use super::ExecutionResult;
use crate::Unit;

/// An error of the host.
///
/// An exception in the program is *not* an error: it is an [`ExecutionResult`] with `error` set. An error is a mistake
/// of the caller ([`InvalidArgument`](Self::InvalidArgument), …), a missing feature or failure of the machine, or the
/// reason why the host ended a program. The last kind has the partial result of the program: [`Error::partial`].
///
/// A variant for a limit of the policy is named after the limit, and ends in `Exceeded`: [`CpuTimeExceeded`](Self::CpuTimeExceeded),
/// [`AuditBytesExceeded`](Self::AuditBytesExceeded). Timeout, out of memory and stack overflow keep their usual names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Caller error: an argument is invalid. Nothing was run.
    #[error("{message}\nhint: {hint}")]
    InvalidArgument {
        /// What is wrong.
        message: String,
        /// What the caller can do.
        hint: String,
    },

    /// Caller error: no image for the language, or with the name, was found.
    #[error("no image for {wanted}: looked in {}\nhint: build it with `cargo xtask image build`, or name its directory with a `/`", list(.searched))]
    ImageNotFound {
        /// The language, or the name of the image.
        wanted: String,
        /// The directories that were searched.
        searched: Vec<PathBuf>,
    },

    /// The image is damaged, or was built for another version. It was not loaded.
    #[error("cannot use the image in {}: {reason}\nhint: {hint}", .path.display())]
    Image {
        /// The image's directory.
        path: PathBuf,
        /// What is wrong with the image; for a mismatch, both values.
        reason: String,
        /// What the caller can do.
        hint: String,
    },

    /// Machine error: a requested feature is not available on this machine. The host never falls back silently.
    #[error("{what} is not available: {reason}\nhint: {hint}")]
    Unavailable {
        /// The feature.
        what: String,
        /// Why the feature is not available.
        reason: String,
        /// What the caller can do.
        hint: String,
    },

    /// Machine error: the pool of the sandbox (`SandboxPool`) has no place for another guest. Nothing was run.
    #[error("the pool has no place for another guest: {message}\nhint: {hint}")]
    Busy {
        /// Why there is no place.
        reason: BusyReason,
        /// The reason as text, with numbers.
        message: String,
        /// What the caller can do.
        hint: String,
    },

    /// Program error: the run reached its timeout.
    #[error(
        "the run took longer than its timeout of {limit:?} and was ended\nhint: raise the timeout, or do less in one run"
    )]
    Timeout {
        /// The limit.
        limit: Duration,
        /// How long the program ran.
        used: Duration,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Program error: the run reached its CPU time limit.
    #[error(
        "the run used {used:.1?} of processor time, its limit is {limit:?}, and was ended\nhint: raise `limits.cpu_time` in the policy, or compute less in one run"
    )]
    CpuTimeExceeded {
        /// The limit.
        limit: Duration,
        /// The CPU time that the run used.
        used: Duration,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Program error: the run reached its limit on sleeps.
    #[error(
        "the run slept for longer than its limit of {limit:?} and was ended\nhint: raise `limits.sleep` in the policy, or wait less"
    )]
    SleepExceeded {
        /// The limit, for all sleeps together.
        limit: Duration,
        /// How long the program slept, or would have slept with its last call.
        used: Duration,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Program error: the run made more host calls in one second than allowed.
    #[error(
        "the run made more than {limit} host calls in a second ({used} in all) and was ended\nhint: raise `limits.host_calls_per_second` in the policy, or do more with each call"
    )]
    HostCallRateExceeded {
        /// The limit, in calls per second.
        limit: u64,
        /// The number of all host calls of the run.
        used: u64,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// The caller cancelled the run.
    #[error("the run was cancelled")]
    Cancelled {
        /// The partial result: what the program had done until it was cancelled.
        partial: Box<ExecutionResult>,
    },

    /// Program error: an allocation beyond the memory limit failed, and the program broke.
    #[error(
        "the program ran out of memory (limit {limit} bytes) and was ended\nhint: raise the memory limit, or keep less in memory at once"
    )]
    OutOfMemory {
        /// The limit, in bytes.
        limit: u64,
        /// The peak memory of the program, in bytes; the failed allocation was larger than the remainder.
        used: u64,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Program error: the program's calls were nested more deeply than the interpreter's own recursion check covers.
    #[error(
        "the program's calls were nested too deeply and it was ended\nhint: recurse less deeply, or keep a stack of your own in a list"
    )]
    StackOverflow {
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Caller error: an input, or a file to be read or written, exceeds a limit. Nothing was run, read or written.
    #[error("{what} is {used}{unit}, the limit is {limit}\nhint: raise the limit on {what}, or pass less")]
    LimitExceeded {
        /// What is limited; for a limit on files, its name in policy files: `limits.file_count`.
        what: &'static str,
        /// The unit of the amounts.
        unit: Unit,
        /// The limit.
        limit: u64,
        /// The amount that was passed or requested.
        used: u64,
    },

    /// The approver rejected the program as a whole (`Approval::Always`). Nothing was run.
    #[error("the program was not approved: {message}")]
    NotApproved {
        /// Why the program was rejected.
        message: String,
    },

    /// Caller error: a budget that runs share is used up. The run has ended, or nothing was run.
    #[error(
        "the budget for {what}, which runs share, is spent: {used} of {limit} are used, {}\nhint: nothing more can be run on this budget",
        if partial.is_some() { "and the run was ended" } else { "and the run was not begun" }
    )]
    BudgetSpent {
        /// The part of the budget that is used up.
        what: &'static str,
        /// The limit of that part, with its unit.
        limit: String,
        /// How much of that part all runs have used together, with its unit.
        used: String,
        /// The partial result: what the program had done until it was ended. `None` if nothing was run.
        partial: Option<Box<ExecutionResult>>,
    },

    /// The guest crashed: a defect of the image or the interpreter, never of the host. Its instance is discarded; the
    /// sandbox remains usable.
    #[error("the guest crashed: {reason}\nhint: run it again; if it happens again, please report the program")]
    GuestCrashed {
        /// What is known about the crash.
        reason: String,
        /// The partial result: what the program had done until the crash.
        partial: Box<ExecutionResult>,
    },

    /// Caller error: the session has ended, by itself or after an error.
    #[error("the session has ended: {reason}\nhint: start a new one with `Sandbox::session`")]
    SessionEnded {
        /// Why it ended.
        reason: String,
    },

    /// Machine error: the audit cannot be written, so the host calls of programs cannot be recorded and no program is
    /// run. The sandboxes of that `Audit` can no longer be used.
    #[error("the audit cannot be written: {reason}\nhint: free disk space or fix the audit destination, then restart")]
    Audit {
        /// What went wrong.
        reason: String,
        /// The partial result, if a program was running. `None` otherwise.
        partial: Option<Box<ExecutionResult>>,
    },

    /// Program error: the records of the run's calls reached its limit of audit bytes. Other runs continue.
    #[error(
        "the run filled {used} bytes of the audit, its limit is {limit}, and was ended\nhint: raise `limits.audit_bytes` in the policy, or make fewer calls in one run"
    )]
    AuditBytesExceeded {
        /// The limit, in bytes.
        limit: u64,
        /// How many bytes of records the run has in the audit.
        used: u64,
        /// The partial result: what the program had done until it was ended.
        partial: Box<ExecutionResult>,
    },

    /// Machine error: input or output failed.
    #[error("{context}: {source}")]
    Io {
        /// The operation that failed.
        context: String,
        /// The error of the system.
        source: io::Error,
    },
}

impl Error {
    /// Creates an [`Error::InvalidArgument`] with a message, and a hint that says what the caller can do.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::InvalidArgument { message: message.into(), hint: hint.into() }
    }

    /// Creates an [`Error::Io`] with a description of the operation that failed.
    pub fn io(context: impl Into<String>, source: io::Error) -> Self {
        Self::Io { context: context.into(), source }
    }

    /// Returns what the program had written, called and used when it was ended. `None` for errors that do not end a
    /// program.
    #[must_use]
    pub fn partial(&self) -> Option<&ExecutionResult> {
        match self {
            Self::Timeout { partial, .. }
            | Self::CpuTimeExceeded { partial, .. }
            | Self::SleepExceeded { partial, .. }
            | Self::HostCallRateExceeded { partial, .. }
            | Self::AuditBytesExceeded { partial, .. }
            | Self::Cancelled { partial }
            | Self::OutOfMemory { partial, .. }
            | Self::StackOverflow { partial }
            | Self::GuestCrashed { partial, .. } => Some(partial),
            Self::Audit { partial, .. } | Self::BudgetSpent { partial, .. } => partial.as_deref(),
            _ => None,
        }
    }

    /// Like [`Error::partial`], for the host to complete it.
    pub fn partial_mut(&mut self) -> Option<&mut ExecutionResult> {
        match self {
            Self::Timeout { partial, .. }
            | Self::CpuTimeExceeded { partial, .. }
            | Self::SleepExceeded { partial, .. }
            | Self::HostCallRateExceeded { partial, .. }
            | Self::AuditBytesExceeded { partial, .. }
            | Self::Cancelled { partial }
            | Self::OutOfMemory { partial, .. }
            | Self::StackOverflow { partial }
            | Self::GuestCrashed { partial, .. } => Some(partial),
            Self::Audit { partial, .. } | Self::BudgetSpent { partial, .. } => partial.as_deref_mut(),
            _ => None,
        }
    }

    /// Returns the name of the variant, the same in every release: `Timeout`, `OutOfMemory`, …
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::InvalidArgument { .. } => "InvalidArgument",
            Self::ImageNotFound { .. } => "ImageNotFound",
            Self::Image { .. } => "Image",
            Self::Unavailable { .. } => "Unavailable",
            Self::Busy { .. } => "Busy",
            Self::Timeout { .. } => "Timeout",
            Self::CpuTimeExceeded { .. } => "CpuTimeExceeded",
            Self::SleepExceeded { .. } => "SleepExceeded",
            Self::HostCallRateExceeded { .. } => "HostCallRateExceeded",
            Self::Cancelled { .. } => "Cancelled",
            Self::OutOfMemory { .. } => "OutOfMemory",
            Self::StackOverflow { .. } => "StackOverflow",
            Self::LimitExceeded { .. } => "LimitExceeded",
            Self::NotApproved { .. } => "NotApproved",
            Self::BudgetSpent { .. } => "BudgetSpent",
            Self::GuestCrashed { .. } => "GuestCrashed",
            Self::SessionEnded { .. } => "SessionEnded",
            Self::Audit { .. } => "Audit",
            Self::AuditBytesExceeded { .. } => "AuditBytesExceeded",
            Self::Io { .. } => "Io",
        }
    }
}

/// Why a pool of sandboxes has no place for another guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BusyReason {
    /// As many callers wait already as may. The same call can succeed later.
    QueueFull,
    /// No place became free within the waiting time of the pool. The same call can succeed later.
    WaitTimeout,
    /// The pool is drained: it starts no further guests.
    Draining,
}

impl BusyReason {
    /// Returns the name in metrics: `queue_full`, `wait_timeout` or `draining`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::QueueFull => "queue_full",
            Self::WaitTimeout => "wait_timeout",
            Self::Draining => "draining",
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("`{}`", path.display())).collect::<Vec<_>>().join(", ")
}
