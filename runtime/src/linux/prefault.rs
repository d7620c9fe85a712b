//! Pages that a process touches before anything needs them.
//!
//! A copy shares each page with the process that started it until one of the two writes to it. Most of the pages that a run
//! writes to are the same in every run, so a copy that waits for its first run has the time to copy them. Those that runs only
//! read are part of files: the process that starts copies reads them once, and the copies find them.

use core::{arch::asm, ops::Range};

use isolette_abi::frames::control;
use isolette_runtime::PAGE;

use crate::system_calls;

/// The most ranges that fit into a packet.
const LIMIT: usize = control::LIMIT / control::RANGE;

/// Pages that each copy writes to before its first run.
pub(crate) struct Pages {
    /// The ranges, in place, since the memory of the guest must not change.
    ranges: [[u8; control::RANGE]; LIMIT],
    count: usize,
}

impl Pages {
    pub(crate) const fn new() -> Self {
        Self { ranges: [[0; control::RANGE]; LIMIT], count: 0 }
    }

    /// Sets the pages. The host leaves out what this process cannot write to.
    pub(crate) fn set(&mut self, ranges: &[u8]) {
        let (ranges, _) = ranges.as_chunks();
        self.count = ranges.len().min(LIMIT);
        for (own, range) in self.ranges.iter_mut().zip(ranges) {
            *own = *range;
        }
    }

    /// Writes to each of the pages without changing it, so that it is copied.
    pub(crate) fn copy(&self) {
        let ranges = &self.ranges[..self.count];
        let length = ranges.iter().map(|range| addresses(range).len()).sum();
        if system_calls::copy_all_pages(ranges) == Ok(length) {
            return;
        }
        for range in ranges.iter().map(addresses) {
            if system_calls::copy_pages(range.start, range.len()).is_err() {
                range.step_by(PAGE).for_each(write_to);
            }
        }
    }
}

/// Reads from each of the pages in a packet. The host leaves out what this process cannot read.
pub(crate) fn read(ranges: &[u8]) {
    for page in self::ranges(ranges).flat_map(|range| range.step_by(PAGE)) {
        // SAFETY: the host has found the page in the list of mappings of this process.
        unsafe { (page as *const u8).read_volatile() };
    }
}

/// Forgets where the pages of a packet are, so that copies need not know either. The host names only pages of files that this
/// process has not written to.
pub(crate) fn forget(ranges: &[u8]) {
    for range in self::ranges(ranges) {
        // SAFETY: the host has found that the pages are as in the file.
        let _ = unsafe { system_calls::clear(range.start, range.len()) };
    }
}

/// Makes each page of a packet a mapping of its own: the kernel finds pages near the one that is used, but only those of the same
/// mapping.
pub(crate) fn separate(ranges: &[u8]) {
    for page in self::ranges(ranges).flat_map(|range| range.step_by(2 * PAGE)) {
        let _ = system_calls::leave_out_of_dumps(page, PAGE);
    }
}

/// Writes to a page of this process without changing it. For a private mapping of a file this has another effect: from the
/// first such page on, copies of this process get a copy of its page table, and need not ask the kernel for each page.
pub(crate) fn write_to(page: usize) {
    // SAFETY: the instruction changes no value, and all callers have mapped the page for writing.
    unsafe { asm!("lock or byte ptr [{}], 0", in(reg) page, options(nostack)) };
}

/// The ranges in a packet.
pub(crate) fn ranges(packet: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let (ranges, _) = packet.as_chunks();
    ranges.iter().map(addresses)
}

fn addresses(range: &[u8; control::RANGE]) -> Range<usize> {
    let number = |position: usize| {
        let mut bytes = [0; size_of::<u64>()];
        bytes.copy_from_slice(&range[position..][..size_of::<u64>()]);
        u64::from_le_bytes(bytes) as usize
    };
    let start = number(0);
    start..start.saturating_add(number(size_of::<u64>()))
}
