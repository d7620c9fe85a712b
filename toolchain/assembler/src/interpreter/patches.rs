//! What is patched, and why.

use wasm_encoder::{BlockType, Instruction as I, MemArg};
use wasmparser::Operator as O;

use super::edits::{Edits, Site};

/// A change of one function.
pub(super) struct Patch {
    pub(super) function: &'static str,
    /// How the SHA-256 of its code begins.
    pub(super) digest: &'static str,
    /// Nothing if the code is not what it is known to be.
    pub(super) change: fn(&Site<'_>, &mut Edits) -> Option<()>,
}

/// All of them.
pub(super) const PATCHES: [Patch; 8] = [
    Patch { function: "_Py_Dealloc", digest: "b1ea6d7c7c15616f", change: freeing },
    Patch { function: "PyErr_SetFromErrnoWithFilenameObjects", digest: "7ed33241c9a3a798", change: error_numbers },
    Patch { function: "_PyIO_trap_eintr", digest: "c955a4de93b33bbc", change: interruptions },
    Patch { function: "_pystat_fromstructstat", digest: "d931a87b0e054832", change: permissions },
    Patch { function: "islice_new", digest: "bcba81ade05c3e43", change: long_slices },
    Patch { function: "isDate", digest: "1a9184f783b8d72d", change: local_time },
    Patch { function: "dotlockIoFinderImpl", digest: "c9d410f8cbea73d7", change: locks_of_databases },
    Patch { function: "fcntl", digest: "4ce990ed10122bb7", change: locks_of_files },
];

/// So many objects may be freed within one another, before the next has to wait (CPython: `Py_TRASHCAN`). A freed object
/// takes some hundred bytes of the stack.
const DEEPEST: i32 = 100;

fn memory(offset: u64, align: u32) -> MemArg {
    MemArg { offset, align, memory_index: 0 }
}

/// CPython lets objects wait that are freed deep within others, but judges depth by the stack in memory, which functions
/// that free things hardly use: what runs out is the stack that WebAssembly has besides. So depth is counted, and taken for
/// a lack of stack: what is left of it counts as at most `DEEPEST` less the depth.
fn freeing(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let depth = site.depth;
    // `(stack pointer - soft limit) >> 13`.
    let margin = site.nth(0, |operator| matches!(operator, O::I32ShrS))?;
    let (left, rest) = (8, 9);
    edits.locals = 2;
    edits.before(
        margin + 1,
        [
            I::LocalTee(left),
            I::I32Const(DEEPEST),
            I::GlobalGet(depth),
            I::I32Sub,
            I::LocalTee(rest),
            I::LocalGet(left),
            I::LocalGet(rest),
            I::I32LtS,
            I::Select,
        ],
    );
    // `(*dealloc)(op)`, with its two arguments; what waits is freed after it, within the same depth.
    let call = site.nth(2, |operator| matches!(operator, O::CallIndirect { .. }))?;
    edits.before(call - 2, [I::GlobalGet(depth), I::I32Const(1), I::I32Add, I::GlobalSet(depth)]);
    let end = site.operators.len() - 1;
    edits.before(end, [I::GlobalGet(depth), I::I32Const(1), I::I32Sub, I::GlobalSet(depth)]);
    Some(())
}

/// The number and the text of an `OSError` are Linux's. Every other part of the interpreter goes on with WASI's.
fn error_numbers(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let (number, entry) = (4, 7);
    let errors = site.table.errors().cast_signed();
    let call = site.calls("strerror").next()?;
    edits.locals = 1;
    edits.instead(
        call,
        [
            I::I32Const(127),
            I::I32And,
            I::I32Const(2),
            I::I32Shl,
            I::I32Const(errors),
            I::I32Add,
            I::LocalTee(entry),
            I::I32Load16U(memory(0, 0)),
            I::LocalSet(number),
            I::LocalGet(entry),
            I::I32Load16U(memory(2, 0)),
            I::I32Const(errors),
            I::I32Add,
        ],
    );
    Some(())
}

/// Asks an `OSError` whether a call was interrupted (`EINTR`), by Linux's number.
fn interruptions(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let compared = site.nth(0, |operator| matches!(operator, O::I32Const { value: 27 }))?;
    edits.instead(compared, [I::I32Const(4)]);
    Some(())
}

/// WASI knows no permissions. Files are the program's own, to read and write, and directories to enter as well.
fn permissions(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let mode = site.calls("PyLong_FromLong").next()?;
    edits.locals = 1;
    let kind = 5;
    edits.before(
        mode,
        [
            I::LocalTee(kind),
            I::I32Const(0o755),
            I::I32Const(0o644),
            I::LocalGet(kind),
            I::I32Const(0o170_000),
            I::I32And,
            I::I32Const(0o040_000),
            I::I32Eq,
            I::Select,
            I::I32Or,
        ],
    );
    Some(())
}

/// Bounds of `itertools.islice` that are too large to be counted are as good as the largest that can be.
fn long_slices(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    for call in site.calls("PyNumber_AsSsize_t") {
        // The exception to raise; without one, the number is cut to what can be counted.
        edits.before(call, [I::Drop, I::I32Const(0)]);
    }
    Some(())
}

/// The date functions of SQLite know no local time in this build. It is UTC, so the modifiers change nothing.
fn local_time(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let (count, text, place) = (1, 9, 12);
    let compare = (site.function)("sqlite3_stricmp")?;
    // What follows `if (z == 0) return 1`, in the loop over modifiers.
    let start = site.operators.windows(4).position(|around| {
        matches!(around, [O::LocalGet { local_index: 9 }, O::I32Eqz, O::BrIf { relative_depth: 2 }, O::Block { .. },])
    })? + 3;
    let [local, universal] = site.table.modifiers().map(u32::cast_signed);
    edits.before(
        start,
        [
            I::LocalGet(text),
            I::I32Const(local),
            I::Call(compare),
            I::I32Eqz,
            I::LocalGet(text),
            I::I32Const(universal),
            I::Call(compare),
            I::I32Eqz,
            I::I32Or,
            I::If(BlockType::Empty),
            I::LocalGet(place),
            I::I32Const(1),
            I::I32Add,
            I::LocalTee(place),
            I::LocalGet(count),
            I::I32Ne,
            I::BrIf(1),
            I::Br(2),
            I::End,
        ],
    );
    Some(())
}

/// SQLite locks files here by making a directory beside them, which one connection can do and no other, not even to read. It
/// gets the methods of files on Linux, which know all connections of the process.
fn locks_of_databases(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let posix_methods = 3_105_640;
    let methods = site.nth(0, |operator| matches!(operator, O::I32Const { value: 3_106_180 }))?;
    edits.instead(methods, [I::I32Const(posix_methods)]);
    Some(())
}

/// The C library knows no locks, and WASI has none. What is asked of `fcntl` goes to the adapter as advice about bytes that no
/// file has, with which nothing else is ever done (`guest-adapter/src/filesystem/lock.rs`). It never waits: a lock that is
/// not to be had is `EAGAIN`, to be asked for again.
fn locks_of_files(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const GET: i32 = 12;
    const SET_AND_WAIT: i32 = 14;
    const UNLOCKED: i32 = 2;
    const NO_ADVICE_ABOUT_BYTES: i64 = 1 << 62;
    /// How many kinds of locks there are.
    const ONLY_TRIED: i32 = 3;
    const TRY_AGAIN: i32 = 6;
    let (descriptor, command, arguments, lock, error) = (0, 1, 2, 4, 5);
    let advise = (site.function)("posix_fadvise")?;
    // `errno = EINVAL`
    let number = site.operators.windows(3).find_map(|around| match around {
        [O::GlobalGet { global_index }, O::I32Const { value: 28 }, O::I32Store { .. }] => Some(*global_index),
        _ => None,
    })?;
    edits.locals = 2;
    edits.before(
        0,
        [
            I::LocalGet(command),
            I::I32Const(GET),
            I::I32Sub,
            I::I32Const(SET_AND_WAIT - GET),
            I::I32LeU,
            I::If(BlockType::Empty),
            I::LocalGet(descriptor),
            I::LocalGet(arguments),
            I::I32Load(memory(0, 2)),
            I::LocalTee(lock),
            I::I64Load(memory(8, 3)),
            I::I64Const(NO_ADVICE_ABOUT_BYTES),
            I::I64Or,
            I::LocalGet(lock),
            I::I64Load(memory(16, 3)),
            I::LocalGet(lock),
            I::I32Load16U(memory(0, 1)),
            I::I32Const(ONLY_TRIED),
            I::I32Const(0),
            I::LocalGet(command),
            I::I32Const(GET),
            I::I32Eq,
            I::Select,
            I::I32Add,
            I::Call(advise),
            I::LocalSet(error),
            I::LocalGet(command),
            I::I32Const(GET),
            I::I32Eq,
            I::If(BlockType::Empty),
            // What stands in the way is not known any better than what was asked for.
            I::LocalGet(error),
            I::I32Eqz,
            I::If(BlockType::Empty),
            I::LocalGet(lock),
            I::I32Const(UNLOCKED),
            I::I32Store16(memory(0, 1)),
            I::End,
            I::LocalGet(error),
            I::I32Const(0),
            I::LocalGet(error),
            I::I32Const(TRY_AGAIN),
            I::I32Ne,
            I::Select,
            I::LocalSet(error),
            I::End,
            I::LocalGet(error),
            I::If(BlockType::Empty),
            I::GlobalGet(number),
            I::LocalGet(error),
            I::I32Store(memory(0, 2)),
            I::I32Const(-1),
            I::Return,
            I::End,
            I::I32Const(0),
            I::Return,
            I::End,
        ],
    );
    Some(())
}
