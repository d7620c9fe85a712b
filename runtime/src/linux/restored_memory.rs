//! The memory of another process, in which this one continues (`isolette_abi::saved`): a copy in that of a guest, and a process that
//! starts copies in that of one that has loaded the same code.
//!
//! The memory of a guest has any contents that it has left there, and a guest may have taken over its process. So a copy is locked
//! in before ([`crate::jail::enter_to_map`]), and this runs on the kernel's stack and uses no static variable and no heap.

use isolette_abi::saved::{self, ENTRY, HEADER};
use isolette_runtime::PAGE;

use crate::{
    prefault,
    system_calls::{self, Access, Errno},
};

/// The address at which the head of the file is mapped, far from everything else.
const HEAD: usize = 0x60_0000_0000;

/// The error for a head that does not fit the file.
const EINVAL: Errno = Errno(22);

/// Maps the memory.
pub(crate) fn map(file: i32) -> Result<(), Errno> {
    // SAFETY: nothing else uses these addresses.
    unsafe { system_calls::map_file(HEAD, PAGE, Access::Read, file, 0)? };
    let [accessible, runs] = entry(HEAD);
    let head = saved::head_length(accessible as u64, runs as u64).ok_or(EINVAL)? as usize;
    // SAFETY: as above.
    unsafe { system_calls::map_file(HEAD, head, Access::Read, file, 0)? };
    let entries = |count: usize, first: usize| (first..first + count).map(|index| entry(HEAD + HEADER + index * ENTRY));
    for [start, length] in entries(accessible, 0) {
        system_calls::make_accessible(start, length)?;
    }
    let mut offset = head;
    for [start, length] in entries(runs, accessible) {
        // SAFETY: the replaced contents belong to a guest that has not run. The host names only addresses of its memory.
        unsafe { system_calls::map_file(start, length, Access::ReadWrite, file, offset)? };
        offset += length;
    }
    Ok(())
}

/// Writes to a page of each run that has been mapped, without changing it: from then on, copies of this process get a copy of its
/// page table.
pub(crate) fn own_runs() {
    let [accessible, runs] = entry(HEAD);
    for index in accessible..accessible + runs {
        prefault::write_to(entry(HEAD + HEADER + index * ENTRY)[0]);
    }
}

fn entry(address: usize) -> [usize; 2] {
    // SAFETY: the callers have mapped it. Numbers in the file are in the order of this processor.
    unsafe { (address as *const [usize; 2]).read_volatile() }
}
