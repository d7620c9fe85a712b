//! Mapping memory, access to it, and advice about it.

use super::{Errno, call};

const MMAP: usize = 9;
const MPROTECT: usize = 10;
const MUNMAP: usize = 11;
const MADVISE: usize = 28;
const PROCESS_MADVISE: usize = 440;

const MADV_POPULATE_WRITE: usize = 23;

/// Access to mapped memory.
#[derive(Clone, Copy, Debug)]
#[repr(usize)]
pub(crate) enum Access {
    None = 0,
    Read = 1,
    ReadWrite = 3,
    ReadExecute = 5,
}

const MAP_SHARED: usize = 0x1;
pub(crate) const MAP_PRIVATE: usize = 0x2;
pub(crate) const MAP_FIXED: usize = 0x10;
const MAP_ANONYMOUS: usize = 0x20;
const MAP_NORESERVE: usize = 0x4000;
const MAP_FIXED_NOREPLACE: usize = 0x10_0000;

/// Reserves addresses that nothing uses, without access.
pub(crate) fn map_reserved(address: usize, length: usize) -> Result<(), Errno> {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    // SAFETY: the kernel refuses addresses that are in use.
    unsafe { call(MMAP, [address, length, Access::None as usize, flags, usize::MAX, 0]) }.map(drop)
}

/// Keeps the kernel from joining pages into larger ones: it would not be known then which of them a guest has written to.
pub(crate) fn use_small_pages(address: usize, length: usize) {
    const MADV_NOHUGEPAGE: usize = 15;
    // Kernels that do not know it have no larger ones.
    // SAFETY: no value changes.
    let _ = unsafe { call(MADVISE, [address, length, MADV_NOHUGEPAGE, 0, 0, 0]) };
}

/// Maps a part of a file, and replaces what was mapped at the addresses. Changes stay in this process.
///
/// # Safety
/// Nothing may refer to what is at these addresses.
pub(crate) unsafe fn map_file(
    address: usize,
    length: usize,
    access: Access,
    descriptor: i32,
    offset: usize,
) -> Result<(), Errno> {
    let flags = MAP_PRIVATE | MAP_FIXED;
    // SAFETY: the caller guarantees that nothing is lost.
    unsafe { call(MMAP, [address, length, access as usize, flags, descriptor as usize, offset]) }.map(drop)
}

/// Maps the beginning of a file to read and write, and reserves no memory for what is going to be written.
///
/// # Safety
/// The conditions of [`map_file`].
pub(crate) unsafe fn map_file_unreserved(address: usize, length: usize, descriptor: i32) -> Result<(), Errno> {
    let flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    // SAFETY: the caller guarantees that nothing is lost.
    unsafe { call(MMAP, [address, length, Access::ReadWrite as usize, flags, descriptor as usize, 0]) }.map(drop)
}

/// Maps a file that others change, too, at addresses that nothing uses, to read and write.
pub(crate) fn map_shared(address: usize, length: usize, descriptor: i32) -> Result<(), Errno> {
    let flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
    // SAFETY: the kernel refuses addresses that are in use.
    unsafe { call(MMAP, [address, length, Access::ReadWrite as usize, flags, descriptor as usize, 0]) }.map(drop)
}

/// Joins the pages of a part of a file in memory into large ones, for every process that maps them. `scratch` are addresses that
/// nothing uses. Kernels before 6.1 do not know how.
pub(crate) fn join_pages(scratch: usize, length: usize, descriptor: i32, offset: usize) -> Result<(), Errno> {
    const MADV_COLLAPSE: usize = 25;
    let flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE;
    // SAFETY: the kernel refuses addresses that are in use, and nothing refers to them when they are given back.
    unsafe {
        call(MMAP, [scratch, length, Access::Read as usize, flags, descriptor as usize, offset])?;
        let joined = call(MADVISE, [scratch, length, MADV_COLLAPSE, 0, 0, 0]);
        call(MUNMAP, [scratch, length, 0, 0, 0, 0])?;
        joined.map(drop)
    }
}

/// Gives memory back: anonymous memory is zero afterwards, and a private page of a file is as in the file.
///
/// # Safety
/// Nothing may refer to what is at these addresses.
pub(crate) unsafe fn clear(address: usize, length: usize) -> Result<(), Errno> {
    const MADV_DONTNEED: usize = 4;
    // SAFETY: the caller guarantees that nothing is lost.
    unsafe { call(MADVISE, [address, length, MADV_DONTNEED, 0, 0, 0]) }.map(drop)
}

/// Permits reading and writing. Within the region, this is all that a jailed process can do to its mappings.
pub(crate) fn make_accessible(address: usize, length: usize) -> Result<(), Errno> {
    // SAFETY: more access to memory that was reserved invalidates nothing.
    unsafe { call(MPROTECT, [address, length, Access::ReadWrite as usize, 0, 0, 0]) }.map(drop)
}

/// Permits executing instead of writing.
pub(crate) fn make_executable(address: usize, length: usize) -> Result<(), Errno> {
    // SAFETY: the kernel refuses what is not mapped; nothing writes to code.
    unsafe { call(MPROTECT, [address, length, Access::ReadExecute as usize, 0, 0, 0]) }.map(drop)
}

/// Copies all pages that this process shares with others, as if it had written to each. Kernels before 5.14 do not know how.
pub(crate) fn copy_pages(address: usize, length: usize) -> Result<(), Errno> {
    // SAFETY: no value changes.
    unsafe { call(MADVISE, [address, length, MADV_POPULATE_WRITE, 0, 0, 0]) }.map(drop)
}

/// Copies the pages of several ranges, each an address and a length like `struct iovec` of the kernel, and returns how many bytes were
/// copied. Older kernels refuse it; 6.18 does not.
pub(crate) fn copy_all_pages(ranges: &[[u8; 2 * size_of::<usize>()]]) -> Result<usize, Errno> {
    /// The value for this process, in place of a descriptor.
    const PIDFD_SELF: usize = (-10_000_isize).cast_unsigned();
    let arguments = [PIDFD_SELF, ranges.as_ptr() as usize, ranges.len(), MADV_POPULATE_WRITE, 0, 0];
    // SAFETY: the kernel reads the ranges, and no value changes.
    unsafe { call(PROCESS_MADVISE, arguments) }
}

/// Leaves memory out of dumps, which no process here writes anyway: what is left out is a mapping of its own.
pub(crate) fn leave_out_of_dumps(address: usize, length: usize) -> Result<(), Errno> {
    const MADV_DONTDUMP: usize = 16;
    // SAFETY: no memory changes.
    unsafe { call(MADVISE, [address, length, MADV_DONTDUMP, 0, 0, 0]) }.map(drop)
}
