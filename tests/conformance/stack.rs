//! Abuse of the stack: one kind a file, in `guests/stack/`.
//!
//! The first line of each says how it may end: in an exception of the language, in a typed error of the sandbox, or in a
//! value if the interpreter copes. Whatever happens, the host is unharmed and the same sandbox runs the next program.
//!
//! Hostile TypeScript is too long to be kept: what is in `guests/stack/typescript/` are JavaScript programs whose values are
//! such programs.

use std::time::Duration;

use isolette::{Language, RunOptions, Sandbox, policy::Limits};
use isolette_tests::{Case, engines, guests, host_test, libtest_mimic::Trial, on_engine};
use serde_json::{Value, json};

/// What a kind gets if it would go on for ever.
const ENDLESS: Duration = Duration::from_secs(2);

/// What a kind gets that comes to an end, however slow the machine is, unless it is emulated.
const PATIENCE: Duration = Duration::from_secs(300);

/// The kinds that have to be there at least, both languages together.
const KINDS: usize = 59;

/// Where the makers of hostile TypeScript are.
const TYPESCRIPT: &str = "stack/typescript";

#[host_test]
fn there_are_kinds_enough() {
    let kinds = guests::LANGUAGES.into_iter().flat_map(programs).count();
    println!("{kinds} kinds of stack abuse");
    assert!(kinds >= KINDS, "there are {kinds}");
}

/// One test for every kind and engine.
pub(crate) fn trials() -> Vec<Trial> {
    guests::LANGUAGES
        .into_iter()
        .flat_map(|language| programs(language).into_iter().map(move |program| (language, program)))
        .flat_map(|(language, program)| {
            engines::ALL.map(|isolation| {
                let (name, program) = (program.replace('/', "::"), program.clone());
                on_engine(format!("{name}::{isolation}"), Case::new(language, isolation), move |case| {
                    survive(case, &program)
                })
            })
        })
        .collect()
}

fn programs(language: Language) -> Vec<String> {
    let mut programs = guests::programs(&format!("stack/{language}"), language);
    if language == Language::JavaScript {
        programs.extend(guests::programs(TYPESCRIPT, language));
    }
    programs
}

fn survive(case: &Case, program: &str) {
    let code = guests::read(program, case.language);
    let expected = endings(&code);
    let slowness = if engines::emulated() { 5 } else { 1 };
    let limit = if expected.contains(&"Timeout") { ENDLESS } else { PATIENCE * slowness };
    let mut limits = Limits::default();
    limits.cpu_time = limit;
    let sandbox = case.builder().limits(limits).build().unwrap();
    let options = RunOptions::new().timeout(limit);
    let ended = if program.starts_with(TYPESCRIPT) {
        sandbox.run_with(&made_by(&sandbox, &code), options.filename("program.ts"))
    } else {
        sandbox.run_with(&code, options)
    };
    let ending = match ended {
        Ok(result) => match result.error {
            Some(error) => error.kind,
            None => "a value".into(),
        },
        Err(error) => error.name().to_owned(),
    };
    assert!(expected.contains(&&*ending), "it ended in {ending}, expected was {}", expected.join(" or "));
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

/// The text that a program comes to.
fn made_by(sandbox: &Sandbox, code: &str) -> String {
    match sandbox.run(code).unwrap().value {
        Some(Value::String(text)) => text,
        other => panic!("a maker comes to a text, not to {other:?}"),
    }
}

/// `// What it does. Ends in RangeError or Timeout.`
fn endings(code: &str) -> Vec<&str> {
    let first = code.lines().next().unwrap_or_default();
    let (_, endings) =
        first.rsplit_once("Ends in ").unwrap_or_else(|| panic!("the first line says how it ends: {first}"));
    endings.trim_end_matches('.').split(" or ").collect()
}
