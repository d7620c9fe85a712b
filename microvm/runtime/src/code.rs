//! Code that was compiled ahead of time: which code fits this machine, and how it becomes a component.

use core::{arch::x86_64::__cpuid, ptr::NonNull};

use alloc::sync::Arc;
use wasmtime::{Config, CustomCodeMemory, Engine, Error, Result, component::Component};

use crate::address_space::{self, PAGE};

/// As much as in the host's process. The stack that the micro-VM has is far larger, and grows as it is used.
const GUEST_STACK: usize = 32 << 20;

/// The engine that all code runs in. Its settings are those that the images are compiled with.
pub(crate) fn engine() -> Result<Engine> {
    let mut config = Config::new();
    config.max_wasm_stack(GUEST_STACK);
    config.wasm_backtrace(false);
    config.with_custom_code_memory(Some(Arc::new(AlreadyExecutable)));
    // SAFETY: what it says is what the processor says.
    unsafe { config.detect_host_feature(has_feature) };
    Engine::new(&config)
}

/// Makes a component of code at a physical address.
pub(crate) fn component(engine: &Engine, address: usize, length: usize) -> Result<Component> {
    address_space::map_code(address, length);
    let code = NonNull::new(core::ptr::slice_from_raw_parts_mut(address as *mut u8, length))
        .ok_or_else(|| Error::msg("there is no code at address zero"))?;
    // SAFETY: the host has compared the code with the digest in the image's manifest, and code is trusted like a binary.
    // It stays mapped as long as the micro-VM lives. Wasmtime itself refuses code of another version or other settings.
    unsafe { Component::deserialize_raw(engine, code) }
}

/// Code is mapped for execution, and never for writing, before Wasmtime sees it.
struct AlreadyExecutable;

impl CustomCodeMemory for AlreadyExecutable {
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
