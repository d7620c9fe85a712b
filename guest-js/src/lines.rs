//! The line of the program that makes a call, for the records of the host.

use std::cell::Cell;

use rquickjs::Ctx;

use crate::{bindings::isolette::sandbox::system, engine, state, typescript};

thread_local! {
    /// What the host was told last.
    static TOLD: Cell<u32> = const { Cell::new(0) };
}

/// Called before each program.
pub(crate) fn begin() {
    TOLD.set(0);
}

/// Tells the host which line of the program is running. To be called before each call of the host.
pub(crate) fn note(ctx: &Ctx<'_>) {
    let line = state::with_filename(|filename| {
        let (line, column) = engine::place_in(ctx, filename)?;
        Some(typescript::source_place(filename, line, column).map_or(line, |[line, _]| line))
    });
    let line = line.unwrap_or(0);
    if TOLD.replace(line) != line {
        system::at_line(line);
    }
}
