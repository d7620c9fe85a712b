//! What the patches need of the image: numbers and texts that `guest-python/isolette/linux_errors.py` keeps in memory.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::SectionId;

use crate::{memory::Memory, sections::sections};

/// What it begins with.
const MARK: &[u8] = b"what the patches need:";

/// How the modifiers of dates in SQLite are called that change nothing where the local time is UTC.
const MODIFIERS: [&str; 2] = ["localtime\0", "utc\0"];

/// Where it is in the memory of every sandbox.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    modifiers: u32,
    errors: u32,
}

impl Table {
    /// Looks for it in the memory that modules begin with.
    pub(super) fn find<'a>(modules: impl Iterator<Item = &'a [u8]>) -> Result<Self> {
        let mut found = Vec::new();
        for module in modules {
            for (id, data) in sections(module)? {
                // A library's is placed by what loads it, and has nothing of a running interpreter.
                let Some(memory) = (id == u8::from(SectionId::Data)).then(|| Memory::read(data).ok()).flatten() else {
                    continue;
                };
                if contains(&memory.bytes, MARK) {
                    found.push(memory.only(&[MARK, MODIFIERS.concat().as_bytes()].concat())? + MARK.len());
                }
            }
        }
        ensure!(found.len() == 1, "{} modules have it", found.len());
        let start = u32::try_from(found.pop().context("no module has it")?)?;
        Ok(Self { modifiers: start, errors: start + u32::try_from(MODIFIERS.concat().len())? })
    }

    /// Where the modifiers' names are, each with a zero at its end.
    pub(super) fn modifiers(self) -> [u32; 2] {
        const FIRST: u32 = "localtime\0".len() as u32;
        [self.modifiers, self.modifiers + FIRST]
    }

    /// Where 128 entries begin, one for each error number of WASI: Linux's number, and where its text begins, counted from
    /// here; both have 16 bits.
    pub(super) fn errors(self) -> u32 {
        self.errors
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
