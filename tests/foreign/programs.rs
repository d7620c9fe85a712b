//! Programs as models write them, one file each: the guest prints what the language's own interpreter prints.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use isolette::{Isolation, Language};
use isolette_tests::{Case, Outcome as _, Skipped, libtest_mimic::Trial, native, report};

use crate::{differences::Differences, folder};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut names = BTreeSet::new();
    for (language, subfolder) in
        [(Language::Python, "python"), (Language::JavaScript, "javascript"), (Language::TypeScript, "typescript")]
    {
        for path in files(&folder().join("programs").join(subfolder)) {
            let name = path.file_stem().expect("a program has a name").to_string_lossy().into_owned();
            let name = format!("{subfolder}/{name}");
            names.insert(name.clone());
            trials.push(report::trial(format!("programs::{}", name.replace('/', "::")), move || {
                compare(language, &name, &path).completion()
            }));
        }
    }
    trials.push(report::trial("programs::every_difference_is_of_a_program_that_is_run".to_owned(), move || {
        assert_eq!(differences().those("differs", |name| !names.contains(name)), BTreeSet::new());
        isolette_tests::libtest_mimic::Completion::Completed
    }));
    trials
}

fn differences() -> &'static Differences {
    static DIFFERENCES: OnceLock<Differences> = OnceLock::new();
    DIFFERENCES.get_or_init(|| Differences::read(&folder().join("programs/differences.txt")))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of a folder").path()).collect();
    paths.sort();
    paths
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

/// The first line that is another, with what it is natively, and how it ends here: often in an exception.
fn first_difference(expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(expected, found)| expected == found).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(its end)").to_owned();
    let end = found.lines().next_back().unwrap_or_default();
    format!("line {}\nexpected: {}\nfound:    {}\nits last: {end}", same + 1, line(expected), line(found))
}
