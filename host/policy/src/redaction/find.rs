//! All places of one secret in a text.

use isolette_work::Work;
use memchr::{memchr3, memmem};

use super::automaton::Automaton;

/// Where a text is, one place after the other. `None` if the work was given up.
pub(super) fn find(text: &[u8], sought: &str, automaton: &Automaton, work: &Work) -> Option<Vec<(usize, usize)>> {
    if memchr3(b'%', b'\\', b'+', text).is_none() {
        // There is one way only to write it.
        return work
            .step(text.len() as u64 / 32)
            .then(|| memmem::find_iter(text, sought).map(|from| (from, from + sought.len())).collect());
    }
    automaton.find(text, work)
}
