//! The record of one host call.

use std::{fmt, time::SystemTime};

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::ArgumentsDigest;

macro_rules! words {
    ($(#[$documentation:meta])* $name:ident { $($(#[$case_documentation:meta])* $case:ident = $word:literal,)+ }) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[$case_documentation])*
                #[doc = concat!("\n\nWritten as `", $word, "`.")]
                $case,
            )+
        }

        impl $name {
            /// The word for it in records, audits and metrics, the same in every release.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$case => $word,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

words! {
    /// Which capability a call is for.
    CapabilityKind {
        /// A tool.
        Tools = "tools",
        /// An HTTP request.
        Http = "http",
        /// A function of a custom interface.
        Capabilities = "capabilities",
        /// A file on a mount. These calls are in audits alone: there are too many of them for a result.
        Files = "files",
        /// A program as a whole, in requests for approval. No record has it.
        Program = "program",
    }
}

words! {
    /// How a call ended.
    CallOutcome {
        /// It was done.
        Ok = "ok",
        /// The policy, a check, the approver or the file system did not permit it.
        Denied = "denied",
        /// It was tried, and failed.
        Failed = "failed",
        /// A limit or a shared budget was used up.
        Budget = "budget",
        /// There is no tool of that name.
        UnknownTool = "unknown-tool",
        /// The arguments do not fit the schema of the tool.
        InvalidArguments = "invalid-arguments",
        /// There is no such interface, function or file.
        Missing = "missing",
        /// The arguments are no values of the types of the function.
        Invalid = "invalid",
        /// The name of the server could not be resolved.
        Dns = "dns",
        /// The server could not be connected to.
        Connect = "connect",
        /// No trusted connection could be made.
        Tls = "tls",
        /// It took longer than the limit for one request.
        Timeout = "timeout",
        /// The request or the response is longer than permitted.
        TooLarge = "too-large",
        /// The server did not answer in HTTP.
        Protocol = "protocol",
        /// The time of the run was over. How far the call came is not known, as for every outcome that follows.
        Deadline = "deadline",
        /// The run was cancelled.
        Cancelled = "cancelled",
        /// The guest sent a malformed message.
        Malformed = "malformed",
        /// The run reached a limit that ends it.
        Limit = "limit",
        /// The audit could not be written.
        Unrecorded = "unrecorded",
        /// The run ended before the call did.
        Unfinished = "unfinished",
    }
}

words! {
    /// The decision about a call that needed approval, or that a check refused.
    ApprovalOutcome {
        /// The approver allowed it.
        Approved = "approved",
        /// The approver refused it.
        Refused = "refused",
        /// An approval rule refuses it, so the approver was not asked.
        RefusedByRule = "refused-by-rule",
        /// A check refused it, so the approver was not asked.
        RefusedByCheck = "refused-by-check",
        /// It needed approval, and there is no approver.
        NoApprover = "no-approver",
    }
}

/// One host call of a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// When it began.
    #[serde(serialize_with = "rfc3339")]
    pub time: SystemTime,
    /// When it began, from the beginning of the run, in milliseconds. Unlike `time` it never jumps.
    pub started_ms: f64,
    /// Which capability it is for.
    pub capability: CapabilityKind,
    /// `call`, the method of the request, the function, or what is done with a file.
    pub operation: String,
    /// The tool's name, the URL without its query, the interface, or the path. For a file that is renamed:
    /// `/output/old -> /output/new`.
    pub target: String,
    /// How it ended.
    pub outcome: CallOutcome,
    /// The rule of the policy that decided: the network rule (of a request with redirects, the last one's, which
    /// [`CallRecord::hops`] lists), the rule for the interface, the pattern that allows the tool, the mount; where an approval
    /// rule refused, that one. `None` where no rule matched, or none was needed.
    pub rule: Option<String>,
    /// All requests that were made for a call that was redirected or sent again, the first included. Empty otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hops: Vec<HopRecord>,
    /// The SHA-256 of the arguments, where the embedder asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments_sha256: Option<ArgumentsDigest>,
    /// The arguments, where the embedder asked for them, without the secrets of the sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// The decision of the approver, an approval rule or a check, where one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalOutcome>,
    /// What is wrong with the result, where the tool has a schema for it that it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<String>,
    /// The types of the function, for one of a custom interface: `get: func(city: string) -> result<report, failure>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What the implementation of a custom interface noted about the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Bytes of the arguments.
    pub bytes_out: u64,
    /// Bytes of the result.
    pub bytes_in: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
}

impl CallRecord {
    /// A call that has begun, of which nothing more is known.
    pub fn begun(
        time: SystemTime,
        started_ms: f64,
        capability: CapabilityKind,
        operation: String,
        target: String,
    ) -> Self {
        Self {
            time,
            started_ms,
            capability,
            operation,
            target,
            outcome: CallOutcome::Unfinished,
            rule: None,
            hops: Vec::new(),
            arguments_sha256: None,
            arguments: None,
            approval: None,
            mismatch: None,
            signature: None,
            note: None,
            bytes_out: 0,
            bytes_in: 0,
            duration_ms: 0.0,
        }
    }
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
    /// How it ended.
    pub outcome: HopOutcome,
}

impl HopRecord {
    /// A request that is being made.
    pub fn begun(operation: String, target: String, rule: Option<String>) -> Self {
        Self { operation, target, rule, outcome: HopOutcome::Call(CallOutcome::Unfinished) }
    }
}

/// How one request of a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HopOutcome {
    /// The response was a redirect, which the next request follows. Written as `redirected`.
    Redirected,
    /// The server had closed the connection, so the next request repeats it. Written as `repeated`.
    Repeated,
    /// It was the last one, and ended as the call did. Written as the outcome of the call.
    Call(CallOutcome),
}

impl HopOutcome {
    /// The word for it in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Redirected => "redirected",
            Self::Repeated => "repeated",
            Self::Call(outcome) => outcome.as_str(),
        }
    }
}

impl fmt::Display for HopOutcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for HopOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Serializes a time in UTC with microseconds, by RFC 3339.
///
/// # Errors
/// Those of the serializer.
pub fn rfc3339<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_rfc3339_micros(*time))
}
