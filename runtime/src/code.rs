//! Code that was compiled ahead of time: the settings under which it loads, and how it becomes a component.

use alloc::sync::Arc;
use core::{arch::x86_64::__cpuid, ptr::NonNull};

use isolette_instance::{PROCESSOR_FEATURES, TABLE_LAZY_INIT};
use wasmtime::{Config, CustomCodeMemory, Engine, Result, component::Component};

use crate::PAGE;

/// Returns the settings with which images are compiled, for code that the platform maps.
#[must_use]
pub fn settings() -> Config {
    let mut config = isolette_instance::settings();
    // SAFETY: the function reports what the processor reports.
    unsafe { config.detect_host_feature(has_feature) };
    config.table_lazy_init(TABLE_LAZY_INIT);
    config.with_custom_code_memory(Some(Arc::new(ExecutableCode)));
    config
}

/// Makes a component of code.
///
/// # Errors
/// If the code was compiled by another version or with other settings.
///
/// # Safety
/// The code must be trusted, executable, and stay mapped as long as the component exists.
pub unsafe fn component(engine: &Engine, code: NonNull<[u8]>) -> Result<Component> {
    // SAFETY: the caller guarantees it. Wasmtime itself refuses code of another version or other settings.
    unsafe { Component::deserialize_raw(engine, code) }
}

fn has_feature(name: &str) -> Option<bool> {
    let feature = PROCESSOR_FEATURES.iter().find(|feature| feature.name == name)?;
    Some(__cpuid(1).ecx & (1 << feature.bit) != 0)
}

/// Code that the platform mapped for execution, and not for writing, before Wasmtime gets it.
#[derive(Debug)]
struct ExecutableCode;

impl CustomCodeMemory for ExecutableCode {
    fn required_alignment(&self) -> usize {
        PAGE
    }

    fn publish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }

    fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }
}
