//! The initial contents of memories. They are in the image's code, which never moves.

use alloc::boxed::Box;
use core::ffi::c_void;

use crate::status::DONE;

/// The place of the contents of a memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryImage {
    /// The address of the first byte.
    pub start: usize,
    /// The number of bytes.
    pub length: usize,
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_new(start: *const u8, length: usize, result: &mut *mut c_void) -> i32 {
    *result = Box::into_raw(Box::new(MemoryImage { start: start as usize, length })).cast();
    DONE
}

/// A platform maps the image that Wasmtime names by this pointer.
///
/// # Safety
/// Wasmtime must have passed the pointer to `wasmtime_memory_image_map_at`.
#[must_use]
pub unsafe fn from_pointer(image: *mut c_void) -> MemoryImage {
    // SAFETY: it is what `wasmtime_memory_image_new` returned, and nothing frees it.
    unsafe { *image.cast::<MemoryImage>() }
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_free(_: *mut c_void) {}
