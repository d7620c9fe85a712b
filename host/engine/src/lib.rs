//! Engines, which run the images of guests: in micro-VMs, in processes of their own, or in this process.
//!
//! An engine starts instances of an image and transfers bytes in and out. It must not interpret the bytes: policy,
//! quotas and capabilities are behind [`HostCall`], so that all engines behave the same. [`Guest`] keeps an instance on
//! a thread of its own and ends its runs at their deadlines.
//!
//! The crate depends on the types of results, on deadlines, on the instances of images, on the names of interfaces in manifests,
//! and on the version and the frames of the ABI. It depends on no policy, no message, and no other crate of the host.

#![deny(missing_docs)]

mod announced;
mod engine;
pub mod fingerprint;
mod guest;
#[cfg_attr(not(all(feature = "microvm", target_os = "linux", target_arch = "x86_64")), path = "absent.rs")]
mod hyperlight;
pub mod image;
mod pending;
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), path = "process_absent.rs")]
mod process;
mod ready;
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "only guests outside of this process need another thread to end them")
)]
mod running;
mod select;
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(
        dead_code,
        unused_imports,
        reason = "only what runs outside of this process uses snapshots; other builds can list and prune them"
    )
)]
mod snapshot;
mod state;
mod threads;
mod user_cache;
mod wasmtime;
mod watch;

pub use self::{
    announced::AnnouncedGuest,
    engine::{Engine, EngineError, HostCall, Instance, Missing, Progress, SharedHost, WarmUp},
    guest::{Guest, GuestEnd},
    image::Image,
    pending::{Pending, Signal},
    ready::{READY_LIMIT, ReadyGuests},
    select::select,
    snapshot::{CachedSnapshot, Pruned, SnapshotCache},
    state::GuestState,
    threads::count as thread_count,
    wasmtime::compilation_settings,
};
