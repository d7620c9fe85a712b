//! The patch table: numbers and texts that `guest-python/isolette/linux_errors.py` stores in the initial memory of the image.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::SectionId;

use crate::{memory::Memory, sections::sections};

/// The bytes at the start of the table.
const MARK: &[u8] = b"what the patches need:";

/// The date modifiers of SQLite that change nothing if the local time is UTC.
const MODIFIERS: [&str; 2] = ["localtime\0", "utc\0"];

/// The addresses of the parts of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    modifiers: u32,
    blocks: u32,
    errors: u32,
}

/// The bytes for the lists of free blocks, which `guest-python/isolette/linux_errors.py` leaves, and their alignment.
const BLOCKS: usize = 144;
const ALIGNMENT: u32 = 8;

impl Table {
    /// Finds the table in the initial memory of modules.
    pub(super) fn find<'a>(modules: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut found = Vec::new();
        for module in modules {
            for (id, data) in sections(module)? {
                // The data segments of a library have no constant address, and contain nothing of the running interpreter.
                let Some(memory) = (id == u8::from(SectionId::Data)).then(|| Memory::read(data).ok()).flatten() else {
                    continue;
                };
                if contains(&memory.bytes, MARK) {
                    found.push(memory.find_unique(&[MARK, MODIFIERS.concat().as_bytes()].concat())? + MARK.len());
                }
            }
        }
        ensure!(found.len() == 1, "{} modules have a patch table, expected 1", found.len());
        let start = u32::try_from(found.pop().context("no module has a patch table")?)?;
        let blocks = start + u32::try_from(MODIFIERS.concat().len())?;
        Ok(Self {
            modifiers: start,
            blocks: blocks.next_multiple_of(ALIGNMENT),
            errors: blocks + u32::try_from(BLOCKS)?,
        })
    }

    /// Returns the addresses of the names of the modifiers, which end with a zero byte.
    pub(super) fn modifiers(self) -> [u32; 2] {
        const FIRST: u32 = "localtime\0".len() as u32;
        [self.modifiers, self.modifiers + FIRST]
    }

    /// Returns the address of a text without characters.
    pub(super) fn empty_text(self) -> u32 {
        const LAST: u32 = "utc".len() as u32;
        self.modifiers()[1] + LAST
    }

    /// Returns the address of 17 pairs of numbers, which are zero: for each size of block, in units of 16 bytes, the first free one
    /// and the bytes of all.
    pub(super) fn blocks(self) -> u32 {
        self.blocks
    }

    /// Returns the address of 128 entries, one for each error number of WASI. An entry consists of the error number of
    /// Linux and the offset of its text from this address, 16 bits each.
    pub(super) fn errors(self) -> u32 {
        self.errors
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
