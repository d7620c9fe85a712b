//! Positions of compiled programs in their source. `prelude/errors.js` requests them for each frame of a stack.

use std::cell::RefCell;

use rquickjs::{Array, Ctx, Function, Object, Result};

use super::compile::Map;
use crate::text::Text;

/// Line and column of the compiled program, then of the source. All from 0, columns in UTF-16 units.
type Place = [u32; 4];

thread_local! {
    /// By the name of the program; a session may have several.
    static PLACES: RefCell<Vec<(String, Vec<Place>)>> = const { RefCell::new(Vec::new()) };
}

/// Removes the positions of a program, which is now run without compilation.
pub(crate) fn forget(filename: &str) {
    PLACES.with_borrow_mut(|places| places.retain(|(name, _)| name != filename));
}

/// Stores the positions of a compiled program in `code`.
pub(super) fn keep(filename: &str, code: &str, mut map: Map) {
    map.sort_by_key(|(position, _)| position.0);
    let mut found = Vec::with_capacity(map.len());
    let (mut at, mut line, mut column) = (0, 0, 0);
    for (position, compiled) in map {
        let position = position.0 as usize;
        let Some(passed) = code.get(at..position) else { continue };
        for character in passed.chars() {
            (line, column) =
                if character == '\n' { (line + 1, 0) } else { (line, column + character.len_utf16() as u32) };
        }
        at = position;
        found.push([compiled.line, compiled.col, line, column]);
    }
    found.sort_unstable();
    PLACES.with_borrow_mut(|places| places.push((filename.to_owned(), found)));
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("originalPlace", Function::new(ctx.clone(), original)?)
}

/// Returns line and column in the source, from 1; `None` if the program was not compiled.
pub(crate) fn source_place(filename: &str, line: u32, column: u32) -> Option<[u32; 2]> {
    PLACES.with_borrow(|places| {
        let (_, places) = places.iter().find(|(name, _)| name == filename)?;
        let (line, column) = (line.saturating_sub(1), column.saturating_sub(1));
        let behind = places.partition_point(|place| (place[0], place[1]) <= (line, column));
        let nearest = places.get(behind.saturating_sub(1))?;
        Some([nearest[2] + 1, nearest[3] + 1])
    })
}

/// The same for `prelude/errors.js`.
fn original<'js>(ctx: Ctx<'js>, filename: Text<'js>, line: u32, column: u32) -> Result<Option<Array<'js>>> {
    let Some(place) = source_place(&filename, line, column) else { return Ok(None) };
    let pair = Array::new(ctx)?;
    for (index, part) in place.into_iter().enumerate() {
        pair.set(index, part)?;
    }
    Ok(Some(pair))
}
