//! Splits binaries into sections, so that a caller can change one section and copy the others.

use anyhow::{Context as _, Result};
use wasmparser::Parser;

/// Returns the top-level sections of a module or component: the id and the contents of each.
pub(crate) fn sections(binary: &[u8]) -> Result<Vec<(u8, &[u8])>> {
    let (mut found, mut done) = (Vec::new(), 0);
    for payload in Parser::new(0).parse_all(binary) {
        let Some((id, range)) = payload?.as_section().filter(|(_, range)| range.start >= done) else { continue };
        done = range.end;
        let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
        found.push((id, binary.get(range).context("a section is truncated")?));
    }
    Ok(found)
}
