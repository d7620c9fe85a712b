//! Having the objects of CPython that are in every sandbox live for ever.
//!
//! CPython counts references in the objects themselves, so that a program writes to what it only looks at, and each page
//! that is written to is copied. References to immortal objects are not counted (PEP 683), but nothing outside of CPython
//! may make one. So `guest-python/isolette/heap.py` notes where there are objects, in memory that becomes part of the
//! component; this sets their counts and wipes the notes. What does not look like an object is left alone.

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{Component, ComponentSectionId, DataSection, Module, RawSection, SectionId};

use crate::{memory::Memory, sections::sections};

/// What the notes begin with.
const MARK: &[u8] = b"there are objects at:";

/// How long the notes are: a bit for each four bytes of memory.
const NOTES: usize = 4 << 20;

/// The count of an object that lives for ever, where counts have 32 bits (`_Py_IMMORTAL_INITIAL_REFCNT`).
const IMMORTAL: u32 = 5 << 28;

/// What is larger where a count should be may be an address: of the next object that was freed.
const MOST: u32 = 1 << 16;

/// A component like `component`, in which the objects that were noted live for ever.
pub(crate) fn immortal(component: &[u8]) -> Result<Vec<u8>> {
    let mut output = Component::new();
    let mut found = 0;
    for (id, data) in sections(component)? {
        let is_noted = id == u8::from(ComponentSectionId::CoreModule) && position(data, MARK).is_some();
        let mended = if is_noted { Some(module(data)?) } else { None };
        found += usize::from(is_noted);
        output.section(&RawSection { id, data: mended.as_deref().unwrap_or(data) });
    }
    ensure!(found == 1, "{found} modules in it have notes of where there are objects");
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

/// The memory, with the objects in it immortal and the notes wiped.
fn in_memory(section: &[u8]) -> Result<DataSection> {
    let mut memory = Memory::read(section)?;
    let count = settle(&mut memory.bytes)?;
    ensure!(count > 0, "there is no object where its notes say");
    memory.section()
}

/// Sets counts, wipes the notes, and gives back how many objects there were.
fn settle(memory: &mut [u8]) -> Result<usize> {
    let start = position(memory, MARK).context("its memory has no notes")?;
    let end = memory.len().min(start + NOTES);
    let mut notes = memory[start..end].to_vec();
    memory[start..end].fill(0);
    notes[..MARK.len()].fill(0);
    ensure!(position(memory, MARK).is_none(), "it has notes of where there are objects twice");
    let is_noted = |address: usize| {
        address.is_multiple_of(4) && notes.get(address / 32).is_some_and(|bits| bits & 1 << (address / 4 % 8) != 0)
    };
    let word = |memory: &[u8], at: usize| {
        memory.get(at..at + 4).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)))
    };
    let mut count = 0;
    for address in (0..notes.len() * 32).step_by(4).filter(|address| is_noted(*address)) {
        let is_object = || {
            let kind = |object: usize| word(memory, object + 4).and_then(|kind| usize::try_from(kind).ok());
            let class = kind(address).filter(|class| is_noted(*class))?;
            // Everything is of a class, whose own class is one of `type`, the only one that is its own.
            let metaclass = kind(class)?;
            let of_all = kind(metaclass)?;
            Some(kind(of_all)? == of_all)
        };
        if word(memory, address).is_some_and(|references| (1..MOST).contains(&references)) && is_object() == Some(true)
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

    const NOTES_AT: usize = 4096;

    /// Memory with a type at 2048, which is its own type, and whatever else; and notes.
    fn memory(words: &[(usize, u32)], noted: &[usize]) -> Vec<u8> {
        let mut memory = vec![0; 2 * NOTES_AT];
        memory[NOTES_AT..NOTES_AT + MARK.len()].copy_from_slice(MARK);
        for (at, word) in [(2048, 7), (2052, 2048)].iter().chain(words) {
            memory[*at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        for address in noted.iter().chain(&[2048]) {
            memory[NOTES_AT + address / 32] |= 1 << (address / 4 % 8);
        }
        memory
    }

    fn word(memory: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(memory[at..at + 4].try_into().unwrap())
    }

    #[test]
    fn what_was_noted_lives_for_ever_and_the_notes_are_wiped() {
        let mut memory = memory(&[(3000, 1), (3004, 2048), (3040, 1), (3044, 2048)], &[3000]);
        assert_eq!(settle(&mut memory).unwrap(), 2);
        assert_eq!([2048, 3000, 3040].map(|at| word(&memory, at)), [IMMORTAL, IMMORTAL, 1]);
        assert!(memory[NOTES_AT..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn what_does_not_look_like_an_object_is_left_alone() {
        // Freed: the next free block where the count was. Never there: zero. Not of a type. Immortal already.
        let words =
            [(3000, 0x0012_3456), (3004, 2048), (3020, 2048), (3040, 1), (3044, 1024), (3064, 7 << 28), (3068, 2048)];
        let noted = [3000, 3016, 3040, 3064];
        let before = memory(&words, &noted);
        let mut after = before.clone();
        assert_eq!(settle(&mut after).unwrap(), 1);
        assert_eq!(after[2052..NOTES_AT], before[2052..NOTES_AT]);
    }

    #[test]
    fn a_component_is_changed_in_its_memory_alone() {
        let component = |count: u32, notes: &str| {
            let [low, high] = [count as u8, (count >> 24) as u8];
            wat::parse_str(format!(
                r#"(component (core module (func $kept (result i32) i32.const 9) (memory 2)
                    (data (i32.const 2048) "\{low:02x}\00\00\{high:02x}\00\08") {notes}))"#
            ))
            .unwrap()
        };
        // A bit for each four bytes: the 64th byte has those from 2048 on.
        let notes = r#"(data (i32.const 65536) "there are objects at:") (data (i32.const 65600) "\01")"#;
        let wiped = notes.replace("there are objects at:", "").replace(r"\01", "");
        assert_eq!(immortal(&component(1, notes)).unwrap(), component(IMMORTAL, &wiped));
        let problem = immortal(&component(1, "")).unwrap_err();
        assert!(problem.to_string().contains("0 modules"), "{problem:#}");
    }
}
