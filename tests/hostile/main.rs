//! Programs that want out, or want more than they were given. Each is a file below `hostile/programs/`, in both languages.
//!
//! Its second line says how it may end: `expect: ENDING [or ENDING]…`. An ending is one of
//!
//! - `contained`: it came to its end, and found out itself that it had got nowhere: its value is `"contained"`,
//! - `value`: it came to its end, whatever its value,
//! - `exception KIND` or `exception *`: it ended in an exception of its language,
//! - `exit CODE` or `exit *`: it chose an exit code,
//! - `truncated value`, `truncated error and exception KIND`: something was too long,
//! - `timeout`, `cpu time`, `sleep`, `host call rate`, `memory`, `stack`, `crash`: the sandbox ended it, with that error.
//!
//! All of them meet the same surroundings (`surroundings.rs`) and the same limits. Whatever happens, nobody was reached who
//! must not be, the process holds what it held before, and the next program in the same sandbox finds nothing.
//!
//! Abuse of the stack, of which there is most, is in `guests/stack/` and run by `conformance/stack.rs`.

mod health;
mod servers;
mod surroundings;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use isolette::{Error, ExecutionResult, Language, RunOptions};
use isolette_tests::{
    Case, engines, guests, host_test,
    libtest_mimic::{self, Arguments, Trial},
    on_engine, panics,
};
use serde_json::json;

use self::{health::Health, surroundings::Surroundings};

/// Programs that have to be there at least, both languages together.
const PROGRAMS: usize = 120;

/// What an endless program gets.
const TIME: Duration = Duration::from_millis(1000);

/// What a program gets that comes to an end, however busy the machine is, unless its processor is emulated.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    panics::install();
    let mut arguments = Arguments::from_args();
    // What the process holds is compared before and after each.
    arguments.test_threads = Some(1);
    let mut trials = isolette_tests::trials();
    trials.extend(programs_as_trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile/programs")
}

/// Paths below the folder, without their endings, sorted.
fn programs(language: Language) -> Vec<String> {
    let mut found = Vec::new();
    for family in fs::read_dir(folder()).expect("the folder of hostile programs") {
        let family = family.expect("a family of programs").path();
        for program in fs::read_dir(&family).expect("a family is a folder") {
            let path = program.expect("a program").path();
            if path.extension().is_some_and(|ending| ending == guests::ending(language)) {
                let below = path.strip_prefix(folder()).expect("it was found below").with_extension("");
                found.push(below.to_str().expect("names of programs are UTF-8").to_owned());
            }
        }
    }
    found.sort();
    found
}

#[host_test]
fn there_are_programs_enough() {
    let count = guests::LANGUAGES.into_iter().flat_map(programs).count();
    println!("{count} hostile programs");
    assert!(count >= PROGRAMS, "there are {count}");
}

#[host_test]
fn every_program_has_its_twin() {
    assert_eq!(programs(Language::Python), programs(Language::JavaScript));
}

fn programs_as_trials() -> Vec<Trial> {
    guests::LANGUAGES
        .into_iter()
        .flat_map(|language| programs(language).into_iter().map(move |program| (language, program)))
        .flat_map(|(language, program)| {
            engines::ALL.map(|isolation| {
                let name = format!("{}::{language}::{isolation}", program.replace('/', "::"));
                let program = program.clone();
                on_engine(name, Case::new(language, isolation), move |case| contain(case, &program))
            })
        })
        .collect()
}

fn contain(case: &Case, program: &str) {
    let path = folder().join(format!("{program}.{}", guests::ending(case.language)));
    let code = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expected = expectations(&code);
    let surroundings = Surroundings::new(case);
    let sandbox = surroundings.sandbox();
    surroundings.assert_untouched(sandbox);
    let before = Health::now();
    let time = if expected.contains(&"timeout") { surroundings::endless() } else { surroundings::patience() };
    let ended = sandbox.run_with(&code, RunOptions::new().timeout(time));
    let result = ended.as_ref().unwrap_or_else(|error| error.partial().unwrap_or_else(|| panic!("{error}")));
    surroundings.assert_within_limits(result);
    assert!(
        expected.iter().any(|ending| is(ending, &ended)),
        "expected was {}, it ended in {}",
        expected.join(" or "),
        described(&ended)
    );
    drop(ended);
    surroundings.assert_untouched(sandbox);
    surroundings.assert_nobody_was_reached();
    assert_eq!(panics::of_the_host(), [""; 0]);
    before.assert_restored();
}

/// `# expect: timeout or exception MemoryError`
fn expectations(code: &str) -> Vec<&str> {
    let line = code.lines().nth(1).unwrap_or_default();
    let (_, endings) =
        line.split_once("expect: ").unwrap_or_else(|| panic!("the second line says how it ends: {line}"));
    endings.split(" or ").map(str::trim).collect()
}

fn is(expected: &str, ended: &Result<ExecutionResult, Error>) -> bool {
    if let Some((first, second)) = expected.split_once(" and ") {
        return is(first, ended) && is(second, ended);
    }
    let (word, rest) = expected.split_once(' ').unwrap_or((expected, ""));
    match (word, rest, ended) {
        ("contained", _, Ok(result)) => result.error.is_none() && result.value == Some(json!("contained")),
        ("value", _, Ok(result)) => result.error.is_none(),
        ("exception", kind, Ok(result)) => result.error.as_ref().is_some_and(|error| kind == "*" || error.kind == kind),
        ("exit", "*", Ok(_)) => true,
        ("exit", code, Ok(result)) => result.exit_code.to_string() == code,
        ("truncated", "value", Ok(result)) => result.truncated.value,
        ("truncated", "error", Ok(result)) => result.truncated.error > 0,
        ("timeout", _, Err(Error::Timeout { .. }))
        | ("cpu", "time", Err(Error::CpuTime { .. }))
        | ("sleep", _, Err(Error::Sleep { .. }))
        | ("host", "call rate", Err(Error::HostCallRate { .. }))
        | ("memory", _, Err(Error::OutOfMemory { .. }))
        | ("stack", _, Err(Error::StackOverflow { .. }))
        | ("crash", _, Err(Error::GuestCrashed { .. })) => true,
        _ => false,
    }
}

fn described(ended: &Result<ExecutionResult, Error>) -> String {
    let text = match ended {
        Err(error) => format!("{}: {error}", error.name()),
        Ok(result) => match &result.error {
            Some(error) => format!("{}: {}\n{}", error.kind, error.message, error.traceback),
            None => format!("exit code {} and {:?}", result.exit_code, result.value),
        },
    };
    text.chars().take(1000).collect()
}
