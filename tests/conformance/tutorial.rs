//! The code blocks of docs/capabilities.md: those with a file name are in that file, and programs run.

use std::{fs, path::Path};

use isolette::{Language, Sandbox};
use isolette_tests::{Case, host_test, scenario};
use weather::Weather;

const TUTORIAL: &str = "docs/capabilities.md";

/// The blocks of the tutorial: the text after the three ticks, and the code.
fn blocks() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let text = fs::read_to_string(root.join(TUTORIAL)).unwrap();
    let parts: Vec<_> = text.split("\n```").collect();
    let codes = parts.iter().skip(1).step_by(2).filter_map(|part| part.split_once('\n'));
    codes.map(|(info, code)| (info.to_owned(), format!("{code}\n"))).collect()
}

#[host_test]
fn code_in_the_tutorial_matches_its_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut compared = 0;
    for (info, code) in blocks() {
        let Some((_, file)) = info.split_once("file=") else { continue };
        let there = fs::read_to_string(root.join(file)).unwrap();
        assert!(there.contains(&code), "{file} has no longer:\n{code}");
        compared += 1;
    }
    assert!(compared >= 4);
}

#[scenario]
fn programs_in_the_tutorial_run(case: &Case) {
    let wanted = if case.language == Language::Python { "python run" } else { "javascript run" };
    let (_, program) = blocks().into_iter().find(|(info, _)| info == wanted).unwrap();
    let builder: isolette::SandboxBuilder = case.builder();
    let sandbox: Sandbox = builder.capability(Weather::new([("Paris".into(), Some(21.5))])).build().unwrap();
    let result = sandbox.run(&program).unwrap();
    let last = if case.language == Language::Python { "unknown place Atlantis" } else { "unknown-place Atlantis" };
    assert_eq!(result.stdout, format!("21.5\n{last}\n"), "{:?}", result.error);
}
