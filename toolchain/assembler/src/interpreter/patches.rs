//! The patches and the reasons for them.

use wasm_encoder::{BlockType, Instruction as I};
use wasmparser::Operator as O;

use super::{
    blocks,
    edits::{Edits, Site, memory},
    files, locks,
};

/// A patch of one function.
pub(super) struct Patch {
    pub(super) function: &'static str,
    /// The start of the SHA-256 digest of its code, in hexadecimal.
    pub(super) digest: &'static str,
    /// Adds the edits. Returns `None` if the code is unfamiliar.
    pub(super) change: fn(&Site<'_>, &mut Edits) -> Option<()>,
}

/// All patches.
pub(super) const PATCHES: [Patch; 21] = [
    Patch { function: "_Py_Dealloc", digest: "b1ea6d7c7c15616f", change: freeing },
    Patch { function: "PyErr_SetFromErrnoWithFilenameObjects", digest: "7ed33241c9a3a798", change: error_numbers },
    Patch { function: "_PyIO_trap_eintr", digest: "c955a4de93b33bbc", change: interruptions },
    Patch { function: "_pystat_fromstructstat", digest: "d931a87b0e054832", change: permissions },
    Patch { function: "islice_new", digest: "bcba81ade05c3e43", change: long_slices },
    Patch { function: "isDate", digest: "1a9184f783b8d72d", change: local_time },
    Patch { function: "dotlockIoFinderImpl", digest: "c9d410f8cbea73d7", change: locks::of_databases },
    Patch { function: "fcntl", digest: "4ce990ed10122bb7", change: locks::of_files },
    Patch { function: "__wasilibc_find_relpath_alloc", digest: "654859877720c8ff", change: files::empty_paths },
    Patch { function: "file_seek", digest: "5f49e971bb2bf223", change: files::seeking },
    Patch { function: "file_get_read_stream", digest: "bfb169431f2f0087", change: files::reading },
    Patch { function: "file_get_write_stream", digest: "d39d786a4f7ff5dc", change: files::writing },
    Patch { function: "pread", digest: "bfcf2022eb32ac1c", change: files::reading_at },
    Patch { function: "pwrite", digest: "dcc6e85e054e3d0d", change: files::writing_at },
    Patch { function: "_PyCompile_ResolveNameop", digest: "6d8b109899bca49b", change: names_of_programs },
    Patch { function: "codegen_comprehension", digest: "1081831e160ed7bf", change: counted_comprehensions },
    Patch { function: "PyObject_Malloc", digest: "4128a5ed2f41577a", change: blocks::taken },
    Patch { function: "PyMem_Malloc", digest: "9d5c282ad83b06f1", change: blocks::taken },
    Patch { function: "PyObject_Free", digest: "e62746dc0f505770", change: blocks::kept },
    Patch { function: "PyMem_Free", digest: "f26e7c3b176bb488", change: blocks::kept },
    Patch { function: "_PyTraceMalloc_Start", digest: "9839abb8bdbcdf17", change: blocks::given_up },
];

/// Maximum nesting depth of deallocations before CPython defers the next one (CPython: `Py_TRASHCAN`). A deallocation takes
/// some hundred bytes of the stack.
const DEPTH_LIMIT: i32 = 100;

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

/// Finds the names of a module by the instructions for global variables, if the caller of `compile` asks for it with a flag that has
/// no meaning any more (`CO_NESTED`). In a program that is the same, and CPython remembers where a global variable is.
fn names_of_programs(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const FLAG: i32 = 0x10;
    const MODULE: i32 = 2;
    const BY_GLOBAL: i32 = 1;
    const BY_NAME: i32 = 3;
    let (compiler, kind, unit, compiler_kept) = (0, 3, 7, 11);
    // `*arg = _PyCompile_DictAddObj(dict, mangled)`
    let added = site.calls("_PyCompile_DictAddObj").next()? - 3;
    edits.locals = 1;
    edits.before(0, [I::LocalGet(compiler), I::LocalSet(compiler_kept)]);
    edits.before(
        added,
        [
            I::LocalGet(kind),
            I::I32Load(memory(0, 2)),
            I::I32Const(BY_NAME),
            I::I32Eq,
            // `compiler->u->u_ste->ste_type`
            I::LocalGet(unit),
            I::I32Load(memory(0, 2)),
            I::I32Load(memory(36, 2)),
            I::I32Const(MODULE),
            I::I32Eq,
            I::I32And,
            // `compiler->c_flags.cf_flags`
            I::LocalGet(compiler_kept),
            I::I32Load(memory(28, 2)),
            I::I32Const(FLAG),
            I::I32And,
            I::I32Const(0),
            I::I32Ne,
            I::I32And,
            I::If(BlockType::Empty),
            I::LocalGet(kind),
            I::I32Const(BY_GLOBAL),
            I::I32Store(memory(0, 2)),
            I::End,
        ],
    );
    Some(())
}

/// Counts a comprehension that is compiled into the code around it among the blocks around it, of which there can be 21, since it has a
/// handler for exceptions as they have. Later releases of CPython do the same.
fn counted_comprehensions(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    const BLOCKS: i32 = 21;
    const SETUP_FINALLY: i32 = 264;
    const POP_BLOCK: i32 = 262;
    let (compiler, stack, unit) = (0, 7, 17);
    let location = 360;
    // `compiler->u` and its `u_nfblocks`
    let (of_unit, of_count) = (memory(48, 2), memory(36, 2));
    let push = (site.function)("_PyCompile_PushFBlock")?;
    // The branch after the instruction has been added.
    let begins = site.nth(0, |operator| matches!(operator, O::I32Const { value: SETUP_FINALLY }))? + 9;
    let error = match site.operators.get(begins - 1..=begins)? {
        [O::BrIf { relative_depth }, O::Br { .. }] => *relative_depth,
        _ => return None,
    };
    edits.locals = 1;
    edits.before(
        begins,
        [
            I::LocalGet(compiler),
            I::I32Load(of_unit),
            I::LocalTee(unit),
            I::I32Load(of_count),
            I::I32Const(BLOCKS),
            I::I32GeS,
            I::If(BlockType::Empty),
            // It refuses one more block with a `SyntaxError`.
            I::LocalGet(compiler),
            I::LocalGet(stack),
            I::I32Const(location),
            I::I32Add,
            I::I32Const(0),
            I::I32Const(0),
            I::I32Const(0),
            I::I32Const(0),
            I::Call(push),
            I::Drop,
            I::Br(error + 1),
            I::End,
            I::LocalGet(unit),
            I::LocalGet(unit),
            I::I32Load(of_count),
            I::I32Const(1),
            I::I32Add,
            I::I32Store(of_count),
        ],
    );
    // The first instruction where names were pushed.
    let ends = site.nth(0, |operator| matches!(operator, O::I32Const { value: POP_BLOCK }))? - 17;
    if !matches!(site.operators.get(ends - 1)?, O::BrIf { relative_depth: 0 }) {
        return None;
    }
    edits.before(
        ends,
        [
            I::LocalGet(compiler),
            I::I32Load(of_unit),
            I::LocalTee(unit),
            I::LocalGet(unit),
            I::I32Load(of_count),
            I::I32Const(1),
            I::I32Sub,
            I::I32Store(of_count),
        ],
    );
    Some(())
}
