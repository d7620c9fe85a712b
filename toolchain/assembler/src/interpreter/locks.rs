//! Locks of files, which the C library and SQLite of this build lack.

use wasm_encoder::{BlockType, Instruction as I};
use wasmparser::Operator as O;

use super::edits::{Edits, Site, memory};

/// Replaces the file locking of SQLite. This build locks a file by creating a directory beside it, which excludes even other
/// readers. The methods of Linux track all connections of the process.
pub(super) fn of_databases(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
    let posix_methods = 3_105_640;
    let methods = site.nth(0, |operator| matches!(operator, O::I32Const { value: 3_106_180 }))?;
    edits.instead(methods, [I::I32Const(posix_methods)]);
    Some(())
}

/// Adds file locks to `fcntl`, which the C library and WASI lack. The patch passes a lock request to the adapter as advice
/// about an impossible byte range (`guest-adapter/src/filesystem/lock.rs`). It never waits: if the lock is not available,
/// `fcntl` fails with `EAGAIN` and the program may retry.
pub(super) fn of_files(site: &Site<'_>, edits: &mut Edits) -> Option<()> {
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
