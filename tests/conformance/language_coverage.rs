//! Language coverage: programs below `guests/python`, `guests/javascript` and `guests/typescript`, and what they print.
//!
//! Each is compared with a committed expectation, on every engine. The expectation itself is compared with what the
//! language's own interpreter prints, where the machine has one, except for programs in `sandbox/` folders, which are
//! about the sandbox itself. For TypeScript that is Node, with what the compiler of TypeScript makes of the program.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use isolette::{Language, RunOptions};
use isolette_tests::{
    Case, Outcome as _, Skipped, engines, every_file, guests, libtest_mimic::Trial, native, on_engine, report,
};

const LANGUAGES: [Language; 3] = [Language::Python, Language::JavaScript, Language::TypeScript];

/// One test for every program and engine, one for every expectation, and one for each language that none is missing.
pub(crate) fn trials() -> Vec<Trial> {
    LANGUAGES.into_iter().flat_map(trials_of).collect()
}

fn trials_of(language: Language) -> Vec<Trial> {
    let mut trials = Vec::new();
    for program in guests::programs(language) {
        for isolation in engines::ALL {
            let (name, program) = (test_of(&program, &isolation.to_string()), program.clone());
            trials.push(on_engine(name, Case::new(image(language), isolation), move |case| {
                compare(case, language, &program);
            }));
        }
        if has_native_test(&program) {
            trials.push(report::trial(test_of(&program, "native"), move || {
                compare_native(language, &program).completion()
            }));
        }
    }
    let registered: BTreeSet<String> = trials.iter().map(|trial| trial.name().to_owned()).collect();
    trials.push(report::trial(format!("language_coverage::every_{language}_program_is_run"), move || {
        let folder = guests::folder().join(language.name());
        every_file::compare(&folder, &registered, |path| tests_of(language, path))
            .unwrap_or_else(|error| panic!("{error}"));
        ().completion()
    }));
    trials
}

/// `python::dates_and_times::wasm`.
fn test_of(program: &str, how: &str) -> String {
    format!("{}::{how}", program.replace('/', "::"))
}

/// The tests that have to do with a file below the folder of a language.
fn tests_of(language: Language, path: &Path) -> Result<Vec<String>, String> {
    let ending = guests::ending(language);
    let program = Path::new(language.name()).join(path).with_extension("");
    let program = program.to_str().ok_or("its name is not UTF-8")?;
    match path.extension().and_then(|found| found.to_str()) {
        Some(found) if found == ending || found == "out" => {}
        _ => return Err(format!("its ending is neither `{ending}` (a program) nor `out` (what a program prints)")),
    }
    let other = if path.extension().is_some_and(|found| found == "out") { ending } else { "out" };
    if !guests::folder().join(program).with_extension(other).exists() {
        return Err(format!("there is no `{program}.{other}` beside it"));
    }
    let engines = engines::ALL.map(|isolation| test_of(program, &isolation.to_string()));
    Ok(engines.into_iter().chain(has_native_test(program).then(|| test_of(program, "native"))).collect())
}

/// Whether the language's own interpreter prints the same: programs about the sandbox itself can only run in it.
fn has_native_test(program: &str) -> bool {
    !program.contains("/sandbox/")
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
