//! The memory of a guest's process as a file, in which another process continues.
//!
//! A guest's process is a copy of one that has loaded the image (see [`crate::frames`]), so its memory is described by what
//! it has written to. The file begins with two numbers of 8 bytes each: how many ranges of addresses are accessible, and how
//! many runs of pages follow. Then come the ranges and the runs, each as its first address and its length in bytes, 8 bytes
//! each. Zeros fill the head up to a whole number of pages. The contents of the runs follow in the same order. All numbers
//! are little-endian, all addresses and lengths multiples of [`PAGE`].

use core::ops::Range;

/// Bytes of a page.
pub const PAGE: u64 = 4096;

/// Bytes before the first entry.
pub const HEADER: usize = 16;

/// Bytes of a range or a run.
pub const ENTRY: usize = 16;

/// The most ranges and runs together. Each can split another mapping, and a process of Linux has at most 65,530 mappings by
/// default.
pub const ENTRY_LIMIT: u64 = 30_000;

/// The addresses of everything that a guest can change: the variables of the runtime, and the region of its stack, heap and
/// memories.
pub const CHANGEABLE: [Range<u64>; 2] = [0x1000_0000..0x1200_0000, REGION];

/// The address at which the code of an image is mapped, far from everything else.
pub const CODE: u64 = 0x40_0000_0000;

/// The region of addresses of a guest.
pub const REGION: Range<u64> = 0x100_0000_0000..0x120_0000_0000;

/// The length of the head in bytes; `None` for more than [`ENTRY_LIMIT`] entries.
#[must_use]
pub const fn head_length(accessible: u64, runs: u64) -> Option<u64> {
    match accessible.checked_add(runs) {
        Some(entries) if entries <= ENTRY_LIMIT => {
            Some((HEADER as u64 + entries * ENTRY as u64).next_multiple_of(PAGE))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_whole_pages() {
        assert_eq!(head_length(0, 0), Some(PAGE));
        assert_eq!(head_length(5, 250), Some(PAGE));
        assert_eq!(head_length(5, 251), Some(2 * PAGE));
        assert!(head_length(ENTRY_LIMIT, 0).is_some());
        assert_eq!(head_length(ENTRY_LIMIT, 1), None);
        assert_eq!(head_length(u64::MAX, u64::MAX), None);
    }
}
