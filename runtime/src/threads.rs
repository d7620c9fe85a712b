//! The values that Wasmtime keeps for each thread. There is one thread.

use core::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

/// Wasmtime numbers them from zero; it has one for calls into guests and one for asynchronous components.
static VALUES: [AtomicPtr<u8>; 2] = [const { AtomicPtr::new(ptr::null_mut()) }; 2];

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_get(slot: usize) -> *mut u8 {
    VALUES[slot].load(Relaxed)
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_set(slot: usize, value: *mut u8) {
    VALUES[slot].store(value, Relaxed);
}
