//! The tests that emulated machines leave out, since these are many times slower.
//!
//! The code and the runtime that a micro-VM runs also run in processes, where every test runs in both languages. Of tests that
//! differ in nothing but the language of their programs, one of two is enough here, except for what depends on the platform. Of
//! programs that only compare what a language prints, one of four is.

use std::collections::BTreeSet;

const LANGUAGES: [&str; 2] = ["python", "javascript"];

/// Topics whose tests all run: time, memory, the life of instances, and a guest that attacks its engine.
const WHOLE: [&str; 9] =
    ["cancellation", "compromised", "endurance", "limits", "load", "loops", "memory", "sessions", "snapshots"];

/// The first parts of the names of tests that compare what a language prints.
const LANGUAGE_COVERAGE: [&str; 3] = ["python", "javascript", "typescript"];

/// One of this many of those runs.
const OF_LANGUAGE_COVERAGE: usize = 4;

/// What is left out; what is kept depends on the names alone.
pub(super) fn left_out(tests: &BTreeSet<String>) -> BTreeSet<String> {
    let is_left_out = |test: &&String| {
        let (topic, rest) = test.split_once("::").unwrap_or(("", test));
        if LANGUAGE_COVERAGE.contains(&topic) && rest.ends_with("::microvm") {
            return !sum(test).is_multiple_of(OF_LANGUAGE_COVERAGE);
        }
        let is_whole = test.split("::").any(|part| WHOLE.contains(&part));
        let language = test.split("::").find_map(|part| LANGUAGES.iter().position(|language| *language == part));
        let (false, Some(language)) = (is_whole, language) else { return false };
        let other = |language: usize| replaced(test, LANGUAGES[language], LANGUAGES[1 - language]);
        // Both names have to give the same choice.
        let first = if language == 0 { (*test).clone() } else { other(language) };
        sum(&first) % LANGUAGES.len() != language && tests.contains(&other(language))
    };
    tests.iter().filter(is_left_out).cloned().collect()
}

/// A number that is the same for the same name.
fn sum(name: &str) -> usize {
    name.bytes().fold(0, |sum: usize, byte| sum.wrapping_add(byte.into()))
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
    fn about_a_quarter_of_the_language_programs_runs() {
        let tests: BTreeSet<_> = (0..100).map(|n| format!("python::program_{n}::microvm")).collect();
        let kept = tests.len() - left_out(&tests).len();
        assert!((15..=35).contains(&kept), "{kept}");
        let others = names(&["python::program_1::native", "language_coverage::every_python_program_is_run"]);
        assert!(left_out(&others).is_empty());
    }

    #[test]
    fn what_depends_on_the_platform_runs_in_both() {
        let tests = names(&["limits::a::python::microvm", "limits::a::javascript::microvm"]);
        assert!(left_out(&tests).is_empty());
    }
}
