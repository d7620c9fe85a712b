//! The functions that Wasmtime requires of an operating system, for a machine without one.

use core::ffi::c_void;

use isolette_runtime::{
    PAGE, memory_image,
    status::{DONE, REFUSED},
};

use crate::address_space;

const READ_WRITE: u32 = 3;

#[unsafe(no_mangle)]
extern "C" fn wasmtime_mmap_new(size: usize, protection: u32, result: &mut *mut u8) -> i32 {
    let Some(start) = address_space::reserve(size) else { return REFUSED };
    if protection == READ_WRITE {
        address_space::make_accessible(start..start + size);
    }
    *result = start as *mut u8;
    DONE
}

/// Wasmtime calls this to reuse a memory for another instance, which never happens here.
#[unsafe(no_mangle)]
extern "C" fn wasmtime_mmap_remap(_: *mut u8, _: usize, _: u32) -> i32 {
    REFUSED
}

/// Memory is not released: the micro-VM is restored instead.
#[unsafe(no_mangle)]
extern "C" fn wasmtime_munmap(_: *mut u8, _: usize) -> i32 {
    DONE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_mprotect(start: *mut u8, size: usize, protection: u32) -> i32 {
    match protection {
        READ_WRITE => address_space::make_accessible(start as usize..start as usize + size),
        // Code is mapped for execution from the start and never written to; nothing else is made read-only.
        _ => return REFUSED,
    }
    DONE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_page_size() -> usize {
    PAGE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_map_at(image: *mut c_void, target: *mut u8, length: usize) -> i32 {
    // SAFETY: Wasmtime passes it.
    let image = unsafe { memory_image::from_pointer(image) };
    if length > image.length {
        return REFUSED;
    }
    address_space::map_copy(image.start, length, target as usize);
    DONE
}
