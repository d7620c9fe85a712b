//! The line of the program that makes a call, for the records of the host.

use std::cell::Cell;

use rquickjs::Ctx;

use crate::{bindings::isolette::sandbox::system, engine, state, typescript};

thread_local! {
    /// The line that the host was sent last.
    static SENT: Cell<u32> = const { Cell::new(0) };
}

/// Called before each program.
pub(crate) fn begin() {
    SENT.set(0);
}

/// Tells the host which line of the program is running. To be called before each call of the host.
pub(crate) fn note(ctx: &Ctx<'_>) {
    let line = state::with_filename(|filename| {
        let (line, column) = engine::place_in(ctx, filename)?;
        Some(typescript::source_place(filename, line, column).map_or(line, |[line, _]| line))
    });
    let line = line.unwrap_or(0);
    if SENT.replace(line) != line {
        system::at_line(line);
    }
}
