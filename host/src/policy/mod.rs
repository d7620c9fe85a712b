//! What a guest may do, as one value.
//!
//! A policy is checked when it is made and enforced by the broker; nothing else decides. It never does the work itself:
//! that is what capabilities are for.

mod approval;
mod breach;
mod capabilities;
mod file;
mod limits;
mod mounts;
pub mod network;
mod secrets;
pub(crate) mod text;

pub use approval::{Approval, ApprovalRule, ApprovalVerdict, CallDecision, CallRequest, Decision};
pub(crate) use approval::{Approver, Asked, CallCheck, Need};
pub use breach::{Breach, LimitName};
pub use capabilities::{CapabilityPolicy, CapabilityRule};
#[doc(hidden)]
pub use file::toml_mistake;
pub use file::{
    ApprovalFile, LimitsFile, MountFile, NetworkMode, PolicyFile, SecretFile, SecretReference, parse_duration,
    parse_size,
};
pub use limits::Limits;
pub use mounts::{Access, Mount, MountSource, NamedFileSystem};
pub use secrets::{HeaderSecret, SecretRule};
use serde::Serialize;

use self::network::Network;

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
