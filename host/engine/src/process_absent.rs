//! A shim for processes in builds of this crate for other systems.

use std::path::Path;

use super::{Engine, EngineError, GuestState, Instance, Missing, WarmUp};

/// An image for processes. It has no values in this build.
#[derive(Debug)]
pub enum ProcessImage {}

impl ProcessImage {
    /// Reports that processes are not available in this build.
    pub fn new(_: (&Path, &str), _: (&Path, &str), _: WarmUp) -> Result<Self, Missing> {
        Err(Missing { reason: "processes need Linux on x86-64".into(), hint: "use `wasm`" })
    }

    pub fn start_in(self, _: GuestState) -> Self {
        self
    }
}

impl Engine for ProcessImage {
    fn instantiate(&self, _: u64) -> Result<Box<dyn Instance>, EngineError> {
        match *self {}
    }

    fn wake(&self) {
        match *self {}
    }
}
