//! A sandbox for code that language models write: it runs untrusted Python and JavaScript programs, isolated from the
//! host.
//!
//! ```no_run
//! let sandbox = isolette::Sandbox::builder().build()?;
//! let result = sandbox.run("print('hello')\n6 * 7")?;
//! assert_eq!(result.stdout, "hello\n");
//! assert_eq!(result.value, Some(serde_json::json!(42)));
//! # Ok::<(), isolette::Error>(())
//! ```
//!
//! Programs are Python or JavaScript. They run in an interpreter that is compiled to WebAssembly, in a fresh instance
//! for every run: by default in a micro-VM where the machine can run one, else in a process that can do nothing but talk to
//! this one, else in this process ([`Isolation`]). A program can use only what the builder grants: until you say otherwise, the host denies every network request, file
//! and function, and every limit is finite.
//!
//! # Granting access
//!
//! A sandbox grants tools (functions of your process), mounts (directories of the host) and network rules. Here a
//! program may call one function, read one directory, write to a temporary `/output`, and send GET requests to one API:
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
//! # Results
//!
//! [`ExecutionResult`] holds the value of the program (its global `result`, else its trailing expression), its output,
//! the exception that ended it, if any, the files that it wrote to `/output`, the resources that it used and the host
//! calls that it made. If the host ends a program (timeout, memory limit, cancellation), the run returns an [`Error`]
//! that carries the same up to that moment ([`Error::partial`]).
//!
//! # Keeping state
//!
//! [`Sandbox::run`] starts every program in a new guest. [`Sandbox::session`] keeps one guest, so that names, imports
//! and `/tmp` persist from run to run, as at an interactive prompt.
//!
//! With isolation `process` or `microvm`, the state of a session can be saved ([`Session::snapshot`]), continued by other
//! sessions ([`Sandbox::session_from`], [`Session::fork`]), and returned to ([`Session::restore`]), also by itself after a
//! program that failed:
//!
//! ```no_run
//! use isolette::{Isolation, RunOptions, Sandbox};
//!
//! let sandbox = Sandbox::builder().isolation(Isolation::Process).build()?;
//! let mut session = sandbox.session()?;
//! session.run("table = {'rows': 1000}")?;
//! let mut forks = session.fork(10)?;
//! forks[0].run("table['rows'] = 0")?;
//! session.run_with("table.clear()\nraise ValueError", RunOptions::new().rollback_on_error())?;
//! assert_eq!(session.run("table['rows']")?.value, Some(serde_json::json!(1000)));
//! # Ok::<(), isolette::Error>(())
//! ```
//!
//! # Limits, approval and records
//!
//! [`policy::Limits`] bounds each run, and a [`Budget`] bounds many runs together. [`policy::Approval`] says which
//! calls need the consent of the approver, a function of yours ([`SandboxBuilder::approver`]). An [`audit::Audit`]
//! records every host call that reaches a tool, a server, a custom interface or a file. A [`catalog::Catalog`] searches
//! large sets of tools.
//!
//! # Agents
//!
//! The crate `isolette-agent` is for agents whose model writes programs: its `CodeActProvider` provides one tool,
//! `execute_code`, manages the tools, mounts and network rules that programs are granted, and writes the prompt that
//! describes them to the model. It also renders results as text of bounded length.
//!
//! # Architecture
//!
//! An [`Image`] has one import, a function from bytes to bytes: the host call ABI. The broker, a private module of this
//! crate, decodes each message, applies the [`policy`], lets a capability do the work, and keeps the record. Engines
//! only move bytes.
//!
//! This crate connects the parts and re-exports what embedders need. Each part is a crate of its own:
//!
//! | crate | what it does |
//! |---|---|
//! | `isolette-abi` | the messages of the host call ABI |
//! | `isolette-types` | results, records, errors and identifiers |
//! | `isolette-policy` | policies, limits, budgets, approval and redaction |
//! | `isolette-engine` | images, and the engines that run them |
//! | `isolette-tools` | tools, their schemas and the catalog |
//! | `isolette-http` | HTTP requests under a network policy |
//! | `isolette-files` | mounts, quotas and file locks |
//! | `isolette-capabilities` | interfaces that the embedder implements |
//! | `isolette-interface`, `isolette-macros` | the types of those interfaces, and `capability!` |
//! | `isolette-openapi` | tools made from an OpenAPI description (feature `openapi`) |
//! | `isolette-deadline` | deadlines, cancellation and the shared Tokio runtime |
//! | `isolette-work` | memory accounting for decoded JSON values |
//!
//! No crate of these depends on this one, which connects them: agents, servers and the command line are crates above it.

#![deny(missing_docs)]

mod approver;
pub mod audit;
mod blocking_threads;
mod broker;
mod builder;
mod call_mode;
mod capabilities;
mod explain;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod guest_context;
mod metrics;
mod options;
mod oversight;
mod paused;
mod places;
mod pool;
mod program_approval;
mod program_settings;
mod recording;
mod run;
mod sandbox;
mod session;
mod shared;
mod snapshot;
mod system;
mod warm_image;
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
pub use isolette_tools::{Next, SkipReason, SkippedTool, Tool, ToolHints, ToolSet, catalog, naming};
pub use isolette_types::{
    Answer, ApprovalOutcome, ArgumentsDigest, Asks, BudgetState, BudgetUsage, BusyReason, CallMode, CallModes,
    CallOutcome, CallRecord, CapabilityKind, ChosenMode, Dialect, DirectoryEntry, EngineName, Error, ExecutionResult,
    GuestError, HopOutcome, HopRecord, Isolation, Language, LimitHit, LimitName, OutputDirectory, OutputFile,
    PausedCall, RunId, Secret, SelectedEngine, SessionId, ToolCalls, Truncated, Unit, Usage,
};
pub use tokio_util::sync::CancellationToken;

pub use self::{
    builder::SandboxBuilder,
    explain::{Explanation, ImageExplanation},
    metrics::Metrics,
    options::{RunOptions, Stream, held_by_run},
    paused::{PausedRun, SavedRun, Step},
    pool::{PoolState, SandboxPool, SandboxPoolBuilder},
    sandbox::Sandbox,
    session::{Session, SessionStep},
    snapshot::{Snapshot, SnapshotKey},
    system::Determinism,
    warm_image::WarmImage,
};

/// File systems for mounts: implement [`files::FileSystem`] for content of your own, or use [`files::Directory`] for a
/// directory of the host.
pub mod files {
    pub use isolette_files::{Directory, file_error};
    pub use isolette_policy::{Entry, FileError, FileSystem, Kind, Status};
}

/// HTTP exchanges, for embedders that implement a [`http::Transport`].
pub mod http {
    pub use isolette_http::{Exchange, HttpError, Response, Transport};
}

/// The queue in which guests of a [`SandboxPool`] wait, for servers with places of their own.
pub mod queue {
    pub use crate::places::{Place, Queue, QueueLimits, Reason, Refused};
}

/// The policy of a sandbox: the types of its parts, the policy as one value ([`policy::Policy`]), and the policy file
/// ([`policy::PolicyFile`]).
pub mod policy {
    pub use isolette_policy::{
        Access, Approval, ApprovalAction, ApprovalFile, ApprovalRule, CallDecision, CallRequest, CapabilityPolicy,
        CapabilityRule, Decision, HeaderSecret, HttpBody, LIMITS, LimitDescription, Limits, LimitsFile, Mount,
        MountFile, MountSource, NamedFileSystem, NetworkMode, Policy, PolicyBuilder, PolicyFile, SecretFile,
        SecretReference, SecretRule, Secrets, network, parse_duration, parse_size,
    };
}

/// Memory accounting for JSON from untrusted sources: its size as values is computed before it is parsed, and reserved
/// from one limit for the whole process. [`values::read_json`] refuses numbers that would lose digits.
pub mod values {
    pub use isolette_work::{
        WAIT, reserve_for_call, reserve_for_call_until,
        values::{
            LostDigits, NoMemory, ReadError, Reservation, ResponseMemory, ValueMemory, check_numbers, check_numbers_at,
            lost_digits_as_text, read_json, value_bytes,
        },
    };
}

/// JSON as single lines, for files and streams whose lines are messages.
pub mod json_lines {
    pub use isolette_types::{JsonLineStream, json_line, write_json_line};
}
