//! The engines that scenarios are run on, and which of them this machine has.

use std::sync::OnceLock;

use isolette::{Error, Isolation, Sandbox};

/// Every engine by name. `auto` is none: it stands for one of these.
pub const ALL: [Isolation; 2] = [Isolation::Wasm, Isolation::MicroVm];

/// Why there is no such engine here, in the words of the error that says so. It is asked for once, with a real sandbox;
/// any other error is not a reason to skip a test, but for the test to fail on. In-process WebAssembly is never missing.
pub fn missing(isolation: Isolation) -> Option<&'static str> {
    static MICRO_VM: OnceLock<Option<String>> = OnceLock::new();
    if isolation != Isolation::MicroVm {
        return None;
    }
    MICRO_VM
        .get_or_init(|| match Sandbox::builder().isolation(isolation).build() {
            Err(Error::Unavailable { reason, .. }) => Some(reason),
            _ => None,
        })
        .as_deref()
}
