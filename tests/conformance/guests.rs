//! The programs below `guests/`: each is run by a test, and each has its twin.

use std::collections::BTreeSet;

use isolette::Language;
use isolette_tests::{Languages, Scenario, guests, host_test, inventory};

/// Folders whose files are tests by themselves.
const DRIVEN_BY_FILES: [&str; 3] = ["python/", "javascript/", "stack/"];

type Program = (String, &'static str);

/// What scenarios name, in the languages that they are for.
fn named() -> BTreeSet<Program> {
    let scenarios = inventory::iter::<Scenario>.into_iter();
    scenarios
        .flat_map(|scenario| {
            scenario.languages.iter().flat_map(|language| {
                scenario.programs.iter().map(move |program| ((*program).to_owned(), guests::ending(language)))
            })
        })
        .collect()
}

fn present(language: Language) -> impl Iterator<Item = Program> {
    let programs = guests::programs("", language).into_iter();
    programs
        .filter(|program| !DRIVEN_BY_FILES.iter().any(|folder| program.starts_with(folder)))
        .map(move |program| (program, guests::ending(language)))
}

#[host_test]
fn every_program_is_run() {
    let named = named();
    let unused: Vec<_> =
        guests::LANGUAGES.into_iter().flat_map(present).filter(|program| !named.contains(program)).collect();
    assert!(unused.is_empty(), "no scenario runs {unused:?}: name them in a `#[scenario]`, or remove them");
}

#[host_test]
fn every_program_that_a_scenario_names_is_there() {
    let present: BTreeSet<_> = guests::LANGUAGES.into_iter().flat_map(present).collect();
    let missing: Vec<_> = named().into_iter().filter(|program| !present.contains(program)).collect();
    assert!(
        missing.is_empty(),
        "there is no {missing:?}: write the twin, or write `only = <Language>, because = \"<reason>\"` at the scenario"
    );
}

#[host_test]
fn a_language_is_left_out_for_a_reason_only() {
    for scenario in inventory::iter::<Scenario> {
        if let Languages::Only(language, reason) = scenario.languages {
            assert!(reason.len() > 10, "{} is for {language} alone without a reason", scenario.name);
        }
    }
}
