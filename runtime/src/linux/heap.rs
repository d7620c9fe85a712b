//! The heap of the runtime: a part of the region that grows in place.

use core::{
    alloc::{GlobalAlloc, Layout},
    cell::UnsafeCell,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use dlmalloc::{Allocator, Dlmalloc};

use crate::{address_space, system_calls};

/// Bytes that the heap can have. Besides Wasmtime's own data, there are at most some copies of one message in it.
const LIMIT: usize = 1 << 30;

/// The heap grows by multiples of this many bytes.
const STEP: usize = 64 << 10;

#[global_allocator]
static HEAP: Heap = Heap(UnsafeCell::new(Dlmalloc::new_with_allocator(Memory)));

struct Heap(UnsafeCell<Dlmalloc<Memory>>);

// SAFETY: there is one thread, and handlers of signals do not allocate.
unsafe impl Sync for Heap {}

// SAFETY: all is left to an allocator.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: there is one thread, and the allocator does not call itself.
        unsafe { (*self.0.get()).malloc(layout.size(), layout.align()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { (*self.0.get()).calloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { (*self.0.get()).free(pointer, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe { (*self.0.get()).realloc(pointer, layout.size(), layout.align(), size) }
    }
}

/// The source of the heap's memory.
struct Memory;

static START: AtomicUsize = AtomicUsize::new(0);
static LENGTH: AtomicUsize = AtomicUsize::new(0);

fn grow(size: usize) -> Option<usize> {
    if START.load(Relaxed) == 0 {
        START.store(address_space::reserve(LIMIT)?, Relaxed);
    }
    let before = LENGTH.load(Relaxed);
    let after = before.checked_add(size)?;
    if after > LIMIT {
        return None;
    }
    let start = START.load(Relaxed) + before;
    system_calls::make_accessible(start, size).ok()?;
    LENGTH.store(after, Relaxed);
    Some(start)
}

// SAFETY: memory is given out once, and never taken back.
unsafe impl Allocator for Memory {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        let size = size.next_multiple_of(STEP);
        match grow(size) {
            Some(start) => (start as *mut u8, size, 0),
            None => (ptr::null_mut(), 0, 0),
        }
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        STEP
    }
}
