//! Isolette as a service: sandboxes that outlive the process that asked for them, over HTTP.
//!
//! [`Service`] keeps sandboxes in a directory. A sandbox has code contexts, which keep names, imports and `/tmp` from one program
//! to the next, and files. Programs run in the foreground, where the response waits for them or streams their output, or in the
//! background, where callers ask for their output and their end later, from any connection. Sandboxes that are not used are
//! saved, and continue when they are used again, also in another process.
//!
//! ```no_run
//! use isolette::CancellationToken;
//! use isolette_service::{Address, Grants, Service, ServiceLimits};
//!
//! # async fn serve() -> Result<(), isolette::Error> {
//! let service = Service::open("state".as_ref(), Grants::default(), ServiceLimits::default()).await?;
//! let bound = service.bind(Address::Socket("state/service.sock".into()))?;
//! bound.run(CancellationToken::new()).await;
//! # Ok(())
//! # }
//! ```
//!
//! # Who may do what
//!
//! A Unix socket is open to the user of the process only, and its callers have the rights of that user: they choose the policy of
//! their sandboxes, as they do with `isolette run`. Over TCP, a caller is known by its bearer token. It sees its own sandboxes
//! only, and can only narrow what [`Grants`] permits.
//!
//! # Modules
//!
//! | module | what it does |
//! |---|---|
//! | `api` | routes, their types, and the OpenAPI document that is generated from both |
//! | `sandboxes` | sandboxes, their contexts and files |
//! | `execution` | programs from the queue to their stored end; answers to their calls |
//! | `run` | the state and the output of a run, and its calls that wait for answers |
//! | `store` | what survives the process: a database, and files that are named by their digests |
//! | `replicas` | the store that several servers share |
//! | `grants` | which policy a sandbox gets |
//!
//! The crate depends on the crate `isolette`, on the listener of servers, on the shared store and on the inspector. It depends on no
//! engine, no policy by itself, and not on MCP.

#![deny(missing_docs)]

mod api;
mod blocking;
mod caller;
mod clock;
mod execution;
mod failure;
mod grants;
mod id;
mod limits;
mod replicas;
mod resources;
mod run;
mod sandboxes;
mod serve;
mod service;
mod shared;
mod snapshots;
mod spec;
mod store;

pub use self::{
    api::{addressed::E2bDomain, openapi},
    caller::Token,
    grants::Grants,
    limits::ServiceLimits,
    replicas::SharedStore,
    serve::{Address, BoundService},
    service::Service,
};

/// The path of the files of a sandbox in its guests.
const WORKSPACE: &str = "/workspace";

/// The path of the same files in sandboxes that were made for E2B's clients: the home of their programs.
const HOME: &str = "/home/user";
