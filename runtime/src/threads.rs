//! The value that Wasmtime keeps for each thread. There is one thread.

use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

static VALUE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_get() -> *mut u8 {
    VALUE.load(Relaxed)
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_set(value: *mut u8) {
    VALUE.store(value, Relaxed);
}
