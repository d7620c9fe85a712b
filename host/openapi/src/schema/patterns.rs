//! Selects the regular expressions of a document that are included in schemas.
//!
//! Compiling one can take much time and memory, especially with large repetition counts. Expressions that are not
//! included are not checked here, but the service still checks them.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use isolette_tools::is_linear;

/// Maximum length of an expression in bytes.
const LONGEST: usize = 200;
/// Maximum repetition count of any part of an expression, with nested counts multiplied.
const REPETITIONS: usize = 500;
/// Maximum number of different expressions in a document.
const DIFFERENT: usize = 1_000;

/// Maximum number of uses of expressions in all tools of a document.
const USES: usize = 20_000;

/// The results for the expressions of one document.
#[derive(Debug, Default)]
pub(in super::super) struct Patterns {
    known: RefCell<HashMap<String, bool>>,
    uses: Cell<usize>,
}

impl Patterns {
    /// Whether to include an expression: it must be valid for the validator and cheap, so without look-around and
    /// backreferences.
    pub(super) fn allow(&self, text: &str) -> bool {
        let fine = self.uses.get() < USES && self.is_cheap(text);
        self.uses.set(self.uses.get() + usize::from(fine));
        fine
    }

    fn is_cheap(&self, text: &str) -> bool {
        if text.len() > LONGEST || repetitions(text) > REPETITIONS {
            return false;
        }
        if let Some(known) = self.known.borrow().get(text) {
            return *known;
        }
        let fine = self.known.borrow().len() < DIFFERENT && is_linear(text);
        if self.known.borrow().len() < DIFFERENT {
            self.known.borrow_mut().insert(text.to_owned(), fine);
        }
        fine
    }
}

/// The product of all counts, as if they were nested.
fn repetitions(text: &str) -> usize {
    text.split('{')
        .skip(1)
        .filter_map(|rest| {
            let counts = rest.split('}').next()?.split(',').filter_map(|count| count.trim().parse::<usize>().ok());
            counts.max()
        })
        .fold(1, |product, count| product.saturating_mul(count.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expensive_expressions_are_left_out() {
        let patterns = Patterns::default();
        for fine in ["^[a-z]+$", r"^\d{4}-\d{2}$", r"\{x\}", "a{2,}"] {
            assert!(patterns.allow(fine), "{fine}");
        }
        for wrong in ["^.{1,2097152}", "(a{100}){100}", "(", "[", "^(?=a)(a+)+$", "(a)\\1", "(?<!x)y", &"a".repeat(300)]
        {
            assert!(!patterns.allow(wrong), "{wrong}");
        }
    }
}
