//! Language coverage: programs below `guests/python`, `guests/javascript` and `guests/typescript`, and what they print.
//!
//! Each is compared with a committed expectation, on every engine. The expectation itself is compared with what the
//! language's own interpreter prints, where the machine has one, except for programs in `sandbox/` folders, which are
//! about the sandbox itself. For TypeScript that is Node, with what the compiler of TypeScript makes of the program.

use std::{env, fs, path::PathBuf};

use isolette::{Language, RunOptions};
use isolette_tests::{
    Case, Outcome as _, Skipped, engines, guests, host_test, libtest_mimic::Trial, native, on_engine, report,
};

/// Programs' worth that have to be there at least, both languages together.
const PROGRAMS: usize = 300;

/// A file is worth as many programs as it has things to show: lines that print something at the top level or in a loop.
fn worth(code: &str) -> usize {
    code.lines().filter(|line| ["print(", "console.log(", "show("].iter().any(|call| line.contains(call))).count()
}

#[host_test]
fn there_are_programs_enough() {
    let mut total = 0;
    for language in guests::LANGUAGES {
        let programs = programs(language);
        let count: usize = programs.iter().map(|program| worth(&guests::read(program, language))).sum();
        println!("{language}: {} files, {count} programs' worth", programs.len());
        total += count;
    }
    assert!(total >= PROGRAMS, "there are {total}");
}

/// One test for every program and engine, and one for every expectation.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for language in guests::LANGUAGES.into_iter().chain([Language::TypeScript]) {
        for program in programs(language) {
            let name = program.replace('/', "::");
            for isolation in engines::ALL {
                let program = program.clone();
                trials.push(on_engine(
                    format!("{name}::{isolation}"),
                    Case::new(image(language), isolation),
                    move |case| {
                        compare(case, language, &program);
                    },
                ));
            }
            if !program.contains("/sandbox/") {
                trials.push(report::trial(format!("{name}::native"), move || {
                    compare_native(language, &program).completion()
                }));
            }
        }
    }
    trials
}

fn programs(language: Language) -> Vec<String> {
    guests::programs(language.name(), language)
}

/// The language whose image runs it.
fn image(language: Language) -> Language {
    if language == Language::TypeScript { Language::JavaScript } else { language }
}

fn compare(case: &Case, language: Language, program: &str) {
    let code = guests::read(program, language);
    let sandbox = case.builder().temp_output().build().unwrap();
    let options = match language {
        Language::TypeScript => RunOptions::new().filename("program.ts"),
        _ => RunOptions::new(),
    };
    let result = sandbox.run_with(&code, options).unwrap();
    if let Some(error) = &result.error {
        panic!("{}\nstdout was:\n{}", error.traceback, result.stdout);
    }
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(expectation(program), &result.stdout).unwrap();
    }
    similar_asserts::assert_eq!(expected: expected(program), found: result.stdout);
}

fn compare_native(language: Language, program: &str) -> Result<(), Skipped> {
    let code = guests::read(program, language);
    let path = guests::folder().join(format!("{program}.{}", guests::ending(language)));
    let stdout = native::stdout(language, &path, &code)?;
    similar_asserts::assert_eq!(expected: expected(program), native: stdout);
    Ok(())
}

fn expectation(program: &str) -> PathBuf {
    guests::folder().join(format!("{program}.out"))
}

fn expected(program: &str) -> String {
    let path = expectation(program);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; `INSTA_UPDATE=always` writes what comes out", path.display()))
}
