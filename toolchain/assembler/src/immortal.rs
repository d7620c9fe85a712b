//! Makes the CPython objects in the initial memory of an image immortal.
//!
//! CPython stores reference counts in the objects, so a program that only reads an object writes to its page, and each written
//! page is copied. CPython does not count references to immortal objects (PEP 683), but has no API to make an object immortal.
//! Therefore `guest-python/isolette/heap.py` writes a bitmap of object addresses to memory that becomes part of the component.
//! This module sets the reference counts and clears the bitmap. It skips addresses that do not hold an object.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{Component, ComponentSectionId, DataSection, Module, RawSection, SectionId};

use crate::{memory::Memory, sections::sections};

/// The bytes at the start of the bitmap, by which this module finds it.
const MARK: &[u8] = b"there are objects at:";

/// The length of the bitmap in bytes: one bit for each four bytes of memory.
const BITMAP_LENGTH: usize = 4 << 20;

/// The reference count of an immortal object, where counts have 32 bits (`_Py_IMMORTAL_INITIAL_REFCNT`).
const IMMORTAL: u32 = 5 << 28;

/// The maximum plausible reference count. A larger number may be the address of the next block in a free list.
const COUNT_LIMIT: u32 = 1 << 16;

/// Returns the component with the objects in the bitmap made immortal.
pub(crate) fn immortal(component: &[u8]) -> Result<Vec<u8>> {
    let mut output = Component::new();
    let mut found = 0;
    for (id, data) in sections(component)? {
        let has_bitmap = id == u8::from(ComponentSectionId::CoreModule) && position(data, MARK).is_some();
        let patched = if has_bitmap { Some(module(data)?) } else { None };
        found += usize::from(has_bitmap);
        output.section(&RawSection { id, data: patched.as_deref().unwrap_or(data) });
    }
    ensure!(found == 1, "{found} modules have a bitmap of object addresses, expected 1");
    Ok(output.finish())
}

fn module(binary: &[u8]) -> Result<Vec<u8>> {
    let mut output = Module::new();
    for (id, data) in sections(binary)? {
        if id == u8::from(SectionId::Data) {
            output.section(&in_memory(data)?);
        } else {
            output.section(&RawSection { id, data });
        }
    }
    Ok(output.finish())
}

/// Returns the data section with immortal objects and a cleared bitmap.
fn in_memory(section: &[u8]) -> Result<DataSection> {
    let mut memory = Memory::read(section)?;
    let count = make_immortal(&mut memory.bytes)?;
    ensure!(count > 0, "the bitmap lists no object");
    memory.section()
}

/// Sets the reference counts, clears the bitmap, and returns the number of objects.
fn make_immortal(memory: &mut [u8]) -> Result<usize> {
    let start = position(memory, MARK).context("the memory has no bitmap of object addresses")?;
    let end = memory.len().min(start + BITMAP_LENGTH);
    let mut bitmap = memory[start..end].to_vec();
    memory[start..end].fill(0);
    bitmap[..MARK.len()].fill(0);
    ensure!(position(memory, MARK).is_none(), "the memory has two bitmaps of object addresses");
    let is_listed = |address: usize| {
        address.is_multiple_of(4) && bitmap.get(address / 32).is_some_and(|bits| bits & 1 << (address / 4 % 8) != 0)
    };
    let word = |memory: &[u8], at: usize| {
        memory.get(at..at + 4).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)))
    };
    let mut count = 0;
    for address in (0..bitmap.len() * 32).step_by(4).filter(|address| is_listed(*address)) {
        let is_object = || {
            let kind = |object: usize| word(memory, object + 4).and_then(|kind| usize::try_from(kind).ok());
            let class = kind(address).filter(|class| is_listed(*class))?;
            // Every object has a class and every class a metaclass. The class of a metaclass is `type`, which is its own class.
            let metaclass = kind(class)?;
            let of_all = kind(metaclass)?;
            Some(kind(of_all)? == of_all)
        };
        if word(memory, address).is_some_and(|references| (1..COUNT_LIMIT).contains(&references))
            && is_object() == Some(true)
        {
            memory[address..address + 4].copy_from_slice(&IMMORTAL.to_le_bytes());
            count += 1;
        }
    }
    Ok(count)
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITMAP_AT: usize = 4096;

    /// Memory with a class at 2048 that is its own class, the given words, and a bitmap.
    fn memory(words: &[(usize, u32)], listed: &[usize]) -> Vec<u8> {
        let mut memory = vec![0; 2 * BITMAP_AT];
        memory[BITMAP_AT..BITMAP_AT + MARK.len()].copy_from_slice(MARK);
        for (at, word) in [(2048, 7), (2052, 2048)].iter().chain(words) {
            memory[*at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        for address in listed.iter().chain(&[2048]) {
            memory[BITMAP_AT + address / 32] |= 1 << (address / 4 % 8);
        }
        memory
    }

    fn word(memory: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(memory[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn listed_objects_become_immortal_and_the_bitmap_is_cleared() {
        let mut memory = memory(&[(3000, 1), (3004, 2048), (3040, 1), (3044, 2048)], &[3000]);
        assert_eq!(make_immortal(&mut memory).unwrap(), 2);
        assert_eq!([2048, 3000, 3040].map(|at| word(&memory, at)), [IMMORTAL, IMMORTAL, 1]);
        assert!(memory[BITMAP_AT..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn addresses_without_an_object_are_skipped() {
        // A freed object with the address of the next free block as its count, a count of zero, an object without a class, and
        // an object that is already immortal.
        let words =
            [(3000, 0x0012_3456), (3004, 2048), (3020, 2048), (3040, 1), (3044, 1024), (3064, 7 << 28), (3068, 2048)];
        let listed = [3000, 3016, 3040, 3064];
        let before = memory(&words, &listed);
        let mut after = before.clone();
        assert_eq!(make_immortal(&mut after).unwrap(), 1);
        assert_eq!(after[2052..BITMAP_AT], before[2052..BITMAP_AT]);
    }

    #[test]
    fn only_the_memory_of_a_component_changes() {
        let component = |count: u32, bitmap: &str| {
            let [low, high] = [count as u8, (count >> 24) as u8];
            wat::parse_str(format!(
                r#"(component (core module (func $kept (result i32) i32.const 9) (memory 2)
                    (data (i32.const 2048) "\{low:02x}\00\00\{high:02x}\00\08") {bitmap}))"#
            ))
            .unwrap()
        };
        // One bit for each four bytes: byte 64 of the bitmap covers addresses from 2048.
        let bitmap = r#"(data (i32.const 65536) "there are objects at:") (data (i32.const 65600) "\01")"#;
        let cleared = bitmap.replace("there are objects at:", "").replace(r"\01", "");
        assert_eq!(immortal(&component(1, bitmap)).unwrap(), component(IMMORTAL, &cleared));
        let problem = immortal(&component(1, "")).unwrap_err();
        assert!(problem.to_string().contains("0 modules"), "{problem:#}");
    }
}
