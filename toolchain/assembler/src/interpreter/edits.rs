//! The instructions of a function, and edits to them.

use std::collections::BTreeMap;

use wasm_encoder::{Instruction, MemArg};
use wasmparser::Operator;

use super::table::Table;

/// The function to patch, and information about its module.
pub(super) struct Site<'a> {
    pub(super) operators: &'a [Operator<'a>],
    pub(super) table: &'a Table,
    /// The index of a global variable that the patches add. It is zero when a sandbox starts.
    pub(super) depth: u32,
    /// Returns the index of a function by its name.
    pub(super) function: &'a dyn Fn(&str) -> Option<u32>,
}

impl Site<'_> {
    /// Returns the position of the `nth` instruction that satisfies a condition, starting at 0.
    pub(super) fn nth(&self, nth: usize, condition: impl Fn(&Operator<'_>) -> bool) -> Option<usize> {
        self.operators.iter().enumerate().filter(|(_, operator)| condition(operator)).nth(nth).map(|(place, _)| place)
    }

    /// Returns the positions of the calls of a function.
    pub(super) fn calls(&self, name: &str) -> impl Iterator<Item = usize> {
        let wanted = (self.function)(name);
        self.operators.iter().enumerate().filter_map(move |(place, operator)| match operator {
            Operator::Call { function_index } if Some(*function_index) == wanted => Some(place),
            _ => None,
        })
    }
}

/// A place in memory, from an address on the stack.
pub(super) fn memory(offset: u64, align: u32) -> MemArg {
    MemArg { offset, align, memory_index: 0 }
}

/// The edits to a function.
#[derive(Default)]
pub(super) struct Edits {
    before: BTreeMap<usize, Vec<Instruction<'static>>>,
    instead: BTreeMap<usize, Vec<Instruction<'static>>>,
    /// The number of additional local variables of type `i32`.
    pub(super) locals: u32,
    /// The number of additional local variables of type `i64`, which come after those.
    pub(super) long_locals: u32,
}

impl Edits {
    /// Inserts instructions before the instruction at a position.
    pub(super) fn before(&mut self, place: usize, instructions: impl IntoIterator<Item = Instruction<'static>>) {
        self.before.entry(place).or_default().extend(instructions);
    }

    /// Replaces the instruction at a position.
    pub(super) fn instead(&mut self, place: usize, instructions: impl IntoIterator<Item = Instruction<'static>>) {
        self.instead.insert(place, instructions.into_iter().collect());
    }

    /// Returns the instructions to insert before a position, and the replacement of the instruction there.
    pub(super) fn at(&self, place: usize) -> (&[Instruction<'static>], Option<&[Instruction<'static>]>) {
        (self.before.get(&place).map_or(&[], Vec::as_slice), self.instead.get(&place).map(Vec::as_slice))
    }
}
