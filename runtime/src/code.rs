//! Code that was compiled ahead of time: the settings under which it loads, and how it becomes a component.

use core::{arch::x86_64::__cpuid, ptr::NonNull};

use wasmtime::{Config, Engine, Result, component::Component};

/// As much as in the host's process.
const GUEST_STACK: usize = 32 << 20;

/// Returns the settings with which images are compiled. The platform adds its own.
pub(crate) fn settings() -> Config {
    let mut config = Config::new();
    config.max_wasm_stack(GUEST_STACK);
    config.wasm_backtrace(false);
    // SAFETY: the function reports what the processor reports.
    unsafe { config.detect_host_feature(has_feature) };
    config
}

/// Makes a component of code.
///
/// # Safety
/// The code must be trusted, executable, and stay mapped as long as the component exists.
pub(crate) unsafe fn component(engine: &Engine, code: NonNull<[u8]>) -> Result<Component> {
    // SAFETY: the caller guarantees it. Wasmtime itself refuses code of another version or other settings.
    unsafe { Component::deserialize_raw(engine, code) }
}

/// The features of processors that images are compiled for.
fn has_feature(name: &str) -> Option<bool> {
    let bit = match name {
        "sse3" => 0,
        "ssse3" => 9,
        "cmpxchg16b" => 13,
        "sse4.1" => 19,
        "sse4.2" => 20,
        "popcnt" => 23,
        _ => return None,
    };
    Some(__cpuid(1).ecx & (1 << bit) != 0)
}
