//! The reason why an instance ended without a reply.

use alloc::{format, string::ToString as _};
use core::fmt;

use isolette_abi::runtime::Failure;
use wasmtime::{Error, Trap};

/// The host ended the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the host ended the guest")
    }
}

impl core::error::Error for Stopped {}

/// An error of an instance, which must not be used again.
#[derive(Debug)]
pub struct Failed {
    /// The error of Wasmtime, or of [`Host::call`](crate::Host::call).
    pub error: Error,
    pub(crate) memory_refused: bool,
}

impl Failed {
    /// Classifies the error. [`Failure::Stopped`] is [`Stopped`]; errors of the engine's own have to be checked before.
    #[must_use]
    pub fn classify(&self) -> Failure {
        if self.error.is::<Stopped>() {
            return Failure::Stopped;
        }
        match self.error.downcast_ref::<Trap>() {
            Some(Trap::StackOverflow) => Failure::StackOverflow,
            // An interpreter that gets no memory and cannot report it in its own language aborts.
            _ if self.memory_refused => Failure::OutOfMemory,
            // The stack that C code keeps in linear memory is at its bottom, so an overflow ends here and does not reach
            // other data.
            Some(Trap::MemoryOutOfBounds) => {
                Failure::Crashed("memory access out of bounds, as when calls are nested too deeply".into())
            }
            Some(trap) => Failure::Crashed(trap.to_string()),
            None => Failure::Crashed(format!("{:#}", self.error)),
        }
    }
}
