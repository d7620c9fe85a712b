//! A sandbox for code that language models write.
//!
//! ```no_run
//! let sandbox = isolette::Sandbox::builder().build()?;
//! let result = sandbox.run("print('hello')\n6 * 7")?;
//! assert_eq!(result.stdout, "hello\n");
//! assert_eq!(result.value, Some(serde_json::json!(42)));
//! # Ok::<(), isolette::Error>(())
//! ```
//!
//! Programs are Python or JavaScript. They run in an interpreter that is compiled to WebAssembly, in a fresh instance for
//! every run, and reach nothing but what the builder lends them: every network request, file and function is denied and
//! every limit is finite until you say otherwise.
//!
//! # Lending something
//!
//! ```no_run
//! use isolette::{Sandbox, policy::Access};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct City {
//!     city: String,
//! }
//!
//! let sandbox = Sandbox::builder()
//!     .tool_typed("get_weather", "The weather in a city", |city: City| Ok::<_, String>(format!("{}: 21 °C", city.city)))
//!     .mount("reports", "/data", Access::ReadOnly)
//!     .temp_output()
//!     .allow("GET https://api.example.com/v1")
//!     .build()?;
//! let result = sandbox.run("call_tool('get_weather', city='Paris')")?;
//! # Ok::<(), isolette::Error>(())
//! ```
//!
//! # What comes back
//!
//! [`ExecutionResult`] holds the value of the program (its global `result`, else its trailing expression), what it wrote,
//! the exception that ended it if one did, the files it left in `/output`, what it used and what it asked the host to do.
//! Programs that have to be ended (time, memory, cancellation) are an [`Error`] that carries the same up to that moment.
//!
//! # Keeping state
//!
//! [`Sandbox::run`] forgets everything. [`Sandbox::session`] keeps one guest alive, as a prompt would.
//!
//! # Agents
//!
//! [`code_act`] has what an agent needs whose model writes programs: [`code_act::CodeActProvider`] keeps what they are lent
//! and tells the model of it, [`policy::Approval`] says which calls somebody has to agree to, a [`Budget`] holds for many
//! runs together, and a [`catalog::Catalog`] finds tools among many.
//!
//! # How it is built
//!
//! An [`Image`] has one import, a function from bytes to bytes. What stands behind it (`broker`) decodes each message,
//! asks the [`policy`], has a capability do the work and keeps the record. Engines move bytes and know nothing else.

#![deny(missing_docs)]

mod approve;
mod approver;
pub mod audit;
mod broker;
mod builder;
mod capabilities;
mod explain;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod guest_context;
mod metrics;
mod options;
mod oversight;
mod recording;
mod run;
mod sandbox;
mod session;
mod shared;
mod system;
mod warm_up;

pub use isolette_abi::value as encoding;
pub use isolette_capabilities::{
    Borrowed, CallContext, CallFailure, CallReply, Capability, CapabilityHandler, Owned, Resource, Resources,
};
pub use isolette_engine::{CachedSnapshot, Image, Pruned, SnapshotCache, image};
pub use isolette_interface as interface;
pub use isolette_macros::capability;
#[cfg(feature = "openapi")]
pub use isolette_openapi::{OpenApi, OpenApiLimits};
pub use isolette_policy::{Budget, HeaderSecret, REDACTED, RedactedStream, Redaction, harmless, visible};
pub use isolette_tools::{InnerTool, SkippedTool, Tool, ToolHints, ToolSet, catalog, naming};
pub use isolette_types::{
    ApprovalOutcome, ArgumentsDigest, BudgetState, BudgetUsage, CallOutcome, CallRecord, CapabilityKind,
    DirectoryEntry, EngineName, Error, ExecutionResult, GuestError, HopOutcome, HopRecord, Isolation, Language,
    LimitHit, LimitName, OutputDirectory, OutputFile, RunId, Secret, SelectedEngine, SessionId, Truncated, Unit, Usage,
};
pub use tokio_util::sync::CancellationToken;

pub use self::{
    builder::SandboxBuilder,
    explain::{Explanation, ImageExplanation},
    metrics::Metrics,
    options::{RunOptions, Stream},
    sandbox::Sandbox,
    session::Session,
    system::Determinism,
};

/// Files on mounts: [`files::FileSystem`] is what a mount shows, [`files::Directory`] a directory of the host.
pub mod files {
    pub use isolette_files::Directory;
    pub use isolette_policy::{Entry, FileError, FileSystem, Kind, Status};
}

/// HTTP requests, for embedders that answer them with a transport of their own.
pub mod http {
    pub use isolette_http::{Exchange, HttpError, Response, Transport};
}

/// What a guest may do, as one value, and the file that says it.
pub mod policy {
    pub use isolette_policy::{
        Access, Approval, ApprovalFile, ApprovalRule, ApprovalVerdict, CallDecision, CallRequest, CapabilityPolicy,
        CapabilityRule, Decision, HeaderSecret, HttpBody, Limits, LimitsFile, Mount, MountFile, MountSource,
        NamedFileSystem, NetworkMode, Policy, PolicyBuilder, PolicyFile, SecretFile, SecretReference, SecretRule,
        Secrets, network, parse_duration, parse_size,
    };
}

/// JSON from outside, measured before it becomes values, against one amount of memory for the whole process.
pub mod values {
    pub use isolette_work::{
        WAIT, reserve_for_call, reserve_for_call_until,
        values::{NoMemory, Reservation, ValueMemory, value_bytes},
    };
}
