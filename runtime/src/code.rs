//! Code that was compiled ahead of time: the settings under which it loads, and how it becomes a component.

use core::{arch::x86_64::__cpuid, ptr::NonNull};

use isolette_instance::PROCESSOR_FEATURES;
use wasmtime::{Config, Engine, Result, component::Component};

/// Returns the settings with which images are compiled. The platform adds its own.
pub(crate) fn settings() -> Config {
    let mut config = isolette_instance::settings();
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

fn has_feature(name: &str) -> Option<bool> {
    let feature = PROCESSOR_FEATURES.iter().find(|feature| feature.name == name)?;
    Some(__cpuid(1).ecx & (1 << feature.bit) != 0)
}
