//! The functions that Wasmtime requires of an operating system, for a process whose memory never moves.

use core::{
    ffi::c_void,
    sync::atomic::{AtomicI32, Ordering::Relaxed},
};

use isolette_runtime::{
    PAGE, memory_image,
    status::{DONE, REFUSED},
};

use crate::{
    address_space::{self, CODE},
    system_calls,
};

const READ_WRITE: u32 = 3;

/// The file of the image's code, from which memories get their initial contents; -1 when it is closed.
pub(crate) static CODE_FILE: AtomicI32 = AtomicI32::new(-1);

fn status(done: bool) -> i32 {
    if done { DONE } else { REFUSED }
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_mmap_new(size: usize, protection: u32, result: &mut *mut u8) -> i32 {
    let Some(start) = address_space::reserve(size) else { return REFUSED };
    *result = start as *mut u8;
    status(protection != READ_WRITE || system_calls::make_accessible(start, size).is_ok())
}

/// Wasmtime calls this to reuse a memory for another instance, which never happens here.
#[unsafe(no_mangle)]
extern "C" fn wasmtime_mmap_remap(_: *mut u8, _: usize, _: u32) -> i32 {
    REFUSED
}

/// Memory is not released: the process ends instead.
#[unsafe(no_mangle)]
extern "C" fn wasmtime_munmap(_: *mut u8, _: usize) -> i32 {
    DONE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_mprotect(start: *mut u8, size: usize, protection: u32) -> i32 {
    // Code can be executed, and no longer written to, before Wasmtime gets it; nothing else is made read-only.
    status(protection == READ_WRITE && system_calls::make_accessible(start as usize, size).is_ok())
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_page_size() -> usize {
    PAGE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_map_at(image: *mut c_void, target: *mut u8, length: usize) -> i32 {
    // SAFETY: Wasmtime passes it.
    let image = unsafe { memory_image::from_pointer(image) };
    let file = CODE_FILE.load(Relaxed);
    let Some(offset) = image.start.checked_sub(CODE).filter(|_| length <= image.length && file >= 0) else {
        return REFUSED;
    };
    // SAFETY: Wasmtime has reserved these addresses for this memory.
    status(unsafe { address_space::map_memory(target as usize, length, file, offset) }.is_ok())
}
