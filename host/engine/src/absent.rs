//! A shim for micro-VMs in builds of this crate without them.

use std::path::Path;

use super::{Engine, EngineError, GuestState, Instance, Missing, WarmUp};

/// Proof that a micro-VM has run on this machine. It has no values, because none can run in this build.
#[derive(Clone, Copy, Debug)]
pub enum Proof {}

/// Reports that micro-VMs are not available in this build.
pub(crate) fn probe(_: &Path) -> Result<Proof, Missing> {
    let (reason, hint) = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        (
            "this program was built without the feature `microvm`",
            "build it with that feature, or use `process` or `wasm`",
        )
    } else {
        ("micro-VMs need Linux on x86-64", "use `wasm`")
    };
    Err(Missing { reason: reason.into(), hint })
}

/// An image for micro-VMs. It has no values in this build.
#[derive(Debug)]
pub enum HyperlightImage {}

impl HyperlightImage {
    pub fn new(proof: Proof, _: (&Path, &str), _: (&Path, &str), _: WarmUp) -> Self {
        match proof {}
    }

    pub fn start_in(self, _: GuestState) -> Self {
        self
    }
}

impl Engine for HyperlightImage {
    fn instantiate(&self, _: u64) -> Result<Box<dyn Instance>, EngineError> {
        match *self {}
    }

    fn wake(&self) {
        match *self {}
    }
}
