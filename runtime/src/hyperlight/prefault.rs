//! Lists the pages that a run writes to, and prefaults them.
//!
//! After a restore each page is shared with the snapshot and has to be copied when it is written to, which is most of the
//! cost of a short run. Most of the pages are the same in every run. So the host has a warm-up program run before it takes
//! the snapshot that it uses, asks for the list of written pages, and has each restored micro-VM copy these pages before
//! its next run.

use alloc::vec::Vec;
use core::{arch::asm, cell::RefCell, ops::Range};

use hyperlight_common::vmem::MappingKind;
use hyperlight_guest::layout::{MAIN_STACK_LIMIT_GVA, MAIN_STACK_TOP_GVA};
use hyperlight_guest_bin::paging;
use isolette_runtime::PAGE;

use crate::address_space;

/// The addresses of the runtime itself, with its heap. The first page is not mapped.
const RUNTIME: Range<usize> = PAGE..64 << 20;

struct SingleThreaded(RefCell<Vec<usize>>);

// SAFETY: there is one thread.
unsafe impl Sync for SingleThreaded {}

static PAGES: SingleThreaded = SingleThreaded(RefCell::new(Vec::new()));

/// Returns every page that was written to since the restore.
pub(crate) fn written_pages() -> Vec<u8> {
    let mut pages = Vec::new();
    let mut add = |page: usize| pages.extend_from_slice(&(page as u64).to_le_bytes());
    RUNTIME.step_by(PAGE).filter(|page| kind(*page) == Kind::Own).for_each(&mut add);
    address_space::accessible_pages().filter(|page| kind(*page) == Kind::Own).for_each(&mut add);
    let stack = (1..).map(|number| MAIN_STACK_TOP_GVA as usize - number * PAGE);
    stack
        .map_while(|page| (kind(page) != Kind::Absent).then_some(page))
        .filter(|page| kind(*page) == Kind::Own)
        .for_each(&mut add);
    pages
}

/// Sets the pages to prefault. Memory that a program allocated for itself does not exist before the program asks for it,
/// and is left out.
pub(crate) fn set_pages(pages: Vec<u8>) {
    let pages = pages.as_chunks().0.iter().map(|page| u64::from_le_bytes(*page) as usize);
    *PAGES.0.borrow_mut() = pages.filter(|page| exists(*page)).collect();
}

fn exists(page: usize) -> bool {
    page as u64 >= MAIN_STACK_LIMIT_GVA || address_space::is_accessible(page) || kind(page) != Kind::Absent
}

/// Writes to each of the pages without changing it, so that it is copied.
pub(crate) fn prefault() {
    for page in PAGES.0.borrow().iter() {
        // SAFETY: the instruction changes no value, and a page that is not mapped yet is backed by the fault handler.
        unsafe { asm!("lock or byte ptr [{}], 0", in(reg) *page, options(nostack)) };
    }
}

#[derive(PartialEq)]
enum Kind {
    Absent,
    Shared,
    Own,
}

fn kind(page: usize) -> Kind {
    match paging::virt_to_phys(page as u64).next().map(|mapping| mapping.kind) {
        None | Some(MappingKind::Unmapped) => Kind::Absent,
        Some(MappingKind::Basic(mapping)) if mapping.writable => Kind::Own,
        Some(_) => Kind::Shared,
    }
}
