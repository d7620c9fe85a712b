//! Virtual memory: reserves addresses, and backs them with memory when they are first accessed.
//!
//! Addresses are reserved in ascending order and never released. Only accessible ranges are backed with memory, page by
//! page, on the first access; any other access faults.

use alloc::vec::Vec;
use core::{cell::UnsafeCell, ops::Range};

use hyperlight_common::vmem::{BasicMapping, CowMapping, MappingKind};
use hyperlight_guest::prim_alloc::alloc_phys_pages;
use hyperlight_guest_bin::paging;
use isolette_runtime::PAGE;

/// The first address that is reserved: far above the code of the image, far below the end of the lower half of the addresses.
const FIRST: usize = 0x100_0000_0000;
const END: usize = 0x7000_0000_0000;

/// Pages that are backed at once. A fault costs more than clearing a few pages, and most accesses are in order.
const PAGES_AT_ONCE: usize = 8;

const READ_WRITE: MappingKind = MappingKind::Basic(BasicMapping { readable: true, writable: true, executable: false });
const EXECUTE: MappingKind = MappingKind::Basic(BasicMapping { readable: true, writable: false, executable: true });
const COPY_ON_WRITE: MappingKind = MappingKind::Cow(CowMapping { readable: true, executable: false });

struct AddressSpace {
    next: usize,
    /// The accessible ranges, in ascending order, without overlaps and not adjacent.
    accessible: Vec<Range<usize>>,
}

struct SingleThreaded(UnsafeCell<AddressSpace>);

// SAFETY: there is one processor and one thread.
unsafe impl Sync for SingleThreaded {}

static SPACE: SingleThreaded = SingleThreaded(UnsafeCell::new(AddressSpace { next: FIRST, accessible: Vec::new() }));

fn space() -> &'static mut AddressSpace {
    // SAFETY: there is one thread, and no function of this module calls another one while it holds the reference. The fault
    // handler may run in between; it only reads, and the address that it handles is never part of the list.
    unsafe { &mut *SPACE.0.get() }
}

/// Reserves addresses for `size` bytes, none of them accessible, with a guard after them. `None` if there are no more.
pub(crate) fn reserve(size: usize) -> Option<usize> {
    let space = space();
    let start = space.next;
    let end = start.checked_add(size)?.checked_next_multiple_of(1 << 30)?.checked_add(1 << 30)?;
    if end > END {
        return None;
    }
    space.next = end;
    Some(start)
}

/// Makes reserved addresses accessible: they read as zeros until they are written to.
pub(crate) fn make_accessible(range: Range<usize>) {
    let accessible = &mut space().accessible;
    let first = accessible.partition_point(|other| other.end < range.start);
    let last = accessible.partition_point(|other| other.start <= range.end);
    let merged = match accessible.get(first..last) {
        Some([a, .., b]) => a.start.min(range.start)..b.end.max(range.end),
        Some([a]) => a.start.min(range.start)..a.end.max(range.end),
        _ => range,
    };
    accessible.splice(first..last, [merged]);
}

/// Returns every accessible page, whether or not it has been written to.
pub(crate) fn accessible_pages() -> impl Iterator<Item = usize> {
    space().accessible.iter().flat_map(|range| range.clone().step_by(PAGE))
}

pub(crate) fn is_accessible(address: usize) -> bool {
    accessible_around(address).is_some()
}

fn accessible_around(address: usize) -> Option<&'static Range<usize>> {
    let accessible = &space().accessible;
    let index = accessible.partition_point(|range| range.end <= address);
    accessible.get(index).filter(|range| range.start <= address)
}

/// Backs the page at `address`, and some after it, with zeros. Returns false if it is not accessible.
///
/// This runs in the fault handler. It must not write to anything but fresh memory: a second fault would use the same
/// stack.
pub(crate) fn back(address: usize) -> bool {
    let Some(range) = accessible_around(address) else { return false };
    let start = address & !(PAGE - 1);
    // Up to the next page that is mapped, which has its contents already.
    let mut pages = 1;
    while pages < PAGES_AT_ONCE && start + (pages + 1) * PAGE <= range.end && !is_mapped(start + pages * PAGE) {
        pages += 1;
    }
    // SAFETY: the pages are not mapped, and the code that made the range accessible expects zeros there.
    unsafe {
        let physical = alloc_phys_pages(pages as u64);
        paging::map_region(physical, start as *mut u8, (pages * PAGE) as u64, READ_WRITE);
        paging::barrier::first_valid_same_ctx();
    }
    // Fresh pages are zero: the host clears them at each restore, and no page is allocated twice.
    true
}

fn is_mapped(address: usize) -> bool {
    paging::virt_to_phys(address as u64).next().is_some()
}

/// Maps code, which the host has mapped at a physical address, at the same virtual address.
pub(crate) fn map_code(address: usize, length: usize) {
    // SAFETY: the host has mapped a file there, and nothing else uses these addresses.
    unsafe {
        paging::map_region(address as u64, address as *mut u8, length.next_multiple_of(PAGE) as u64, EXECUTE);
        paging::barrier::first_valid_same_ctx();
    }
}

/// Maps the pages of `source` at `target` too, copy-on-write.
pub(crate) fn map_copy(source: usize, length: usize, target: usize) {
    let mut run: Option<(u64, usize, usize)> = None;
    for offset in (0..length).step_by(PAGE) {
        let physical = paging::virt_to_phys((source + offset) as u64).next().map(|mapping| mapping.phys_base);
        run = match (run, physical) {
            (Some((base, start, pages)), Some(physical)) if base + (pages * PAGE) as u64 == physical => {
                Some((base, start, pages + 1))
            }
            (previous, physical) => {
                map_shared(previous, target);
                physical.map(|physical| (physical, offset, 1))
            }
        };
    }
    map_shared(run, target);
    paging::barrier::first_valid_same_ctx();
}

fn map_shared(run: Option<(u64, usize, usize)>, target: usize) {
    if let Some((physical, offset, pages)) = run {
        // SAFETY: the caller has reserved the addresses at `target`, and they are not mapped.
        unsafe {
            paging::map_region(physical, (target + offset) as *mut u8, (pages * PAGE) as u64, COPY_ON_WRITE);
        }
    }
}
