//! The errors that programs get from calls.

use isolette_abi::{capabilities::CapabilityError, files::FileError, http::HttpError, tools::ToolError};
use isolette_types::CallOutcome;

/// An error that a program gets from a call.
pub(super) trait CallError {
    /// The outcome of the call, for the record.
    fn outcome(&self) -> CallOutcome;

    /// The error for a call that is refused for this reason.
    fn denied(reason: String) -> Self;
}

/// An error that a program gets from a call that it submitted.
pub(super) trait SubmittedError: CallError {
    /// The error for a call that the host could not perform for this reason.
    fn failed(reason: String) -> Self;

    /// The error for a call that would exceed a limit.
    fn budget(reason: String) -> Self;
}

impl CallError for ToolError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::UnknownTool(_) => CallOutcome::UnknownTool,
            Self::InvalidArguments(_) => CallOutcome::InvalidArguments,
            Self::Failed(_) => CallOutcome::Failed,
            Self::Denied(_) => CallOutcome::Denied,
            Self::Budget(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for CapabilityError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Missing(_) => CallOutcome::Missing,
            Self::Invalid(_) => CallOutcome::Invalid,
            Self::Failed(_) => CallOutcome::Failed,
            Self::Denied(_) => CallOutcome::Denied,
            Self::Budget(_) | Self::Exhausted(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for HttpError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Denied(_) => CallOutcome::Denied,
            Self::Dns(_) => CallOutcome::Dns,
            Self::Connect(_) => CallOutcome::Connect,
            Self::Tls(_) => CallOutcome::Tls,
            Self::Timeout(_) => CallOutcome::Timeout,
            Self::TooLarge(_) => CallOutcome::TooLarge,
            Self::Protocol(_) => CallOutcome::Protocol,
            Self::Budget(_) => CallOutcome::Budget,
        }
    }

    fn denied(reason: String) -> Self {
        Self::Denied(reason)
    }
}

impl CallError for FileError {
    fn outcome(&self) -> CallOutcome {
        match self {
            Self::Access | Self::ReadOnly => CallOutcome::Denied,
            Self::NotFound => CallOutcome::Missing,
            Self::NoSpace | Self::FileTooLarge | Self::TooManyFiles => CallOutcome::Budget,
            _ => CallOutcome::Failed,
        }
    }

    /// Programs only get an error number, so the reason is dropped.
    fn denied(_: String) -> Self {
        Self::Access
    }
}

impl SubmittedError for ToolError {
    fn failed(reason: String) -> Self {
        Self::Failed(reason)
    }

    fn budget(reason: String) -> Self {
        Self::Budget(reason)
    }
}

impl SubmittedError for CapabilityError {
    fn failed(reason: String) -> Self {
        Self::Failed(reason)
    }

    fn budget(reason: String) -> Self {
        Self::Budget(reason)
    }
}

impl SubmittedError for HttpError {
    fn failed(reason: String) -> Self {
        Self::Connect(reason)
    }

    fn budget(reason: String) -> Self {
        Self::Budget(reason)
    }
}
