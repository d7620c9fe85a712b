//! Paths and positions of files, where the C library differs from Linux.

use wasm_encoder::{BlockType, Instruction as I};
use wasmparser::Operator as O;

use super::edits::{Edits, Site, memory};

/// Where the C library keeps the position of an open file, its flags and its streams.
const POSITION: u64 = 8;
const FLAGS: u64 = 16;
const READ_STREAM: u64 = 20;
const WRITE_STREAM: u64 = 24;

/// The flag of a file whose writes go to its end.
const APPEND: i32 = 1;

/// Refuses an empty path with `ENOENT`. The C library takes it for the working directory, which `rmtree("")` would empty.
pub(super) fn empty_paths(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const NO_ENTRY: i32 = 44;
    let path = 0;
    // `errno = ENOMEM`
    let number = site.operators.windows(3).find_map(|around| match around {
        [O::GlobalGet { global_index }, O::I32Const { value: 48 }, O::I32Store { .. }] => Some(*global_index),
        _ => None,
    })?;
    edits.before(
        0,
        [
            I::LocalGet(path),
            I::I32Load8U(memory(0, 0)),
            I::I32Eqz,
            I::If(BlockType::Empty),
            I::GlobalGet(number),
            I::I32Const(NO_ENTRY),
            I::I32Store(memory(0, 2)),
            I::I32Const(-1),
            I::Return,
            I::End,
        ],
    );
    Some(())
}

/// Moves the position of a file that was opened to append as that of any other. The C library moves it to the end first, so that
/// nothing but the end can be read. A position from the end moves it there as well, also if it is refused, and leaves the streams where
/// they are.
pub(super) fn seeking(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let is_append = |place: usize| {
        matches!(site.operators.get(place..)?, [O::I32Const { value: APPEND }, O::I32And, ..]).then_some(place)
    };
    let tests: Vec<usize> = (0..site.operators.len()).filter_map(is_append).collect();
    let &[at_once, from_the_end] = tests.as_slice() else { return None };
    for test in [at_once, from_the_end] {
        edits.instead(test, [I::I32Const(0)]);
    }
    let (file, before) = (0, 3);
    // `offset += position`
    let known = site.nth(0, |operator| matches!(operator, O::I64Add))? + 2;
    edits.long_locals = 1;
    edits.before(0, [I::LocalGet(file), I::I64Load(memory(POSITION, 3)), I::LocalSet(before)]);
    edits.before(known, [I::LocalGet(file), I::LocalGet(before), I::I64Store(memory(POSITION, 3))]);
    Some(())
}

/// Reads from the position of the file after a write. The C library reads on where it read before.
pub(super) fn reading(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    edits.before(0, forget_streams(site, WRITE_STREAM)?);
    Some(())
}

/// Writes at the position of the file after a read, and at its end if it was opened to append. The position is then that of the
/// end, from which the C library counts the bytes that it writes.
pub(super) fn writing(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let file = 0;
    let seek_end = (site.function)("file_seek_end")?;
    edits.before(0, forget_streams(site, READ_STREAM)?);
    edits.before(
        0,
        [
            I::LocalGet(file),
            I::I32Load8U(memory(FLAGS, 0)),
            I::I32Const(APPEND),
            I::I32And,
            I::If(BlockType::Empty),
            I::LocalGet(file),
            I::Call(seek_end),
            I::I32Const(0),
            I::I32LtS,
            I::If(BlockType::Empty),
            I::I32Const(-1),
            I::Return,
            I::End,
            I::End,
        ],
    );
    Some(())
}

/// Closes the streams of the file if there is this one, which has a position of its own.
fn forget_streams(site: &Site<'_>, stream: u64) -> Option<[I<'static>; 6]> {
    let file = 0;
    let close = (site.function)("file_close_streams")?;
    Some([
        I::LocalGet(file),
        I::I32Load(memory(stream, 2)),
        I::If(BlockType::Empty),
        I::LocalGet(file),
        I::Call(close),
        I::End,
    ])
}

/// Reads nothing where reading fails. The C library copies and frees the bytes that it did not get, whose address and length are
/// whatever is on the stack.
pub(super) fn reading_at(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const BYTES: u64 = 16;
    let frame = 4;
    let ready = site.nth(0, |operator| matches!(operator, O::GlobalSet { .. }))?;
    edits.before(ready + 1, [I::LocalGet(frame), I::I64Const(0), I::I64Store(memory(BYTES, 2))]);
    Some(())
}

/// Writes at the end of a file that was opened to append, as Linux does, and leaves the position where it is.
pub(super) fn writing_at(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const GET_FILE: u64 = 20;
    let (descriptor, bytes, length, offset, entry, file, written) = (0, 1, 2, 3, 4, 5, 6);
    let lookup = (site.function)("descriptor_table_get_ref")?;
    let write = (site.function)("write")?;
    let close = (site.function)("file_close_streams")?;
    edits.before(
        0,
        [
            I::LocalGet(descriptor),
            I::Call(lookup),
            I::LocalTee(entry),
            I::If(BlockType::Empty),
            I::LocalGet(entry),
            I::I32Load(memory(4, 2)),
            I::I32Load(memory(GET_FILE, 2)),
            I::If(BlockType::Empty),
            I::LocalGet(entry),
            I::I32Load(memory(0, 2)),
            I::LocalTee(file),
            I::I32Load8U(memory(FLAGS, 0)),
            I::I32Const(APPEND),
            I::I32And,
            I::LocalGet(offset),
            I::I64Const(0),
            I::I64GeS,
            I::I32And,
            I::If(BlockType::Empty),
            I::LocalGet(file),
            I::I64Load(memory(POSITION, 3)),
            I::LocalSet(offset),
            I::LocalGet(descriptor),
            I::LocalGet(bytes),
            I::LocalGet(length),
            I::Call(write),
            I::LocalSet(written),
            I::LocalGet(file),
            I::LocalGet(offset),
            I::I64Store(memory(POSITION, 3)),
            I::LocalGet(file),
            I::Call(close),
            I::LocalGet(written),
            I::Return,
            I::End,
            I::End,
            I::End,
        ],
    );
    Some(())
}
