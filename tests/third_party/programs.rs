//! Programs as models write them, one file each: the guest prints the same as the language's own interpreter.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::OnceLock,
};

use isolette::{Isolation, Language};
use isolette_tests::{Case, Outcome as _, Skipped, every_file, libtest_mimic::Trial, native, report};

use crate::{differences::Differences, folder};

/// The list of known differences, beside the folders of programs.
const LIST: &str = "differences.txt";

pub(crate) fn trials() -> Vec<Trial> {
    let programs = folder().join("programs");
    let mut trials = Vec::new();
    let mut names = BTreeSet::new();
    for path in every_file::files(&programs) {
        if let Some((language, name)) = program(&path) {
            let (test, path) = (test_of(&name), programs.join(path));
            names.insert(name.clone());
            trials.push(report::trial(test, move || compare(language, &name, &path).completion()));
        }
    }
    let registered: BTreeSet<String> = trials.iter().map(|trial| trial.name().to_owned()).collect();
    trials.push(report::trial("programs::every_third_party_program_is_run".to_owned(), move || {
        let tests_of = |path: &Path| match program(path) {
            Some((_, name)) => Ok(vec![test_of(&name)]),
            None if path == Path::new(LIST) => Ok(Vec::new()),
            None => Err("it is not `python/NAME.py`, `javascript/NAME.js` or `typescript/NAME.{ts,mts}`".to_owned()),
        };
        every_file::compare(&programs, &registered, tests_of).unwrap_or_else(|error| panic!("{error}"));
        ().completion()
    }));
    trials.push(report::trial("programs::every_difference_is_of_a_program_that_is_run".to_owned(), move || {
        assert_eq!(differences().those("differs", |name| !names.contains(name)), BTreeSet::new());
        ().completion()
    }));
    trials
}

/// The language of a file, and its path without the ending: `python/word_count`.
fn program(path: &Path) -> Option<(Language, String)> {
    let (name, ending) = path.to_str()?.rsplit_once('.')?;
    let (folder, _) = name.split_once('/')?;
    let language = match (folder, ending) {
        ("python", "py") => Language::Python,
        ("javascript", "js") => Language::JavaScript,
        ("typescript", "ts" | "mts") => Language::TypeScript,
        _ => return None,
    };
    Some((language, name.to_owned()))
}

fn test_of(name: &str) -> String {
    format!("programs::{}", name.replace('/', "::"))
}

fn differences() -> &'static Differences {
    static DIFFERENCES: OnceLock<Differences> = OnceLock::new();
    DIFFERENCES.get_or_init(|| Differences::read(&folder().join("programs").join(LIST)))
}

fn compare(language: Language, name: &str, path: &Path) -> Result<(), Skipped> {
    let code = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expected = native::stdout(language, path, &code)?;
    let case = Case::new(language, Isolation::Wasm);
    let found = match case.builder().temp_output().build().expect("a sandbox").run(&code) {
        Ok(result) => match result.error {
            None => result.stdout,
            Some(error) => format!("{}{}", result.stdout, error.traceback),
        },
        Err(error) => error.to_string(),
    };
    let mut differing = BTreeMap::new();
    if found != expected {
        differing.insert(name.to_owned(), first_difference(&expected, &found));
    }
    differences().assert("differs", &differing, |other| other == name);
    Ok(())
}

/// The first line that differs, natively and in the guest, which often ends in an exception.
fn first_difference(expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(expected, found)| expected == found).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(its end)").to_owned();
    let end = found.lines().next_back().unwrap_or_default();
    format!("line {}\nexpected: {}\nfound:    {}\nits last: {end}", same + 1, line(expected), line(found))
}
