//! A function's instructions, and what is put between them.

use std::collections::BTreeMap;

use wasm_encoder::Instruction;
use wasmparser::Operator;

use super::table::Table;

/// What a patch knows of the function and its module.
pub(super) struct Site<'a> {
    pub(super) operators: &'a [Operator<'a>],
    pub(super) table: &'a Table,
    /// A global variable of the patches' own, zero when a sandbox starts.
    pub(super) depth: u32,
    /// The index of a function by its name.
    pub(super) function: &'a dyn Fn(&str) -> Option<u32>,
}

impl Site<'_> {
    /// Where the `nth` instruction that satisfies a condition is.
    pub(super) fn nth(&self, nth: usize, condition: impl Fn(&Operator<'_>) -> bool) -> Option<usize> {
        self.operators.iter().enumerate().filter(|(_, operator)| condition(operator)).nth(nth).map(|(place, _)| place)
    }

    pub(super) fn calls(&self, name: &str) -> impl Iterator<Item = usize> {
        let wanted = (self.function)(name);
        self.operators.iter().enumerate().filter_map(move |(place, operator)| match operator {
            Operator::Call { function_index } if Some(*function_index) == wanted => Some(place),
            _ => None,
        })
    }
}

/// What is done to a function.
#[derive(Default)]
pub(super) struct Edits {
    before: BTreeMap<usize, Vec<Instruction<'static>>>,
    instead: BTreeMap<usize, Vec<Instruction<'static>>>,
    /// How many variables of 32 bits it gets besides its own.
    pub(super) locals: u32,
}

impl Edits {
    pub(super) fn before(&mut self, place: usize, instructions: impl IntoIterator<Item = Instruction<'static>>) {
        self.before.entry(place).or_default().extend(instructions);
    }

    pub(super) fn instead(&mut self, place: usize, instructions: impl IntoIterator<Item = Instruction<'static>>) {
        self.instead.insert(place, instructions.into_iter().collect());
    }

    /// What comes before the instruction at a place, and what takes that instruction's place, if anything does.
    pub(super) fn at(&self, place: usize) -> (&[Instruction<'static>], Option<&[Instruction<'static>]>) {
        (self.before.get(&place).map_or(&[], Vec::as_slice), self.instead.get(&place).map(Vec::as_slice))
    }
}
