//! Pages that each copy writes to before its first run.
//!
//! A copy shares each page with the process that started it until one of the two writes to it. Most of the pages that a run
//! writes to are the same in every run, so a copy that waits for its first run has the time to copy them.

use alloc::vec::Vec;
use core::{arch::asm, cell::RefCell};

struct SingleThreaded(RefCell<Vec<usize>>);

// SAFETY: there is one thread.
unsafe impl Sync for SingleThreaded {}

static PAGES: SingleThreaded = SingleThreaded(RefCell::new(Vec::new()));

/// Sets the pages. The host leaves out what this process cannot write to.
pub(crate) fn set(pages: &[u8]) {
    *PAGES.0.borrow_mut() = pages.as_chunks().0.iter().map(|page| u64::from_le_bytes(*page) as usize).collect();
}

/// Writes to each of the pages without changing it, so that it is copied.
pub(crate) fn perform() {
    for page in PAGES.0.borrow().iter() {
        // SAFETY: the instruction changes no value.
        unsafe { asm!("lock or byte ptr [{}], 0", in(reg) *page, options(nostack)) };
    }
}
