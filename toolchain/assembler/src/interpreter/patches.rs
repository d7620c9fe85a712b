//! The patches and the reasons for them.

use wasm_encoder::{BlockType, Instruction as I, MemArg};
use wasmparser::Operator as O;

use super::edits::{Edits, Site};

/// A patch of one function.
pub(super) struct Patch {
    pub(super) function: &'static str,
    /// The start of the SHA-256 digest of its code, in hexadecimal.
    pub(super) digest: &'static str,
    /// Adds the edits. Returns `None` if the code is unfamiliar.
    pub(super) change: fn(&Site<'_>, &mut Edits) -> Option<()>,
}

/// All patches.
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

/// Maximum nesting depth of deallocations before CPython defers the next one (CPython: `Py_TRASHCAN`). A deallocation takes
/// some hundred bytes of the stack.
const DEPTH_LIMIT: i32 = 100;

fn memory(offset: u64, align: u32) -> MemArg {
    MemArg { offset, align, memory_index: 0 }
}

/// CPython defers deeply nested deallocations, but measures the depth by the stack in linear memory, which deallocators hardly
/// use; the separate stack of WebAssembly overflows first. So the patch counts the depth and reports it as used stack: the
/// stack margin is at most `DEPTH_LIMIT` minus the depth.
fn freeing(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let depth = site.depth;
    // `(stack pointer - soft limit) >> 13`.
    let margin = site.nth(0, |operator| matches!(operator, O::I32ShrS))?;
    let (margin_value, depth_margin) = (8, 9);
    edits.locals = 2;
    edits.before(
        margin + 1,
        [
            I::LocalTee(margin_value),
            I::I32Const(DEPTH_LIMIT),
            I::GlobalGet(depth),
            I::I32Sub,
            I::LocalTee(depth_margin),
            I::LocalGet(margin_value),
            I::LocalGet(depth_margin),
            I::I32LtS,
            I::Select,
        ],
    );
    // `(*dealloc)(op)` with its two arguments. CPython frees deferred objects after it, at the same depth.
    let call = site.nth(2, |operator| matches!(operator, O::CallIndirect { .. }))?;
    edits.before(call - 2, [I::GlobalGet(depth), I::I32Const(1), I::I32Add, I::GlobalSet(depth)]);
    let end = site.operators.len() - 1;
    edits.before(end, [I::GlobalGet(depth), I::I32Const(1), I::I32Sub, I::GlobalSet(depth)]);
    Some(())
}

/// Gives an `OSError` the number and text of Linux. All other parts of the interpreter use the numbers of WASI.
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

/// Compares the number of an `OSError` with `EINTR` of Linux, to detect interrupted calls.
fn interruptions(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let compared = site.nth(0, |operator| matches!(operator, O::I32Const { value: 27 }))?;
    edits.instead(compared, [I::I32Const(4)]);
    Some(())
}

/// Adds permission bits, which WASI lacks: the program may read and write files, and enter directories.
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

/// Clamps bounds of `itertools.islice` to the largest `Py_ssize_t` instead of raising an exception.
fn long_slices(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    for call in site.calls("PyNumber_AsSsize_t") {
        // The argument is the exception to raise; without one, CPython clamps the number.
        edits.before(call, [I::Drop, I::I32Const(0)]);
    }
    Some(())
}

/// Accepts the modifiers `localtime` and `utc` in date functions of SQLite, which this build lacks. The local time is UTC,
/// so they change nothing.
fn local_time(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let (count, text, place) = (1, 9, 12);
    let compare = (site.function)("sqlite3_stricmp")?;
    // The position after `if (z == 0) return 1` in the loop over modifiers.
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

/// Replaces the file locking of SQLite. This build locks a file by creating a directory beside it, which excludes even other
/// readers. The methods of Linux track all connections of the process.
fn locks_of_databases(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let posix_methods = 3_105_640;
    let methods = site.nth(0, |operator| matches!(operator, O::I32Const { value: 3_106_180 }))?;
    edits.instead(methods, [I::I32Const(posix_methods)]);
    Some(())
}

/// Adds file locks to `fcntl`, which the C library and WASI lack. The patch passes a lock request to the adapter as advice
/// about an impossible byte range (`guest-adapter/src/filesystem/lock.rs`). It never waits: if the lock is not available,
/// `fcntl` fails with `EAGAIN` and the program may retry.
fn locks_of_files(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const GET: i32 = 12;
    const SET_AND_WAIT: i32 = 14;
    const UNLOCKED: i32 = 2;
    const LOCK_REQUEST: i64 = 1 << 62;
    /// The number of lock kinds, which the patch adds to the kind for a test.
    const TEST_ONLY: i32 = 3;
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
            I::I64Const(LOCK_REQUEST),
            I::I64Or,
            I::LocalGet(lock),
            I::I64Load(memory(16, 3)),
            I::LocalGet(lock),
            I::I32Load16U(memory(0, 1)),
            I::I32Const(TEST_ONLY),
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
            // The adapter does not return the conflicting lock, so the structure keeps the requested one.
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
