//! Reasons why the host ends a guest.

use std::fmt;

/// Why the host ends a guest. A program cannot catch any of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The wall time of the run is over.
    Deadline,
    /// The caller cancelled the run.
    Cancelled,
    /// The guest sent bytes that no Isolette guest sends.
    Malformed,
    /// The run reached its CPU time limit.
    CpuTime,
    /// The run reached its limit on sleeps.
    Sleep,
    /// The guest made more host calls in one second than the policy allows.
    HostCalls,
    /// The audit cannot be written, so the host calls can no longer be recorded.
    Unrecorded,
    /// The records of the run reached the run's limit of audit bytes.
    AuditBytes,
    /// The guest's process was ended by something else than the host.
    Gone,
    /// The program waits for an answer that comes later. It does not end; it is continued with the answer.
    Paused,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Deadline => "the time of the run is over",
            Self::Cancelled => "the run was cancelled",
            Self::Malformed => "the guest sent a malformed message",
            Self::CpuTime => "the processor time of the run is over",
            Self::Sleep => "the run has slept for as long as it may",
            Self::HostCalls => "the guest called the host too often",
            Self::Unrecorded => "the audit cannot be written",
            Self::AuditBytes => "the run has filled its part of the audit",
            Self::Gone => "the process of the guest ended unexpectedly",
            Self::Paused => "the program waits for an answer",
        })
    }
}

impl std::error::Error for Stop {}
