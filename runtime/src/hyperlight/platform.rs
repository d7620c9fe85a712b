//! The functions that Wasmtime requires of an operating system, for a machine without one.

use core::{
    ffi::c_void,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed},
};

use super::address_space::{self, PAGE};

const READ_WRITE: u32 = 3;

const DONE: i32 = 0;
const REFUSED: i32 = 1;

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

/// The initial contents of a memory: where they are in the image's code, which never moves.
struct MemoryImage {
    start: usize,
    length: usize,
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_new(start: *const u8, length: usize, result: &mut *mut c_void) -> i32 {
    *result = alloc::boxed::Box::into_raw(alloc::boxed::Box::new(MemoryImage { start: start as usize, length })).cast();
    DONE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_map_at(image: *mut c_void, target: *mut u8, length: usize) -> i32 {
    // SAFETY: Wasmtime passes the pointer that `wasmtime_memory_image_new` returned.
    let image = unsafe { &*image.cast::<MemoryImage>() };
    if length > image.length {
        return REFUSED;
    }
    address_space::map_copy(image.start, length, target as usize);
    DONE
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_memory_image_free(_: *mut c_void) {}

static THREAD_LOCAL: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_get() -> *mut u8 {
    THREAD_LOCAL.load(Relaxed)
}

#[unsafe(no_mangle)]
extern "C" fn wasmtime_tls_set(value: *mut u8) {
    THREAD_LOCAL.store(value, Relaxed);
}

/// Wasmtime's fault handler. It returns only if the fault was not caused by a guest.
pub(crate) type TrapHandler = extern "C" fn(instruction: usize, frame: usize, has_address: bool, address: usize);

static TRAP_HANDLER: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
extern "C" fn wasmtime_init_traps(handler: TrapHandler) -> i32 {
    TRAP_HANDLER.store(handler as usize, Relaxed);
    DONE
}

/// The code with which a guest continues after a fault, on its own stack.
pub(crate) extern "C" fn trap(instruction: usize, frame: usize, has_address: bool, address: usize) -> ! {
    let handler = TRAP_HANDLER.load(Relaxed);
    if handler != 0 {
        // SAFETY: `wasmtime_init_traps` stored a function of this type.
        let handler: TrapHandler = unsafe { core::mem::transmute(handler) };
        handler(instruction, frame, has_address, address);
    }
    // A fault in the runtime itself ends the micro-VM.
    panic!("fault at {instruction:#x}, address {address:#x}")
}
