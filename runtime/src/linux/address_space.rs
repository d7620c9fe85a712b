//! Virtual memory: one region of addresses that is reserved at the start, parts of which become accessible.
//!
//! The region always begins at the same address, and is given out in ascending order and never released, so that the
//! memory of a process means the same in another one. Everything that can change lies in it, or in the program itself.

use core::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use isolette_abi::saved;

use crate::{
    prefault,
    system_calls::{self, Access, Errno},
};

/// The first address of the region. [`crate::jail`] depends on its first 32 bits.
pub(crate) const REGION: usize = saved::REGION.start as usize;

/// Bytes of the region: some twenty memories of 4 GiB, with what may be accessed around them.
pub(crate) const REGION_SIZE: usize = (saved::REGION.end - saved::REGION.start) as usize;

/// The address at which the image's code is mapped.
pub(crate) const CODE: usize = saved::CODE as usize;

/// The address at which parts of the code are mapped for a moment: a multiple of the size of large pages, where nothing else is mapped.
const SCRATCH: usize = CODE / 2;

/// Addresses are given out in multiples of this many bytes, and as many after them are never accessible.
const GRANULARITY: usize = 2 << 20;

static NEXT: AtomicUsize = AtomicUsize::new(REGION);

/// Reserves the region. To be called once, before anything is allocated.
pub(crate) fn reserve_region() -> Result<(), Errno> {
    system_calls::map_reserved(REGION, REGION_SIZE)?;
    system_calls::use_small_pages(REGION, REGION_SIZE);
    Ok(())
}

/// Gives out addresses for `size` bytes, none of them accessible. `None` if there are no more.
pub(crate) fn reserve(size: usize) -> Option<usize> {
    let start = NEXT.load(Relaxed);
    let end = start.checked_add(size)?.checked_next_multiple_of(GRANULARITY)?.checked_add(GRANULARITY)?;
    if end > REGION + REGION_SIZE {
        return None;
    }
    NEXT.store(end, Relaxed);
    Some(start)
}

/// Maps code for execution, once. The descriptor has to stay open until the memories of the image are mapped.
pub(crate) fn map_code(descriptor: i32, length: usize) -> Result<(), Errno> {
    // SAFETY: nothing else uses these addresses.
    unsafe { system_calls::map_file_unreserved(CODE, length, descriptor)? };
    prefault::write_to(CODE);
    if system_calls::make_executable(CODE, length).is_ok() {
        return Ok(());
    }
    // A system that permits no code in memory that was written to. The kernel finds the code again for each copy.
    // SAFETY: nothing refers to the code yet.
    unsafe { system_calls::map_file(CODE, length, Access::ReadExecute, descriptor, 0) }
}

/// Maps parts of the code from a file in memory with the same bytes, in large pages. If the system has none, nothing changes.
pub(crate) fn map_code_from(descriptor: i32, ranges: &[u8]) -> Result<(), Errno> {
    let offset = |range: &Range<usize>| range.start.saturating_sub(CODE);
    for range in prefault::ranges(ranges) {
        system_calls::join_pages(SCRATCH, range.len(), descriptor, offset(&range))?;
    }
    for range in prefault::ranges(ranges) {
        // SAFETY: the bytes are the same as before.
        unsafe { system_calls::map_file(range.start, range.len(), Access::ReadExecute, descriptor, offset(&range))? };
    }
    Ok(())
}

/// Maps the initial contents of a memory.
///
/// # Safety
/// Nothing may refer to what is at these addresses.
pub(crate) unsafe fn map_memory(start: usize, length: usize, descriptor: i32, offset: usize) -> Result<(), Errno> {
    // SAFETY: the caller guarantees it.
    unsafe { system_calls::map_file(start, length, Access::ReadWrite, descriptor, offset)? };
    prefault::write_to(start);
    Ok(())
}
