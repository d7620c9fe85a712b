//! What every engine is: a trait of bytes.

use std::{
    fmt,
    sync::{Arc, Mutex},
    thread::ThreadId,
};

use isolette_deadline::{Deadline, Stop};

/// Answers the calls of a guest.
pub trait HostCall: Send {
    /// Answers one message of the guest's, or ends the guest.
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop>;
}

/// The host's side, shared between a running instance and whoever started it.
pub type SharedHost = Arc<Mutex<dyn HostCall>>;

/// A run whose memory accesses an engine may record, to prefault the same pages in later runs. It gets no capability, and
/// nothing of it is part of another run.
pub struct WarmUp {
    /// A message as [`Instance::run`] gets it.
    pub message: Vec<u8>,
    /// Makes what answers the calls of that run.
    pub host: fn() -> SharedHost,
}

impl fmt::Debug for WarmUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WarmUp").finish_non_exhaustive()
    }
}

/// An image that is ready to be instantiated.
pub trait Engine: Send + Sync + fmt::Debug {
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
pub trait Instance {
    /// Runs one program to its end. After an error the instance must not be used again.
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Vec<u8>, EngineError>;

    /// The most memory that the guest has had so far, in bytes.
    fn memory_peak(&self) -> u64;

    /// Told after the last run, before anybody hears of how it ended.
    fn retire(&mut self) {}
}

/// Why an engine cannot be had on this machine.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Why not.
    pub reason: String,
    /// What to do about it.
    pub hint: &'static str,
}

/// Why a guest ended without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
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
