//! The policy of a sandbox: what a guest may do.
//!
//! A [`Policy`] is checked when it is built ([`PolicyBuilder`], [`PolicyFile`]) and enforced where a call is made: the
//! broker decides about tools, custom interfaces, budgets and approval, the HTTP capability about each request and each
//! redirect, the file capability about each path. All of them use this crate, which itself executes no calls.
//!
//! It depends on the types of results, the limits on work, and the names and error codes of the ABI. It depends on no runtime, HTTP
//! client, engine or other crate of the host.

#![deny(missing_docs)]

mod approval;
mod budget;
mod builder;
mod capabilities;
mod file;
mod file_system;
mod header;
mod limits;
mod mounts;
pub mod network;
mod redaction;
mod secrets;
pub mod text;
mod text_file;
mod variable;
mod visible;

use serde::Serialize;

use self::network::Network;
pub use self::{
    approval::{Approval, ApprovalAction, ApprovalRule, CallCheck, CallDecision, CallRequest, Decision, Need},
    budget::{Budget, TIME_PART, TimeUse},
    builder::PolicyBuilder,
    capabilities::{CapabilityPolicy, CapabilityRule},
    file::{
        ApprovalFile, LimitsFile, MountFile, PolicyFile, SecretFile, SecretReference, Secrets, parse_duration,
        parse_size, toml_mistake,
    },
    file_system::{Entry, FileError, FileSystem, Kind, Status},
    header::is_of_connection,
    limits::{LIMITS, LimitDescription, Limits},
    mounts::{Access, Mount, MountSource, NamedFileSystem},
    network::NetworkMode,
    redaction::{REDACTED, RedactedStream, Redaction},
    secrets::{HeaderSecret, SecretRule},
    text_file::read_text_within,
    variable::check_variable,
    visible::{harmless, visible},
};

/// The guest path for files that a program returns: a mount at this path is listed in results.
pub const OUTPUT: &str = "/output";

/// The guest path for files that the embedder provides, by convention.
pub const INPUT: &str = "/input";

/// The rights and limits of a run. The default denies everything, and every limit is finite.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Policy {
    /// Which requests are allowed. Default: none.
    pub network: Network,
    /// The secrets that the host adds to allowed requests, by name, without their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<SecretRule>,
    /// The mounts of the guest. Default: none (apart from its own `/tmp`, in its own memory).
    pub mounts: Vec<Mount>,
    /// The names of the tools that it may call. Default: none.
    pub tools: Vec<String>,
    /// The patterns that those names had to match. Without any, every registered tool may be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_patterns: Vec<String>,
    /// The registered custom interfaces, and which of their functions the guest may call. Default: none.
    pub capabilities: CapabilityPolicy,
    /// Which of the allowed calls need approval. Default: only those of tools that require it.
    pub approval: Approval,
    /// The limits of a run.
    pub limits: Limits,
}

/// The type of `body` of an HTTP response in programs. `text` and `json` do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HttpBody {
    /// The decoded value if the content type is JSON, text if it is text, bytes otherwise.
    #[default]
    Auto,
    /// Always text.
    Text,
}

impl From<HttpBody> for isolette_abi::BodyRule {
    fn from(rule: HttpBody) -> Self {
        match rule {
            HttpBody::Auto => Self::Auto,
            HttpBody::Text => Self::Text,
        }
    }
}
