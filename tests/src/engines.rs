//! The engines of scenarios, and which of them this machine has.

use std::{env, sync::OnceLock};

use isolette::{Error, Isolation, Sandbox};

/// Every engine by name, without `auto`, which selects one of these.
pub const ALL: [Isolation; 2] = [Isolation::Wasm, Isolation::MicroVm];

/// Whether this machine is emulated for micro-VMs, so that durations mean nothing.
#[must_use]
pub fn emulated() -> bool {
    env::var_os("ISOLETTE_TEST_MACHINE").is_some_and(|machine| machine == "emulated")
}

/// The reason why an engine is not available, from the error of a real sandbox, which is created once. Any other error is not a
/// reason to skip tests, so they fail. In-process WebAssembly is always available.
///
/// # Panics
/// An emulated machine has no micro-VMs.
pub fn missing(isolation: Isolation) -> Option<&'static str> {
    static MICRO_VM: OnceLock<Option<String>> = OnceLock::new();
    if isolation != Isolation::MicroVm {
        return None;
    }
    let reason = MICRO_VM
        .get_or_init(|| match Sandbox::builder().isolation(isolation).build() {
            Err(Error::Unavailable { reason, .. }) => Some(reason),
            _ => None,
        })
        .as_deref();
    assert!(reason.is_none() || !emulated(), "an emulated machine without micro-VMs proves nothing: {reason:?}");
    reason
}
