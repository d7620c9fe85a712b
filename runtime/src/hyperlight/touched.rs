//! The pages that a run writes to.
//!
//! After a restore each of them is shared with the snapshot and has to be copied when it is written to, which is what a
//! short run costs the most. Most of them are the same in every run. So the host has one program run before it takes the
//! snapshot that it keeps, asks for the list, and later has a restored micro-VM copy them while nobody waits for it.

use alloc::vec::Vec;
use core::{arch::asm, cell::RefCell, ops::Range};

use hyperlight_common::vmem::MappingKind;
use hyperlight_guest::layout::{MAIN_STACK_LIMIT_GVA, MAIN_STACK_TOP_GVA};
use hyperlight_guest_bin::paging;

use super::address_space::{self, PAGE};

/// Where the runtime itself lies, with its heap. The first page is nobody's.
const RUNTIME: Range<usize> = PAGE..64 << 20;

struct Only(RefCell<Vec<usize>>);

// SAFETY: there is one thread.
unsafe impl Sync for Only {}

static REMEMBERED: Only = Only(RefCell::new(Vec::new()));

/// Every page that was written to since the restore: addresses of eight bytes each, little endian.
pub(crate) fn list() -> Vec<u8> {
    let mut pages = Vec::new();
    let mut note = |page: usize| pages.extend_from_slice(&(page as u64).to_le_bytes());
    RUNTIME.step_by(PAGE).filter(|page| kind(*page) == Kind::Own).for_each(&mut note);
    address_space::accessible_pages().filter(|page| kind(*page) == Kind::Own).for_each(&mut note);
    let stack = (1..).map(|number| MAIN_STACK_TOP_GVA as usize - number * PAGE);
    stack
        .map_while(|page| (kind(page) != Kind::Absent).then_some(page))
        .filter(|page| kind(*page) == Kind::Own)
        .for_each(&mut note);
    pages
}

/// Notes which pages are to be touched. What a program has got for itself is not there before it asks.
pub(crate) fn remember(pages: Vec<u8>) {
    let pages = pages.as_chunks().0.iter().map(|page| u64::from_le_bytes(*page) as usize);
    *REMEMBERED.0.borrow_mut() = pages.filter(|page| is_there(*page)).collect();
}

fn is_there(page: usize) -> bool {
    page as u64 >= MAIN_STACK_LIMIT_GVA || address_space::is_accessible(page) || kind(page) != Kind::Absent
}

/// Has all of them copied.
pub(crate) fn touch() {
    for page in REMEMBERED.0.borrow().iter() {
        // SAFETY: it changes nothing of what is there, and a page that is not there yet is made for it.
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
