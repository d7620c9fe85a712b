//! Guest programs are files, so that they can be read, run and linted as what they are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use isolette::Language;

/// What guest programs are written in. TypeScript is JavaScript by the time that a guest sees it.
pub const LANGUAGES: [Language; 2] = [Language::Python, Language::JavaScript];

/// The folder that holds all of them.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guests")
}

/// How files of a language end.
#[must_use]
pub fn ending(language: Language) -> &'static str {
    match language {
        Language::Python => "py",
        Language::JavaScript => "js",
        Language::TypeScript => "ts",
        other => panic!("no ending is known for {other}"),
    }
}

/// The text of a program, by its path below `guests/` without the ending.
#[must_use]
pub fn read(program: &str, language: Language) -> String {
    let path = folder().join(format!("{program}.{}", ending(language)));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every program of a language below a folder of `guests/`, as paths below `guests/` without their endings, sorted.
#[must_use]
pub fn programs(below: &str, language: Language) -> Vec<String> {
    let mut found = Vec::new();
    collect(&folder().join(below), ending(language), &mut found);
    found.sort();
    found
}

fn collect(directory: &Path, ending: &str, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.expect("a folder of guests can be listed").path();
        if path.is_dir() {
            collect(&path, ending, found);
        } else if path.extension().is_some_and(|found| found == ending) {
            let below = path.strip_prefix(folder()).expect("it was found below").with_extension("");
            found.push(below.to_str().expect("names of guests are UTF-8").to_owned());
        }
    }
}
