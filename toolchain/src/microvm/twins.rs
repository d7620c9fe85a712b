//! Tests that differ in nothing but the language of their programs.
//!
//! The code and the runtime that a micro-VM runs also run in processes, where every test runs in both languages. In emulated
//! machines, which are many times slower, one of two twins is enough, except for what depends on the platform.

use std::collections::BTreeSet;

const LANGUAGES: [&str; 2] = ["python", "javascript"];

/// Topics whose tests all run: time, memory, the life of instances, and a guest that attacks its engine.
const WHOLE: [&str; 9] =
    ["cancellation", "compromised", "endurance", "limits", "load", "loops", "memory", "sessions", "snapshots"];

/// One of each pair of twins; which one depends on their name.
pub(super) fn left_out(tests: &BTreeSet<String>) -> BTreeSet<String> {
    let is_left_out = |test: &&String| {
        let is_whole = test.split("::").any(|part| WHOLE.contains(&part));
        let language = test.split("::").find_map(|part| LANGUAGES.iter().position(|language| *language == part));
        let (false, Some(language)) = (is_whole, language) else { return false };
        let other = |language: usize| replaced(test, LANGUAGES[language], LANGUAGES[1 - language]);
        // Both names have to give the same choice.
        let first = if language == 0 { (*test).clone() } else { other(language) };
        let kept = first.bytes().fold(0, |sum: usize, byte| sum.wrapping_add(byte.into())) % LANGUAGES.len();
        kept != language && tests.contains(&other(language))
    };
    tests.iter().filter(is_left_out).cloned().collect()
}

/// The name with one of its parts replaced.
fn replaced(test: &str, part: &str, by: &str) -> String {
    test.split("::").map(|old| if old == part { by } else { old }).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn one_of_two_twins_is_left_out() {
        for scenario in ["a", "b", "c", "d"] {
            let twins = LANGUAGES.map(|language| format!("files::{scenario}::{language}::microvm"));
            let tests = names(&[&twins[0], &twins[1], "files::alone::python::microvm", "snapshots::kept"]);
            let left_out = left_out(&tests);
            assert_eq!(left_out.len(), 1, "{left_out:?}");
            assert!(twins.contains(left_out.first().unwrap()));
        }
    }

    #[test]
    fn both_languages_are_left_out_somewhere() {
        let tests: BTreeSet<_> =
            (0..20).flat_map(|n| LANGUAGES.map(|language| format!("{n}::{language}::microvm"))).collect();
        let left_out = left_out(&tests);
        assert_eq!(left_out.len(), 20);
        assert!(LANGUAGES.iter().all(|language| left_out.iter().any(|test| test.contains(language))));
    }

    #[test]
    fn what_depends_on_the_platform_runs_in_both() {
        let tests = names(&["limits::a::python::microvm", "limits::a::javascript::microvm"]);
        assert!(left_out(&tests).is_empty());
    }
}
