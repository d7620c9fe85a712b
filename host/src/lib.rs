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
pub mod audit;
mod broker;
mod budget;
mod builder;
mod capability;
pub mod catalog;
pub mod code_act;
mod declarations;
mod engine;
mod error;
mod explain;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod guest;
mod identifier;
pub mod image;
mod isolation;
mod language;
mod metrics;
pub mod naming;
#[cfg(feature = "openapi")]
mod openapi;
mod options;
mod outcome;
pub mod policy;
mod recording;
mod redaction;
mod rehearsal;
mod run;
mod runtime;
mod sandbox;
mod secret;
mod session;
#[cfg_attr(
    not(all(feature = "microvm", target_os = "linux", target_arch = "x86_64")),
    allow(
        dead_code,
        unused_imports,
        reason = "only micro-VMs begin with snapshots; what others left can be listed and pruned"
    )
)]
mod snapshot;
mod stamp;
mod threads;
mod user_cache;
pub mod values;
mod visible;
mod work;

pub use isolette_abi::value as encoding;
pub use isolette_interface as interface;
pub use isolette_macros::capability;
pub use tokio_util::sync::CancellationToken;

#[doc(hidden)]
pub use self::capability::http::tls_configuration;
#[doc(hidden)]
pub use self::engine::wasmtime::compilation_settings;
#[cfg(feature = "openapi")]
pub use self::openapi::{OpenApi, OpenApiLimits};
pub use self::{
    budget::{Account, Budget, BudgetState},
    builder::SandboxBuilder,
    capability::custom::{Borrowed, CallContext, CallFailure, Capability, Owned, Reply, Resource, Resources, Serve},
    capability::system::Determinism,
    capability::tools::{InnerTool, SkippedTool, Tool, ToolHints, ToolSet},
    capability::{files, http},
    error::Error,
    explain::{Explanation, ImageExplanation},
    identifier::Identifier,
    image::Image,
    isolation::{Choice, Isolation},
    language::Language,
    metrics::Metrics,
    options::{RunOptions, Stream},
    outcome::{CallRecord, DirectoryEntry, ExecutionResult, GuestError, HopRecord, OutputFile, Truncated, Usage},
    policy::HeaderSecret,
    redaction::{REDACTED, RedactedStream, Redaction},
    sandbox::Sandbox,
    secret::Secret,
    session::Session,
    snapshot::{CachedSnapshot, Pruned, SnapshotCache},
    visible::{harmless, visible},
};
