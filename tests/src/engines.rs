//! The engines that scenarios are run on, and which of them this machine has.

use std::{env, sync::OnceLock};

use isolette::{Error, Isolation, Sandbox};

/// Every engine by name. `auto` is none: it stands for one of these.
pub const ALL: [Isolation; 2] = [Isolation::Wasm, Isolation::MicroVm];

/// Whether this is a machine that was made for having micro-VMs, by emulation: how long anything takes means nothing here.
#[must_use]
pub fn emulated() -> bool {
    env::var_os("ISOLETTE_TEST_MACHINE").is_some_and(|machine| machine == "emulated")
}

/// Why there is no such engine here, in the words of the error that says so. It is asked for once, with a real sandbox;
/// any other error is not a reason to skip a test, but for the test to fail on. In-process WebAssembly is never missing.
///
/// # Panics
/// There are no micro-VMs in a machine that was made for having them.
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
