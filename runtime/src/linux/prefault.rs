//! Pages that each copy writes to before its first run.
//!
//! A copy shares each page with the process that started it until one of the two writes to it. Most of the pages that a run
//! writes to are the same in every run, so a copy that waits for its first run has the time to copy them.

use core::arch::asm;

use isolette_abi::frames::control;

/// The most pages that fit into a packet.
const LIMIT: usize = control::LIMIT / size_of::<u64>();

/// Their addresses. They are not in the memory of the guest, which must not change.
pub(crate) struct Pages {
    addresses: [u64; LIMIT],
    count: usize,
}

impl Pages {
    pub(crate) const fn new() -> Self {
        Self { addresses: [0; LIMIT], count: 0 }
    }

    /// Sets the pages. The host leaves out what this process cannot write to.
    pub(crate) fn set(&mut self, pages: &[u8]) {
        let (pages, _) = pages.as_chunks();
        self.count = pages.len().min(LIMIT);
        for (address, page) in self.addresses.iter_mut().zip(pages) {
            *address = u64::from_le_bytes(*page);
        }
    }

    /// Writes to each of the pages without changing it, so that it is copied.
    pub(crate) fn copy(&self) {
        for page in &self.addresses[..self.count] {
            // SAFETY: the instruction changes no value.
            unsafe { asm!("lock or byte ptr [{}], 0", in(reg) *page as usize, options(nostack)) };
        }
    }
}
