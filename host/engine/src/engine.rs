//! The traits that every engine implements. They transport bytes and do not interpret them.

use std::{
    fmt,
    io::{Read, Write},
    sync::{Arc, Mutex},
    thread::ThreadId,
};

use isolette_abi::runtime::Failure;
use isolette_deadline::{Deadline, ProcessClock, Stop};

use crate::GuestState;

/// Handles the host calls of a guest.
pub trait HostCall: Send {
    /// Handles one message of the guest's and returns the reply, or the reason to end the guest.
    ///
    /// With [`Stop::Paused`] the guest does not end: it waits until [`HostCall::resume`] returns the reply.
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop>;

    /// Returns the reply to the message with which the guest was paused. Default: there is none.
    fn resume(&mut self) -> Result<Vec<u8>, Stop> {
        Err(Stop::Malformed)
    }
}

/// The progress of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The program has ended with this reply.
    Ended(Vec<u8>),
    /// The program waits for an answer. Only engines whose guests can be paused return this.
    Paused,
}

/// The host's side of a run, shared between a running instance and the caller that started it.
pub type SharedHost = Arc<Mutex<dyn HostCall>>;

/// A warm-up run whose memory accesses an engine may record, to prefault the same pages in later runs. It gets no
/// capability, and none of its state becomes part of another run.
pub struct WarmUp {
    /// The message that is passed to [`Instance::run`].
    pub message: Vec<u8>,
    /// The message for a program that does as little as any.
    pub short: Vec<u8>,
    /// Creates the handler of the host calls of the warm-up run.
    pub host: fn() -> SharedHost,
}

impl fmt::Debug for WarmUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WarmUp").finish_non_exhaustive()
    }
}

/// An image that is ready to be instantiated.
pub trait Engine: Send + Sync + fmt::Debug {
    /// Creates an instance with the state that the image was built with. `memory_limit` is in bytes of linear memory.
    ///
    /// # Errors
    /// [`EngineError::NoCapacity`] if the engine has no capacity for another instance; else why the instance cannot be
    /// created.
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError>;

    /// Creates an instance that continues from a state, which was saved from an instance of the same image by the same engine.
    ///
    /// # Errors
    /// The errors of [`Engine::instantiate`]; [`EngineError::NotRestored`] if the state is not of this image and engine.
    fn restore(&self, _state: &GuestState, _memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        Err(EngineError::NotRestored(Missing::states().reason))
    }

    /// Writes a state in a form that another host with the same image can read.
    ///
    /// # Errors
    /// The reason why the state cannot be written.
    fn export(&self, _state: &GuestState, _out: &mut dyn Write) -> Result<(), Missing> {
        Err(Missing::states())
    }

    /// Reads what [`Engine::export`] wrote. The bytes are checked as those of an attacker, except that a micro-VM is only
    /// read if it `is_trusted`. `memory_limit` is that of the guests that will continue from it, in bytes.
    ///
    /// # Errors
    /// [`EngineError::NotRestored`], with what is wrong.
    fn import(&self, _input: &mut dyn Read, _memory_limit: u64, _is_trusted: bool) -> Result<GuestState, EngineError> {
        Err(EngineError::NotRestored(Missing::states().reason))
    }

    /// The state in which guests of a warm image start: [`Engine::restore`] continues from it. Default: guests start as the
    /// image was built.
    fn initial_state(&self) -> Option<&GuestState> {
        None
    }

    /// Threads on which this engine has resources ready for the next instance, best first. Default: none.
    fn threads(&self, _memory_limit: u64) -> Vec<ThreadId> {
        Vec::new()
    }

    /// Keeps `count` more instances ready, besides those of earlier calls, up to [`READY_LIMIT`](crate::READY_LIMIT) together.
    /// They are started by [`Engine::fill`]. Default: none are kept ready.
    fn keep_ready(&self, _memory_limit: u64, _count: usize) {}

    /// Withdraws a call of [`Engine::keep_ready`] with the same values, and ends instances that are ready in excess.
    fn release_ready(&self, _memory_limit: u64, _count: usize) {}

    /// Starts instances until as many are ready as are to be kept, or until the system refuses one. Takes some milliseconds
    /// for each.
    fn fill(&self, _memory_limit: u64) {}

    /// Number of instances that are ready.
    fn ready(&self, _memory_limit: u64) -> usize {
        0
    }

    /// Announces guests that will continue from a state: some can be started in advance, for [`Engine::restore`].
    fn announce(&self, _state: &GuestState, _count: usize) {}

    /// Withdraws the announcement of one guest, which [`Engine::restore`] has started or which will not start.
    fn retract(&self, _state: &GuestState) {}

    /// Makes running instances check their deadlines now.
    fn wake(&self);
}

/// A live guest. It stays on the thread on which it was created.
pub trait Instance {
    /// Runs one program until it ends or is paused. After an error the instance must not be used again.
    ///
    /// # Errors
    /// [`EngineError`] if the guest ended without a reply.
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError>;

    /// Continues a program that was paused, with the reply of [`HostCall::resume`].
    ///
    /// # Errors
    /// The errors of [`Instance::run`].
    fn resume(&mut self, _host: SharedHost, _deadline: Deadline) -> Result<Progress, EngineError> {
        Err(EngineError::NotRestored("programs cannot be paused in this isolation".into()))
    }

    /// Saves the state of the guest between two programs. The guest goes on as if nothing had happened.
    ///
    /// # Errors
    /// The reason why this isolation does not save states, or not on this machine.
    fn save(&mut self) -> Result<GuestState, Missing> {
        Err(Missing::states())
    }

    /// The peak memory of the guest so far, in bytes.
    fn memory_peak(&self) -> u64;

    /// The CPU time of the process in which the guest runs, if that is not this one. Default: none.
    fn clock(&self) -> Option<ProcessClock> {
        None
    }

    /// Called after the last run, before the outcome of that run is reported to the caller.
    fn retire(&mut self) {}
}

/// The reason why an engine is not available on this machine, and a hint.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The reason.
    pub reason: String,
    /// A hint on what to do about it.
    pub hint: &'static str,
}

impl Missing {
    fn states() -> Self {
        Self { reason: "this isolation does not save states".into(), hint: "use the isolation `process` or `microvm`" }
    }
}

/// The reason why a guest ended without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The host ended the guest.
    Stopped(Stop),
    /// The guest asked for memory beyond its limit and could not continue without it.
    OutOfMemory,
    /// The guest's calls were nested too deeply for its stack.
    StackOverflow,
    /// The guest failed in another way, which the text describes.
    Crashed(String),
    /// The state from which the guest had to continue is of another image, engine or machine. The text says why.
    NotRestored(String),
    /// The engine had no capacity for another instance. The text says what is exhausted.
    NoCapacity(String),
}

impl EngineError {
    /// Converts a failure. `stop` is the host's reason to end the guest; without one, the guest sent a malformed message.
    pub(crate) fn new(failure: Failure, stop: Option<Stop>) -> Self {
        match failure {
            Failure::Stopped => Self::Stopped(stop.unwrap_or(Stop::Malformed)),
            Failure::OutOfMemory => Self::OutOfMemory,
            Failure::StackOverflow => Self::StackOverflow,
            Failure::Crashed(text) => Self::Crashed(text),
        }
    }
}

/// Returns whether the last message of a runtime outside of this process says that it found no memory for itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) fn is_out_of_memory(message: &str) -> bool {
    // The text of Rust's standard library.
    message.contains("memory allocation of")
}
