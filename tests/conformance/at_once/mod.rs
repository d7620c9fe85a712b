//! Programs that have several calls open, as models write them for the sandboxes of several vendors: every file below
//! `guests/at_once/`, on every engine. The beginning of a name is the dialect.
//!
//! What a program does is in `<name>.expected`, which programs of the same name share: value, output, calls, and how a virtual
//! clock advances. A program whose calls overlap less than that runs until its timeout.

mod clock;
mod expectation;
mod office;

use std::{collections::BTreeSet, env, fs, path::Path, sync::Arc, time::Duration};

use isolette::{Budget, Dialect, Language, RunOptions, policy::Decision};
use isolette_tests::{Case, Outcome as _, engines, every_file, guests, libtest_mimic::Trial, on_engine, report};
use tokio::sync::Barrier;

use self::{clock::Clock, expectation::observed};

const FOLDER: &str = "at_once";

/// The calls of tools that a program may make.
const CALLS: u64 = 24;

/// The questions of one program, all of which are open before the first is answered.
const QUESTIONS: usize = 3;

/// One test for each program and engine, and one that no file is missing among them.
pub(crate) fn trials() -> Vec<Trial> {
    let folder = guests::folder().join(FOLDER);
    let mut trials = Vec::new();
    for file in every_file::files(&folder) {
        let Some((name, language)) = program(&file) else { continue };
        for isolation in engines::ALL {
            let (test, name) = (test_of(&name, language, &isolation.to_string()), name.clone());
            trials.push(on_engine(test, Case::new(language, isolation), move |case| compare(case, &name)));
        }
    }
    let registered: BTreeSet<String> = trials.iter().map(|trial| trial.name().to_owned()).collect();
    trials.push(report::trial("at_once::every_program_is_run".into(), move || {
        every_file::compare(&folder, &registered, tests_of).unwrap_or_else(|error| panic!("{error}"));
        ().completion()
    }));
    trials
}

/// The name and the language of a program, by its file.
fn program(file: &Path) -> Option<(String, Language)> {
    let ending = file.extension()?;
    let language = guests::LANGUAGES.into_iter().find(|language| ending == guests::ending(*language))?;
    Some((file.with_extension("").to_str()?.to_owned(), language))
}

fn test_of(name: &str, language: Language, isolation: &str) -> String {
    format!("{FOLDER}::{name}::{language}::{isolation}")
}

fn tests_of(file: &Path) -> Result<Vec<String>, String> {
    let folder = guests::folder().join(FOLDER);
    let of = |name: &str, language| engines::ALL.map(|isolation| test_of(name, language, &isolation.to_string()));
    if let Some((name, language)) = program(file) {
        if !folder.join(format!("{name}.expected")).exists() {
            return Err(format!("there is no `{name}.expected` beside it"));
        }
        return Ok(of(&name, language).into());
    }
    if file.extension().is_none_or(|ending| ending != "expected") {
        return Err("its ending is neither that of a program nor `expected`".into());
    }
    let name = file.with_extension("").to_str().ok_or("its name is not UTF-8")?.to_owned();
    let languages = guests::LANGUAGES.into_iter();
    let present = languages.filter(|language| folder.join(format!("{name}.{}", guests::ending(*language))).exists());
    let tests: Vec<_> = present.flat_map(|language| of(&name, language)).collect();
    if tests.is_empty() { Err("there is no program of this name".into()) } else { Ok(tests) }
}

/// The dialect in which a program is written, by its name.
fn dialect(name: &str) -> Dialect {
    match name.split_once('_').map_or("", |(vendor, _)| vendor) {
        "anthropic" => Dialect::Anthropic,
        "openai" => Dialect::OpenAi,
        "codex" => Dialect::Codex,
        "cloudflare" => Dialect::Cloudflare,
        _ => Dialect::Isolette,
    }
}

fn compare(case: &Case, name: &str) {
    let path = guests::folder().join(FOLDER).join(format!("{name}.expected"));
    let updates = env::var("INSTA_UPDATE").as_deref() == Ok("always");
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let clock = if updates { Clock::advancing() } else { Clock::new(expectation::steps(&expected)) };
    let found = run(case, name, &clock);
    if updates {
        fs::write(&path, &found).unwrap();
        return;
    }
    similar_asserts::assert_eq!(expected: expected, found: found);
}

fn run(case: &Case, name: &str, clock: &Arc<Clock>) -> String {
    let code = guests::read(&format!("{FOLDER}/{name}"), case.language);
    let mut limits = case.limits();
    limits.tool_calls = CALLS;
    let budget = Budget::new().tool_calls(CALLS);
    let open = Arc::new(Barrier::new(QUESTIONS));
    let builder = office::tools(clock, &budget).into_iter().fold(case.builder(), |builder, tool| builder.tool(tool));
    let sandbox = builder
        .dialect(dialect(name))
        .approver(move |request| {
            let open = Arc::clone(&open);
            async move {
                open.wait().await;
                if request.arguments["to"] == "bob" { Decision::deny("not bob") } else { Decision::Allow }
            }
        })
        .limits(limits)
        .build()
        .unwrap();
    // Programs end by themselves. Those whose calls do not overlap fail soon.
    let timeout = Duration::from_secs(10) * u32::try_from(case.limits().timeout.as_secs() / 30).unwrap_or(1).max(1);
    observed(sandbox.run_with(&code, RunOptions::new().budget(budget).timeout(timeout)), clock)
}
