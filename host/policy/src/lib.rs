//! What a guest may do, as one value.
//!
//! A [`Policy`] is checked when it is made ([`PolicyBuilder`], [`PolicyFile`]) and enforced where the call is made: the broker
//! decides about tools, custom interfaces, budgets and approval, the HTTP capability about each request and each hop of a
//! redirect, the file capability about each path. All of them ask this crate; nothing here does the work of a call.
//!
//! It knows the types of results and the bounds on work. It knows no runtime, no HTTP client, no engine, and no other crate of
//! the host.

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
mod variable;
mod visible;

use serde::Serialize;

use self::network::Network;
pub use self::{
    approval::{Approval, ApprovalRule, ApprovalVerdict, CallCheck, CallDecision, CallRequest, Decision, Need},
    budget::Budget,
    builder::PolicyBuilder,
    capabilities::{CapabilityPolicy, CapabilityRule},
    file::{
        ApprovalFile, LimitsFile, MountFile, NetworkMode, PolicyFile, SecretFile, SecretReference, Secrets,
        parse_duration, parse_size, toml_mistake,
    },
    file_system::{Entry, FileError, FileSystem, Kind, Status},
    header::is_of_connection,
    limits::Limits,
    mounts::{Access, Mount, MountSource, NamedFileSystem},
    redaction::{REDACTED, RedactedStream, Redaction},
    secrets::{HeaderSecret, SecretRule},
    variable::check_variable,
    visible::{harmless, visible},
};

/// Where a guest has files that the embedder gets: a mount at this path is listed in results.
pub const OUTPUT: &str = "/output";

/// Where a guest has files of the embedder, by convention.
pub const INPUT: &str = "/input";

/// Everything that a run may do. All of it is denied, and every limit is finite, until the builder says otherwise.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Policy {
    /// Which requests may leave. Default: none.
    pub network: Network,
    /// What the host adds to requests that are allowed, by name; the secrets themselves are not part of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<SecretRule>,
    /// Which directories the guest sees. Default: none (and its own `/tmp`, in its own memory).
    pub mounts: Vec<Mount>,
    /// The names of the tools it may call. Default: none.
    pub tools: Vec<String>,
    /// Patterns that those names had to match. Without any, every tool that is lent may be called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_patterns: Vec<String>,
    /// Which interfaces of the embedder's own are served, and which of their functions it may call. Default: none.
    pub capabilities: CapabilityPolicy,
    /// Which of what is allowed somebody has to agree to. Default: nothing, but for tools that need it.
    pub approval: Approval,
    /// How much of everything.
    pub limits: Limits,
}

/// What programs get as `body` of an HTTP response. Its `text` and `json` are the same under either rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HttpBody {
    /// The decoded value when the content type is JSON, text when it is text, bytes otherwise.
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
