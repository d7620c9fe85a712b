//! Interfaces of the embedder's own (`wit/capabilities.wit`).
//!
//! A [`Capability`] is an interface with what serves it ([`CapabilityHandler`], which `capability!` writes), the
//! [`CallContext`] is what that knows of a call, and [`Resources`] are what the host keeps for one guest. [`Interfaces`] are
//! those of one sandbox.
//!
//! It knows interfaces, their declarations and deadlines. It knows no policy, no record, no engine and no other capability.

#![deny(missing_docs)]

mod context;
mod handler;
mod handles;
mod interfaces;
mod resources;
mod table;

pub use self::{
    context::{CallContext, CallNotes},
    handler::{CallFailure, CallReply, Capability, CapabilityHandler},
    handles::{Borrowed, Owned, Resource},
    interfaces::{Found, Interfaces},
    resources::Resources,
    table::ResourceTable,
};
