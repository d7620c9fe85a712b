//! Interfaces that the embedder implements (`wit/capabilities.wit`).
//!
//! A [`Capability`] is an interface with its [`CapabilityHandler`], which `capability!` generates. The handler gets the
//! [`CallContext`] of each call, and [`Resources`] are the objects that the host keeps for one guest. [`Interfaces`]
//! are the capabilities of one sandbox.
//!
//! This crate depends on interfaces, their declarations and deadlines. It does not depend on policies, records, engines
//! or other capabilities.

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
    table::{HeldResources, ResourceTable},
};
