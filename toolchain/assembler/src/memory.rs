//! The memory that a module begins with: pieces of it, as one.

use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{ConstExpr, DataSection};
use wasmparser::{BinaryReader, Data, DataKind, DataSectionReader, Operator};

/// More memory than any interpreter has.
const LARGEST: usize = 1 << 30;

/// What memory holds before anything runs.
pub(crate) struct Memory {
    /// Where its pieces are, in their order.
    pieces: Vec<Range<usize>>,
    pub(crate) bytes: Vec<u8>,
}

impl Memory {
    /// Takes it from a module's data section.
    pub(crate) fn read(section: &[u8]) -> Result<Self> {
        let mut found = Vec::new();
        for piece in DataSectionReader::new(BinaryReader::new(section, 0))? {
            let piece = piece?;
            found.push((address(&piece)?, piece.data));
        }
        let end = found.iter().map(|(start, data)| start + data.len()).max().unwrap_or_default();
        ensure!(end <= LARGEST, "its memory is {end} bytes long");
        let mut bytes = vec![0; end];
        for (start, data) in &found {
            bytes[*start..start + data.len()].copy_from_slice(data);
        }
        Ok(Self { pieces: found.into_iter().map(|(start, data)| start..start + data.len()).collect(), bytes })
    }

    /// The only place of these bytes.
    pub(crate) fn only(&self, wanted: &[u8]) -> Result<usize> {
        let mut places = self.bytes.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
        let (place, _) = places.next().context("its memory does not have them")?;
        ensure!(places.next().is_none(), "its memory has them twice");
        Ok(place)
    }

    /// Changes bytes that lie behind the start of the first piece.
    pub(crate) fn set(&mut self, place: usize, bytes: &[u8]) -> Result<()> {
        let end = place + bytes.len();
        self.bytes.get_mut(place..end).context("it has less memory")?.copy_from_slice(bytes);
        // Zeros between two pieces are in none of them; the one before grows.
        let nearest = self.pieces.iter_mut().filter(|piece| piece.start <= place).max_by_key(|piece| piece.start);
        let nearest = nearest.context("nothing of its memory comes before")?;
        nearest.end = nearest.end.max(end);
        Ok(())
    }

    /// A data section of as many pieces as there were, which another section may say.
    pub(crate) fn section(&self) -> Result<DataSection> {
        let mut output = DataSection::new();
        for piece in &self.pieces {
            let mut now = &self.bytes[piece.clone()];
            // Memory is zero before.
            while let [rest @ .., 0] = now {
                now = rest;
            }
            output.active(0, &ConstExpr::i32_const(u32::try_from(piece.start)?.cast_signed()), now.iter().copied());
        }
        Ok(output)
    }
}

fn address(piece: &Data<'_>) -> Result<usize> {
    let DataKind::Active { memory_index: 0, offset_expr } = &piece.kind else {
        anyhow::bail!("its memory is filled while it runs");
    };
    match offset_expr.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(usize::try_from(value.cast_unsigned())?),
        other => anyhow::bail!("the place of a piece of its memory is computed: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_between_two_pieces_is_kept() {
        let mut section = DataSection::new();
        section.active(0, &ConstExpr::i32_const(8), [1, 2]);
        section.active(0, &ConstExpr::i32_const(20), [3]);
        let mut bytes = Vec::new();
        wasm_encoder::Encode::encode(&section, &mut bytes);
        let length = 1 + usize::from(bytes[0] > 127);
        let mut memory = Memory::read(&bytes[length..]).unwrap();
        memory.set(12, &[7, 8, 9]).unwrap();
        let mut bytes = Vec::new();
        wasm_encoder::Encode::encode(&memory.section().unwrap(), &mut bytes);
        let memory = Memory::read(&bytes[length..]).unwrap();
        assert_eq!(memory.bytes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 7, 8, 9, 0, 0, 0, 0, 0, 3]);
        assert_eq!((memory.only(&[7]).unwrap(), memory.only(&[0]).is_err()), (12, true));
    }
}
