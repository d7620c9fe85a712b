//! Whether every file of a folder is run by a test: none is forgotten, misnamed or left over.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// Every file below a folder, as paths below it, sorted.
///
/// # Panics
/// The folder cannot be listed.
#[must_use]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    found.sort();
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).expect("it was found below").to_owned());
        }
    }
}

/// Compares the files of a folder with the tests that were registered for them.
///
/// `tests_of` gives the names of the tests that run a file, or the reason why nothing can run it.
///
/// # Errors
/// A list of the files that no test runs, each with the reason, and of the tests that have no file.
pub fn compare(
    folder: &Path,
    registered: &BTreeSet<String>,
    tests_of: impl Fn(&Path) -> Result<Vec<String>, String>,
) -> Result<(), String> {
    let files = files(folder);
    if files.is_empty() {
        return Err(format!("{} has no files", folder.display()));
    }
    let mut report = String::new();
    let mut expected = BTreeSet::new();
    for file in files {
        match tests_of(&file) {
            Ok(tests) => {
                for test in tests.iter().filter(|test| !registered.contains(*test)) {
                    let _ = writeln!(report, "`{}` is not run: there is no test `{test}`", file.display());
                }
                expected.extend(tests);
            }
            Err(reason) => {
                let _ = writeln!(report, "`{}` is not run: {reason}", file.display());
            }
        }
    }
    for test in registered.difference(&expected) {
        let _ = writeln!(report, "the test `{test}` has no file");
    }
    if report.is_empty() { Ok(()) } else { Err(format!("{}:\n{report}", folder.display())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests_of(file: &Path) -> Result<Vec<String>, String> {
        let text = file.to_str().unwrap();
        text.strip_suffix(".py")
            .map(|name| vec![format!("{name}::wasm")])
            .ok_or_else(|| "its ending is not `py`".into())
    }

    fn compared(files: &[&str], registered: &[&str]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        compare(folder.path(), &registered.iter().map(ToString::to_string).collect(), tests_of)
    }

    #[test]
    fn equal_sets_pass() {
        compared(&["a.py", "b/c.py"], &["a::wasm", "b/c::wasm"]).unwrap();
    }

    #[test]
    fn differences_are_named() {
        for (files, registered, message) in [
            (&["a.py", "b/c.py"][..], &["a::wasm"][..], "`b/c.py` is not run: there is no test `b/c::wasm`"),
            (&["a.py", "b/c.rb"], &["a::wasm"], "`b/c.rb` is not run: its ending is not `py`"),
            (&["a.py"], &["a::wasm", "b::wasm"], "the test `b::wasm` has no file"),
            (&[], &[], "has no files"),
        ] {
            let error = compared(files, registered).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
