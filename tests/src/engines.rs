//! The engines of scenarios, and which of them this machine has.

use std::{env, sync::OnceLock};

use isolette::{Error, Isolation, Sandbox};

/// Every engine by name, the weakest first, without `auto`, which selects one of these.
pub const ALL: [Isolation; 3] = [Isolation::Wasm, Isolation::Process, Isolation::MicroVm];

/// Whether this machine is emulated for micro-VMs, so that durations mean nothing.
#[must_use]
pub fn emulated() -> bool {
    env::var_os("ISOLETTE_TEST_MACHINE").is_some_and(|machine| machine == "emulated")
}

/// The reason why an engine is not available, from the error of a real sandbox, which is created once. Any other error is not a
/// reason to skip tests, so they fail. WebAssembly in this process is always available, and a process of its own on Linux on
/// x86-64.
///
/// # Panics
/// An emulated machine has no micro-VMs.
pub fn missing(isolation: Isolation) -> Option<&'static str> {
    static MICRO_VM: OnceLock<Option<String>> = OnceLock::new();
    match isolation {
        Isolation::MicroVm => {}
        Isolation::Process if !cfg!(all(target_os = "linux", target_arch = "x86_64")) => {
            return Some("processes need Linux on x86-64");
        }
        _ => return None,
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

/// The engine that `auto` selects.
#[must_use]
pub fn automatic() -> Isolation {
    let by_preference = [Isolation::MicroVm, Isolation::Process];
    by_preference.into_iter().find(|isolation| missing(*isolation).is_none()).unwrap_or(Isolation::Wasm)
}
