//! The programs below `guests/`: every file is run by a scenario, and a scenario's programs exist in each of its languages.

use std::collections::BTreeSet;

use isolette_tests::{Languages, Scenario, every_file, guests, host_test, inventory};

/// Folders whose files are tests by themselves (`language_coverage.rs`, `at_once/`, `science.rs`).
const COVERAGE: [&str; 5] = ["python/", "javascript/", "typescript/", "at_once/", "science/"];

/// Files that tests read besides programs.
const DATA: [&str; 1] = ["intl/differences.txt"];

/// The files that scenarios name, in the languages that they are for.
fn named() -> BTreeSet<String> {
    let scenarios = inventory::iter::<Scenario>.into_iter();
    scenarios
        .flat_map(|scenario| {
            scenario.languages.iter().flat_map(|language| {
                scenario.programs.iter().map(move |program| format!("{program}.{}", guests::ending(language)))
            })
        })
        .collect()
}

/// The files that belong to scenarios.
fn present() -> BTreeSet<String> {
    let files = every_file::files(&guests::folder()).into_iter();
    files
        .map(|file| file.to_str().expect("names of guests are UTF-8").to_owned())
        .filter(|file| !COVERAGE.iter().any(|folder| file.starts_with(folder)) && !DATA.contains(&&**file))
        .collect()
}

#[host_test]
fn every_program_of_a_scenario_is_run() {
    let unused: Vec<_> = present().difference(&named()).cloned().collect();
    assert!(
        unused.is_empty(),
        "no scenario runs {unused:?}: name them in a `#[scenario(programs = […])]`, or remove them"
    );
}

#[host_test]
fn every_program_of_a_scenario_exists() {
    let missing: Vec<_> = named().difference(&present()).cloned().collect();
    assert!(
        missing.is_empty(),
        "there is no {missing:?}: write the program for the language, or give the scenario \
         `only = <Language>, because = \"<reason>\"`"
    );
}

#[host_test]
fn a_scenario_for_one_language_gives_a_reason() {
    for scenario in inventory::iter::<Scenario> {
        if let Languages::Only(language, reason) = scenario.languages {
            assert!(reason.len() > 10, "{} is for {language} alone without a reason", scenario.name);
        }
    }
}
