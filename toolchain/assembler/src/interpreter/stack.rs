//! A larger stack for the interpreter.
//!
//! componentize-py reserves 1 MiB, which limits how deep a program can recurse through C functions. The new stack lies
//! behind all other initial memory, which the allocator of the interpreter does not use.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{
    ConstExpr, GlobalSection, GlobalType, MemorySection, MemoryType, Module, RawSection, SectionId, ValType,
};
use wasmparser::{BinaryReader, ExportSectionReader, ExternalKind, GlobalSectionReader, MemorySectionReader, Operator};

use crate::{memory::Memory, sections::sections};

/// Size of the new stack in bytes.
const STACK: u32 = 4 << 20;
const OLD_STACK: u32 = 1 << 20;
const PAGE: u32 = 64 << 10;

/// Remaining bytes of the stack at which CPython raises `RecursionError`, and at which it aborts
/// (`_Py_InitializeRecursionLimits`).
const OLD_LIMITS: [u32; 2] = [16 << 10, 8 << 10];

/// The limits for the new stack. Other memory lies below the new stack, so code that does not check the limit has this margin,
/// instead of 16 KiB, before it overwrites that memory.
const LIMITS: [u32; 2] = [256 << 10, 128 << 10];

/// The export names of the globals, and whether each holds the upper end of the stack.
const GLOBALS: [(&str, bool); 3] = [("__stack_pointer", true), ("__stack_high", true), ("__stack_low", false)];

/// Returns the address on the new stack at which CPython refuses nested calls.
pub(super) fn limit<'a>(modules: impl Iterator<Item = &'a [u8]>) -> Result<u32> {
    for module in modules {
        let parts = sections(module)?;
        let part = |id: SectionId| parts.iter().find(|(found, _)| *found == u8::from(id)).map(|(_, data)| *data);
        if let (Some(exports), Some(memories)) = (part(SectionId::Export), part(SectionId::Memory))
            && places(exports)?.is_some()
        {
            return Ok(larger_memory(memories)?.1 + LIMITS[0]);
        }
    }
    anyhow::bail!("no module defines the stack of the interpreter")
}

/// Returns the module with a larger stack, or `None` if the module does not define the stack.
pub(super) fn enlarged(module: &[u8]) -> Result<Option<Vec<u8>>> {
    let parts = sections(module)?;
    let part = |id: SectionId| parts.iter().find(|(found, _)| *found == u8::from(id)).map(|(_, data)| *data);
    let (Some(exports), Some(globals), Some(memories), Some(data)) =
        (part(SectionId::Export), part(SectionId::Global), part(SectionId::Memory), part(SectionId::Data))
    else {
        return Ok(None);
    };
    let Some(places) = places(exports)? else { return Ok(None) };
    let (memory, bottom) = larger_memory(memories)?;
    let globals = moved(globals, places, bottom)?;
    let mut contents = Memory::read(data)?;
    let words = |words: [u32; 3]| words.map(u32::to_le_bytes).concat();
    let bounds = contents.find_unique(&words([OLD_STACK, OLD_LIMITS[0], OLD_LIMITS[1]]));
    let bounds = bounds.context("cannot find the stack bounds of CPython")?;
    contents.set(bounds, &words([bottom + STACK, bottom + LIMITS[0], bottom + LIMITS[1]]))?;
    let data = contents.section()?;
    let mut output = Module::new();
    for (id, data_before) in parts {
        match id {
            id if id == u8::from(SectionId::Memory) => output.section(&memory),
            id if id == u8::from(SectionId::Global) => output.section(&globals),
            id if id == u8::from(SectionId::Data) => output.section(&data),
            id => output.section(&RawSection { id, data: data_before }),
        };
    }
    Ok(Some(output.finish()))
}

/// Returns the indices of the globals if the module exports all of them.
fn places(exports: &[u8]) -> Result<Option<[u32; 3]>> {
    let mut places = [None; 3];
    for export in ExportSectionReader::new(BinaryReader::new(exports, 0))? {
        let export = export?;
        if let Some(known) = GLOBALS.iter().position(|(name, _)| *name == export.name)
            && export.kind == ExternalKind::Global
        {
            places[known] = Some(export.index);
        }
    }
    let [Some(pointer), Some(high), Some(low)] = places else { return Ok(None) };
    Ok(Some([pointer, high, low]))
}

/// Returns the memory section with room for the stack, and the address of the stack.
fn larger_memory(section: &[u8]) -> Result<(MemorySection, u32)> {
    let mut memories = MemorySectionReader::new(BinaryReader::new(section, 0))?.into_iter();
    let memory = memories.next().context("the module has no memory")??;
    ensure!(
        memories.next().is_none() && memory.maximum.is_none() && !memory.memory64,
        "the module has an unfamiliar memory section"
    );
    let bottom = u32::try_from(memory.initial)? * PAGE;
    let mut output = MemorySection::new();
    output.memory(MemoryType {
        minimum: memory.initial + u64::from(STACK / PAGE),
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    Ok((output, bottom))
}

/// Returns the global section with the new addresses of the stack.
fn moved(section: &[u8], places: [u32; 3], bottom: u32) -> Result<GlobalSection> {
    let mut output = GlobalSection::new();
    for (index, global) in (0..).zip(GlobalSectionReader::new(BinaryReader::new(section, 0))?) {
        let global = global?;
        let Operator::I32Const { value } = global.init_expr.get_operators_reader().read()? else {
            anyhow::bail!("a global of the module with the stack is not a constant number");
        };
        let value = match places.iter().position(|place| *place == index) {
            None => value.cast_unsigned(),
            Some(known) => {
                let is_end = GLOBALS[known].1;
                let expected = if is_end { OLD_STACK } else { 0 };
                ensure!(value.cast_unsigned() == expected, "{} is {value}, expected {expected}", GLOBALS[known].0);
                if is_end { bottom + STACK } else { bottom }
            }
        };
        let kind = GlobalType { val_type: ValType::I32, mutable: global.ty.mutable, shared: false };
        output.global(kind, &ConstExpr::i32_const(value.cast_signed()));
    }
    Ok(output)
}
