//! The record of a host call: what was called, how it ended, and what decided it.

use std::{fmt, time::SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
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
            /// The word for this value in records, audits and metrics, the same in every release.
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

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match &*String::deserialize(deserializer)? {
                    $($word => Ok(Self::$case),)+
                    other => Err(de::Error::unknown_variant(other, &[$($word),+])),
                }
            }
        }
    };
}

words! {
    /// The capability that a call uses.
    CapabilityKind {
        /// A tool.
        Tools = "tools",
        /// HTTP requests.
        Http = "http",
        /// A function of a custom interface.
        Capabilities = "capabilities",
        /// A file on a mount. Only audits contain these calls: a result would have too many of them.
        Files = "files",
        /// A program as a whole, in requests for approval. No call record has this value.
        Program = "program",
    }
}

words! {
    /// How a call ended.
    CallOutcome {
        /// The call succeeded.
        Ok = "ok",
        /// The policy, a check, the approver or the file system denied the call.
        Denied = "denied",
        /// The call was executed and failed.
        Failed = "failed",
        /// A limit or a shared budget was used up.
        Budget = "budget",
        /// No tool has this name.
        UnknownTool = "unknown-tool",
        /// The arguments do not match the tool's schema.
        InvalidArguments = "invalid-arguments",
        /// There is no such interface, function or file.
        Missing = "missing",
        /// The arguments are not values of the function's parameter types.
        Invalid = "invalid",
        /// The name of the server could not be resolved.
        Dns = "dns",
        /// The connection to the server failed.
        Connect = "connect",
        /// No trusted TLS connection could be established.
        Tls = "tls",
        /// The request took longer than the limit for one request.
        Timeout = "timeout",
        /// The request or the response is longer than allowed.
        TooLarge = "too-large",
        /// The server's response was not valid HTTP.
        Protocol = "protocol",
        /// The time of the run was over. How far the call came is unknown, as for every outcome that follows.
        Deadline = "deadline",
        /// The run was cancelled, or the program cancelled the call.
        Cancelled = "cancelled",
        /// The guest sent a malformed message.
        Malformed = "malformed",
        /// The run reached a limit that ended it.
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
        /// The approver approved the call.
        Approved = "approved",
        /// The approver refused the call.
        Refused = "refused",
        /// An approval rule refused the call; the approver was not asked.
        RefusedByRule = "refused-by-rule",
        /// A check refused the call; the approver was not asked.
        RefusedByCheck = "refused-by-check",
        /// The call needed approval, and the sandbox has no approver.
        NoApprover = "no-approver",
    }
}

/// The record of one host call of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// When the call began.
    #[serde(serialize_with = "rfc3339", deserialize_with = "from_rfc3339")]
    pub time: SystemTime,
    /// When the call began, in milliseconds since the beginning of the run. Unlike `time` it is monotonic.
    pub started_ms: f64,
    /// The capability that the call uses.
    pub capability: CapabilityKind,
    /// `call` for a tool, the method of a request, the function of an interface, or the operation on a file.
    pub operation: String,
    /// The tool's name, the URL without its query, the interface, or the path. For a file that is renamed: `/output/old
    /// -> /output/new`.
    pub target: String,
    /// The line of the program that made the call, from 1, as the guest says. `None` if it does not know: for files, and for calls
    /// that come from elsewhere than the program. Functions of an earlier program of a JavaScript session have their own lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How the call ended.
    pub outcome: CallOutcome,
    /// The rule of the policy that decided: the network rule (of a request with redirects, that of the last request;
    /// [`CallRecord::hops`] lists all), the rule for the interface, the pattern that allows the tool, or the mount;
    /// where an approval rule refused the call, that rule. `None` where no rule matched or none was needed.
    pub rule: Option<String>,
    /// All requests that were made for a call that was redirected or repeated, the first included. Empty otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hops: Vec<HopRecord>,
    /// The SHA-256 of the arguments, if the embedder enabled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments_sha256: Option<ArgumentsDigest>,
    /// The arguments, if the embedder enabled them, with the secrets of the sandbox redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
    /// The decision of the approver, an approval rule or a check, if one was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalOutcome>,
    /// How the result violates the tool's result schema. `None` if it matches or the tool has no such schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatch: Option<String>,
    /// The signature of the function of a custom interface: `get: func(city: string) -> result<report, failure>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// A note that the implementation of a custom interface attached to the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Size of the arguments, in bytes.
    pub bytes_out: u64,
    /// Size of the result, in bytes.
    pub bytes_in: u64,
    /// How long the call took, in milliseconds.
    pub duration_ms: f64,
}

impl CallRecord {
    /// Creates the record of a call that has begun. Its outcome is [`CallOutcome::Unfinished`], and all else is empty.
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
            line: None,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HopRecord {
    /// The HTTP method.
    pub operation: String,
    /// The URL without its query.
    pub target: String,
    /// The network rule that allowed the request. `None` where none did.
    pub rule: Option<String>,
    /// How the request ended.
    pub outcome: HopOutcome,
}

impl HopRecord {
    /// Creates the record of a request in flight. Its outcome is [`CallOutcome::Unfinished`].
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
    /// The server had closed the connection, so the next request repeats this one. Written as `repeated`.
    Repeated,
    /// The last request, which ended as the call did. Written as the outcome of the call.
    Call(CallOutcome),
}

impl HopOutcome {
    /// The word for this value in records.
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

impl<'de> Deserialize<'de> for HopOutcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        match &*word {
            "redirected" => Ok(Self::Redirected),
            "repeated" => Ok(Self::Repeated),
            _ => CallOutcome::deserialize(de::value::StringDeserializer::new(word)).map(Self::Call),
        }
    }
}

/// Serializes a time as RFC 3339 in UTC with microseconds.
///
/// # Errors
/// The errors of the serializer.
pub fn rfc3339<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_rfc3339_micros(*time))
}

fn from_rfc3339<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SystemTime, D::Error> {
    humantime::parse_rfc3339(&String::deserialize(deserializer)?).map_err(de::Error::custom)
}
