//! The guest: one instance of an image, which runs one program after the other.

use alloc::vec::Vec;

use isolette_abi::runtime::{Failure, RunReply};
use isolette_instance::{Host, Image, Instance};
use wasmtime::{Result, component::Component};

/// The guest of this runtime. It reaches the host through `H`.
#[derive(Debug)]
pub struct Guest<H: 'static>(Instance<H>);

impl<H: Host> Guest<H> {
    /// Creates the guest. Its memory is not limited before its first run.
    ///
    /// # Errors
    /// If the component cannot be instantiated.
    pub fn new(component: &Component, host: H) -> Result<Self> {
        let image = Image::new(component)?;
        let store = image.store(host, u64::MAX);
        image.instantiate(store).map(Self).map_err(|failed| failed.error)
    }

    /// Runs one program.
    pub fn run(&mut self, message: Vec<u8>, memory_limit: u64) -> RunReply {
        let Self(instance) = self;
        let result = if instance.set_memory_limit(memory_limit) {
            instance.run(message).map_err(|failed| failed.classify())
        } else {
            Err(Failure::OutOfMemory)
        };
        RunReply { memory_peak: instance.memory_peak(), result }
    }
}
