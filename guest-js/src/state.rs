//! The state of a run outside of the engine.

use std::cell::{Cell, RefCell};

thread_local! {
    static LIVE: Cell<bool> = const { Cell::new(false) };
    static ENDED: Cell<bool> = const { Cell::new(false) };
    static TICKS_WANTED: Cell<bool> = const { Cell::new(false) };
    static TURNS_WANTED: Cell<bool> = const { Cell::new(false) };
    static END_WANTED: Cell<bool> = const { Cell::new(false) };
    static INTERFACES_ASYNCHRONOUS: Cell<bool> = const { Cell::new(false) };
    static FILENAME: RefCell<String> = const { RefCell::new(String::new()) };
    static EXIT_CODE: Cell<i32> = const { Cell::new(0) };
}

/// Whether there is a host: no import may be called while the snapshot is made.
pub(crate) fn live() -> bool {
    LIVE.get()
}

/// Sets that a run has started.
pub(crate) fn begin() {
    LIVE.set(true);
    ENDED.set(false);
    TICKS_WANTED.set(false);
    TURNS_WANTED.set(false);
    END_WANTED.set(false);
    EXIT_CODE.set(0);
}

/// Sets whether functions of custom interfaces return promises.
pub(crate) fn set_interfaces_asynchronous(asynchronous: bool) {
    INTERFACES_ASYNCHRONOUS.set(asynchronous);
}

/// Whether functions of custom interfaces return promises.
pub(crate) fn interfaces_asynchronous() -> bool {
    INTERFACES_ASYNCHRONOUS.get()
}

/// Sets the name of the program in tracebacks.
pub(crate) fn set_filename(filename: &str) {
    FILENAME.set(filename.to_owned());
}

/// The name of the program in tracebacks.
pub(crate) fn filename() -> String {
    with_filename(ToOwned::to_owned)
}

/// Does something with the name of the program in tracebacks.
pub(crate) fn with_filename<T>(use_it: impl FnOnce(&str) -> T) -> T {
    FILENAME.with_borrow(|filename| use_it(filename))
}

/// Sets that the program listens for its exit, or for uncaught errors.
pub(crate) fn want_end() {
    END_WANTED.set(true);
}

/// Whether the program listens for its exit or for uncaught errors.
pub(crate) fn end_wanted() -> bool {
    END_WANTED.get()
}

/// Sets that the program has ended itself.
pub(crate) fn end(exit_code: i32) {
    EXIT_CODE.set(exit_code);
    ENDED.set(true);
}

/// Whether the program has ended itself.
pub(crate) fn ended() -> bool {
    ENDED.get()
}

/// The exit code of a run without an exception.
pub(crate) fn exit_code() -> i32 {
    EXIT_CODE.get()
}

/// Sets the exit code that the program requested.
pub(crate) fn set_exit_code(exit_code: i32) {
    EXIT_CODE.set(exit_code);
}

/// Sets that `process.nextTick` has callbacks.
pub(crate) fn want_ticks() {
    TICKS_WANTED.set(true);
}

/// Returns and clears whether it has callbacks. The caller runs them.
pub(crate) fn take_ticks_wanted() -> bool {
    TICKS_WANTED.replace(false)
}

/// Sets that there is work outside of the engine's own queue: a timer, a request.
pub(crate) fn want_turns() {
    TURNS_WANTED.set(true);
}

/// Whether there may be such work.
pub(crate) fn turns_wanted() -> bool {
    TURNS_WANTED.get()
}
