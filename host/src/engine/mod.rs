//! The machines that images run on.
//!
//! An engine starts instances of an image and moves bytes in and out. It must never know what the bytes mean: policy,
//! quotas and capabilities live behind [`HostCall`], once, so that all engines behave the same.

use std::{
    fmt,
    sync::{Arc, Mutex},
    thread::ThreadId,
};

use crate::broker::{Deadline, Stop};

#[cfg_attr(not(all(feature = "microvm", target_os = "linux", target_arch = "x86_64")), path = "absent.rs")]
pub(crate) mod hyperlight;
pub(crate) mod wasmtime;

/// Bytes of native stack that the thread needs on which an instance lives.
pub(crate) const STACK_SIZE: usize = GUEST_STACK + HOST_STACK;

/// Deep recursion must reach the interpreter's own limit before it reaches this one: CPython counts frames, and its
/// deepest (nested JSON, `repr`, the parser) take some 20 KiB of native stack each.
const GUEST_STACK: usize = 32 << 20;

/// What the host's own code needs on top of the guest, in the deepest host call.
const HOST_STACK: usize = 4 << 20;

/// What stands on the host's side of the wall.
pub(crate) trait HostCall: Send {
    /// Answers one message of the guest's, or ends the guest.
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop>;
}

/// The host's side, shared between a running instance and whoever started it.
pub(crate) type SharedHost = Arc<Mutex<dyn HostCall>>;

/// A run to learn from: a message as [`Instance::run`] gets it, and who answers it.
#[cfg_attr(
    not(all(feature = "microvm", target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "no other engine learns")
)]
pub(crate) struct Rehearsal {
    pub(crate) message: Vec<u8>,
    pub(crate) host: fn() -> SharedHost,
}

impl fmt::Debug for Rehearsal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rehearsal").finish_non_exhaustive()
    }
}

/// An image that is ready to be instantiated.
pub(crate) trait Engine: Send + Sync + fmt::Debug {
    /// A new instance, with the state that the image was built with.
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError>;

    /// Threads on which this engine has something ready for the next instance, the best first.
    fn threads(&self, _memory_limit: u64) -> Vec<ThreadId> {
        Vec::new()
    }

    /// Makes instances look at their deadlines now.
    fn wake(&self);
}

/// A live guest. It stays on the thread that made it.
pub(crate) trait Instance {
    /// Runs one program to its end. After an error the instance must not be used again.
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Vec<u8>, EngineError>;

    /// The most memory that the guest has had so far, in bytes.
    fn memory_peak(&self) -> u64;

    /// Told after the last run, before anybody hears of how it ended.
    fn retire(&mut self) {}
}

/// Why there are no engine of a kind here, and what to do about it.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub(crate) reason: String,
    pub(crate) hint: &'static str,
}

/// Why a guest ended without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EngineError {
    /// The host ended it.
    Stopped(Stop),
    /// It asked for more memory than it may have, and could not go on without.
    OutOfMemory,
    /// Its calls were nested too deeply for its stack.
    StackOverflow,
    /// It broke in another way.
    Crashed(String),
    /// The engine had no room for one more instance.
    NoCapacity(String),
}
