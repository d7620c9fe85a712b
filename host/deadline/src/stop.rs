//! Why the host ends a guest.

use std::fmt;

/// Why the host ends a guest. Nothing of this can be caught inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The wall time of the run is over.
    Deadline,
    /// The caller has lost interest.
    Cancelled,
    /// The guest sent bytes that no guest of ours sends.
    Malformed,
    /// A processor has worked for it for long enough.
    CpuTime,
    /// It has slept for long enough.
    Sleep,
    /// It asked more often in a second than it may.
    HostCalls,
    /// What it does can no longer be put on record.
    Unrecorded,
    /// Its records fill as much of the audit as they may.
    AuditBytes,
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
        })
    }
}

impl std::error::Error for Stop {}
