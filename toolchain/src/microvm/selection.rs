//! The tests that emulated machines leave out, since these are many times slower.
//!
//! The code and the runtime that a micro-VM runs also run in processes, where every test runs in both languages. What depends on
//! the platform runs here as well, in one language at least. Of all other tests, one of eight is enough.

use std::collections::BTreeSet;

const LANGUAGES: [&str; 2] = ["python", "javascript"];

/// Topics whose tests all run: time, memory, the life of instances, and a guest that attacks its engine.
const WHOLE: [&str; 6] = ["cancellation", "compromised", "limits", "memory", "sessions", "snapshots"];

/// Topics whose tests run in one of the languages: what a micro-VM does in another way than a process, and what takes minutes.
const IN_ONE_LANGUAGE: [&str; 14] = [
    "calls",
    "command_line",
    "endurance",
    "load",
    "loops",
    "microvm",
    "parallel",
    "pauses",
    "pools",
    "saved_output",
    "saved_pauses",
    "session_snapshots",
    "threads",
    "warm_images",
];

/// One of this many other tests runs.
const OF_OTHERS: usize = 8;

/// The ending of the names of tests on micro-VMs.
const ENDING: &str = "::microvm";

/// What is left out; what is kept depends on the names alone.
pub(super) fn left_out(tests: &BTreeSet<String>) -> BTreeSet<String> {
    tests.iter().filter(|test| is_left_out(test, tests)).cloned().collect()
}

fn is_left_out(test: &str, tests: &BTreeSet<String>) -> bool {
    let parts: Vec<_> = test.strip_suffix(ENDING).unwrap_or(test).split("::").collect();
    let is_about = |topics: &[&str]| parts.iter().any(|part| topics.contains(part));
    if !test.ends_with(ENDING) || is_about(&WHOLE) {
        return false;
    }
    // The first part is a topic, which can be a language.
    let language = LANGUAGES.iter().position(|language| parts[1..].contains(language));
    let twin = language.map(|language| replaced(test, LANGUAGES[language], LANGUAGES[1 - language]));
    match (language, twin.filter(|twin| tests.contains(twin))) {
        (Some(language), Some(twin)) => {
            // Both names have to give the same choice.
            let number = sum(if language == 0 { test } else { &twin });
            let is_other_language = number % LANGUAGES.len() != language;
            let is_other_scenario = !(number / LANGUAGES.len()).is_multiple_of(OF_OTHERS / LANGUAGES.len());
            is_other_language || (is_other_scenario && !is_about(&IN_ONE_LANGUAGE))
        }
        _ => !is_about(&IN_ONE_LANGUAGE) && !sum(test).is_multiple_of(OF_OTHERS),
    }
}

/// A number that is the same for the same name.
fn sum(name: &str) -> usize {
    name.bytes().fold(0, |sum: usize, byte| sum.wrapping_add(byte.into()))
}

/// The name with one of its parts replaced, but the first.
fn replaced(test: &str, part: &str, by: &str) -> String {
    let parts = test.split("::").enumerate();
    parts.map(|(index, old)| if index > 0 && old == part { by } else { old }).collect::<Vec<_>>().join("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn twins(topic: &str, scenario: &str) -> [String; 2] {
        LANGUAGES.map(|language| format!("{topic}::{scenario}::{language}::microvm"))
    }

    #[test]
    fn what_differs_in_a_micro_vm_runs_in_one_language() {
        for scenario in ["a", "b", "c", "d"] {
            let twins = twins("pauses", scenario);
            let tests = names(&[&twins[0], &twins[1], "pauses::alone::python::microvm", "values::kept"]);
            let left_out = left_out(&tests);
            assert_eq!(left_out.len(), 1, "{left_out:?}");
            assert!(twins.contains(left_out.first().unwrap()));
        }
    }

    #[test]
    fn one_of_eight_others_runs_in_either_language() {
        let tests: BTreeSet<_> = (0..200).flat_map(|number| twins("values", &format!("scenario_{number}"))).collect();
        let kept: Vec<_> = tests.difference(&left_out(&tests)).cloned().collect();
        assert!((30..=70).contains(&kept.len()), "{}", kept.len());
        for language in LANGUAGES {
            assert!(kept.iter().filter(|test| test.contains(language)).count() > 10);
        }
        let of_a_language: BTreeSet<_> = (0..100).map(|n| format!("python::program_{n}::microvm")).collect();
        let kept = of_a_language.len() - left_out(&of_a_language).len();
        assert!((6..=20).contains(&kept), "{kept}");
    }

    #[test]
    fn what_depends_on_the_platform_runs_in_both() {
        let tests = names(&["limits::a::python::microvm", "limits::a::javascript::microvm"]);
        assert!(left_out(&tests).is_empty());
    }

    #[test]
    fn other_engines_are_not_selected_here() {
        let tests = names(&["python::program_1::process", "language_coverage::every_python_program_is_run"]);
        assert!(left_out(&tests).is_empty());
    }
}
