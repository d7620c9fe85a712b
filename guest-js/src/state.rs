//! The few things that a run keeps outside of the engine.

use std::cell::{Cell, RefCell};

thread_local! {
    static LIVE: Cell<bool> = const { Cell::new(false) };
    static ENDED: Cell<bool> = const { Cell::new(false) };
    static TICKS_WANTED: Cell<bool> = const { Cell::new(false) };
    static TURNS_WANTED: Cell<bool> = const { Cell::new(false) };
    static END_WANTED: Cell<bool> = const { Cell::new(false) };
    static FILENAME: RefCell<String> = const { RefCell::new(String::new()) };
    static EXIT_CODE: Cell<i32> = const { Cell::new(0) };
}

/// Whether there is a host: no import may be called while the snapshot is made.
pub(crate) fn live() -> bool {
    LIVE.get()
}

/// Says that a run begins.
pub(crate) fn begin() {
    LIVE.set(true);
    ENDED.set(false);
    TICKS_WANTED.set(false);
    TURNS_WANTED.set(false);
    END_WANTED.set(false);
    EXIT_CODE.set(0);
}

/// What tracebacks call the program.
pub(crate) fn set_filename(filename: &str) {
    FILENAME.set(filename.to_owned());
}

/// What tracebacks call the program.
pub(crate) fn filename() -> String {
    FILENAME.with_borrow(Clone::clone)
}

/// Says that the program listens for its own end, or for errors that nothing catches.
pub(crate) fn want_end() {
    END_WANTED.set(true);
}

/// Whether it does.
pub(crate) fn end_wanted() -> bool {
    END_WANTED.get()
}

/// Says that the program has ended itself.
pub(crate) fn end(exit_code: i32) {
    EXIT_CODE.set(exit_code);
    ENDED.set(true);
}

/// Whether the program has ended itself.
pub(crate) fn ended() -> bool {
    ENDED.get()
}

/// What a run without an exception ends with.
pub(crate) fn exit_code() -> i32 {
    EXIT_CODE.get()
}

/// What the program wants that to be.
pub(crate) fn set_exit_code(exit_code: i32) {
    EXIT_CODE.set(exit_code);
}

/// Says that `process.nextTick` has something to call.
pub(crate) fn want_ticks() {
    TICKS_WANTED.set(true);
}

/// Whether it has. Who asks is about to do it.
pub(crate) fn take_ticks_wanted() -> bool {
    TICKS_WANTED.replace(false)
}

/// Says that something waits outside of the engine's own queue: a timer, a request.
pub(crate) fn want_turns() {
    TURNS_WANTED.set(true);
}

/// Whether there may be something.
pub(crate) fn turns_wanted() -> bool {
    TURNS_WANTED.get()
}
