//! Finds all occurrences of one secret in a text.

use isolette_work::Work;
use memchr::{memchr3, memmem};

use super::automaton::Automaton;

/// Returns the occurrences of a text in order, as byte ranges. `None` if the work was ended early.
pub(super) fn find(text: &[u8], sought: &str, automaton: &Automaton, work: &Work) -> Option<Vec<(usize, usize)>> {
    if memchr3(b'%', b'\\', b'+', text).is_none() {
        // Without these characters, a text has only one spelling.
        return work
            .step(text.len() as u64 / 32)
            .then(|| memmem::find_iter(text, sought).map(|from| (from, from + sought.len())).collect());
    }
    automaton.find(text, work)
}
