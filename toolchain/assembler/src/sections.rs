//! Taking binaries apart, for those that change one section and copy the rest.

use anyhow::{Context as _, Result};
use wasmparser::Parser;

/// The sections of a module or component, and nothing of what is inside of them.
pub(crate) fn sections(binary: &[u8]) -> Result<Vec<(u8, &[u8])>> {
    let (mut found, mut done) = (Vec::new(), 0);
    for payload in Parser::new(0).parse_all(binary) {
        let Some((id, range)) = payload?.as_section().filter(|(_, range)| range.start >= done) else { continue };
        done = range.end;
        let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
        found.push((id, binary.get(range).context("a section is cut off")?));
    }
    Ok(found)
}
