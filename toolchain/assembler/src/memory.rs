//! The initial memory of a module.

use std::ops::Range;

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{ConstExpr, DataSection};
use wasmparser::{BinaryReader, Data, DataKind, DataSectionReader, Operator};

/// Maximum size of the initial memory in bytes, above that of any interpreter.
const SIZE_LIMIT: usize = 1 << 30;

/// The initial memory of a module, before any code runs.
pub(crate) struct Memory {
    /// The address ranges of the data segments, in order.
    segments: Vec<Range<usize>>,
    pub(crate) bytes: Vec<u8>,
}

impl Memory {
    /// Reads the data section of a module.
    pub(crate) fn read(section: &[u8]) -> Result<Self> {
        let mut found = Vec::new();
        for segment in DataSectionReader::new(BinaryReader::new(section, 0))? {
            let segment = segment?;
            found.push((address(&segment)?, segment.data));
        }
        let end = found.iter().map(|(start, data)| start + data.len()).max().unwrap_or_default();
        ensure!(end <= SIZE_LIMIT, "the initial memory is {end} bytes long, more than {SIZE_LIMIT}");
        let mut bytes = vec![0; end];
        for (start, data) in &found {
            bytes[*start..start + data.len()].copy_from_slice(data);
        }
        Ok(Self { segments: found.into_iter().map(|(start, data)| start..start + data.len()).collect(), bytes })
    }

    /// Returns the address of the only occurrence of `wanted`.
    pub(crate) fn find_unique(&self, wanted: &[u8]) -> Result<usize> {
        let mut places = self.bytes.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
        let (place, _) = places.next().context("the memory does not contain the expected bytes")?;
        ensure!(places.next().is_none(), "the memory contains the expected bytes twice");
        Ok(place)
    }

    /// Overwrites bytes at an address behind the start of the first segment.
    pub(crate) fn set(&mut self, place: usize, bytes: &[u8]) -> Result<()> {
        let end = place + bytes.len();
        self.bytes.get_mut(place..end).context("the address is beyond the initial memory")?.copy_from_slice(bytes);
        // Zeros between two segments belong to neither, so the segment before the address grows.
        let nearest =
            self.segments.iter_mut().filter(|segment| segment.start <= place).max_by_key(|segment| segment.start);
        let nearest = nearest.context("no segment starts before the address")?;
        nearest.end = nearest.end.max(end);
        Ok(())
    }

    /// Returns a data section with the same number of segments, because the data count section states that number.
    pub(crate) fn section(&self) -> Result<DataSection> {
        let mut output = DataSection::new();
        for segment in &self.segments {
            let mut now = &self.bytes[segment.clone()];
            // Memory is zero initially, so trailing zeros need no bytes.
            while let [rest @ .., 0] = now {
                now = rest;
            }
            output.active(0, &ConstExpr::i32_const(u32::try_from(segment.start)?.cast_signed()), now.iter().copied());
        }
        Ok(output)
    }
}

fn address(segment: &Data<'_>) -> Result<usize> {
    let DataKind::Active { memory_index: 0, offset_expr } = &segment.kind else {
        anyhow::bail!("a data segment is passive or belongs to another memory");
    };
    match offset_expr.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(usize::try_from(value.cast_unsigned())?),
        other => anyhow::bail!("the address of a data segment is not a constant: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_between_two_segments_are_kept() {
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
        assert_eq!((memory.find_unique(&[7]).unwrap(), memory.find_unique(&[0]).is_err()), (12, true));
    }
}
