//! Keeps small free blocks of memory for the next objects of their size.
//!
//! The image's CPython is built without its own allocator, and takes objects from `malloc` of its libc, which joins a block that is
//! freed with its neighbours and later divides it again. Most programs need a block of the same size next.

use wasm_encoder::{BlockType, Instruction as I};

use super::edits::{Edits, Site, memory};

/// The largest block that is kept, of which `malloc` needs [`HEADER`] bytes itself.
const LARGEST: i32 = 256;

/// The bytes before a block. They are its size, of which the three lowest bits have other meanings.
const HEADER: i32 = 4;

/// Sizes of blocks are multiples of it.
const UNIT: i32 = 16;

/// The places for sizes, of which the first is not used.
const PLACES: u64 = 17;

/// The most bytes of one size that are kept. With 64 KiB programs are 2 % faster, and the memory of a session grew to 9 MiB instead of
/// 2: what is kept lies between blocks that could be joined without it.
const LIMIT: i32 = 256;

/// The two numbers for blocks of a size are at this address and half the size.
fn first(site: &Site<'_>) -> u64 {
    u64::from(site.table.blocks())
}

fn total(site: &Site<'_>) -> u64 {
    first(site) + 4
}

/// Takes a block of the size that `malloc` would take, if there is one.
pub(super) fn taken(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let (wanted, place, block) = (0, 2, 3);
    edits.locals = 2;
    edits.before(
        0,
        [
            I::LocalGet(wanted),
            I::I32Const(1),
            I::I32Sub,
            I::I32Const(LARGEST - HEADER),
            I::I32LtU,
            I::If(BlockType::Empty),
            I::LocalGet(wanted),
            I::I32Const(HEADER + UNIT - 1),
            I::I32Add,
            I::I32Const(-UNIT),
            I::I32And,
            I::I32Const(1),
            I::I32ShrU,
            I::LocalTee(place),
            I::I32Load(memory(first(site), 2)),
            I::LocalTee(block),
            I::If(BlockType::Empty),
            // A free block begins with the address of the next one.
            I::LocalGet(place),
            I::LocalGet(block),
            I::I32Load(memory(0, 2)),
            I::I32Store(memory(first(site), 2)),
            I::LocalGet(place),
            I::LocalGet(place),
            I::I32Load(memory(total(site), 2)),
            I::LocalGet(place),
            I::I32Const(1),
            I::I32Shl,
            I::I32Sub,
            I::I32Store(memory(total(site), 2)),
            I::LocalGet(block),
            I::Return,
            I::End,
            I::End,
        ],
    );
    Some(())
}

/// Keeps a block, unless it is large or there are many of its size.
pub(super) fn kept(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let (block, place, bytes) = (0, 2, 3);
    edits.locals = 2;
    edits.before(
        0,
        [
            I::LocalGet(block),
            I::If(BlockType::Empty),
            I::LocalGet(block),
            I::I32Const(HEADER),
            I::I32Sub,
            I::I32Load(memory(0, 2)),
            I::I32Const(-8),
            I::I32And,
            I::LocalTee(bytes),
            I::I32Const(LARGEST),
            I::I32LeU,
            I::If(BlockType::Empty),
            I::LocalGet(bytes),
            I::I32Const(1),
            I::I32ShrU,
            I::LocalTee(place),
            I::I32Load(memory(total(site), 2)),
            I::LocalGet(bytes),
            I::I32Add,
            I::LocalTee(bytes),
            I::I32Const(LIMIT),
            I::I32LeU,
            I::If(BlockType::Empty),
            I::LocalGet(place),
            I::LocalGet(bytes),
            I::I32Store(memory(total(site), 2)),
            I::LocalGet(block),
            I::LocalGet(place),
            I::I32Load(memory(first(site), 2)),
            I::I32Store(memory(0, 2)),
            I::LocalGet(place),
            I::LocalGet(block),
            I::I32Store(memory(first(site), 2)),
            I::Return,
            I::End,
            I::End,
            I::End,
        ],
    );
    Some(())
}

/// Keeps no blocks from now on: `tracemalloc` counts the calls behind these functions.
pub(super) fn given_up(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    for place in 0..PLACES {
        let full = i64::from(LIMIT) << 32;
        edits.before(0, [I::I32Const(0), I::I64Const(full), I::I64Store(memory(first(site) + 8 * place, 3))]);
    }
    Some(())
}
