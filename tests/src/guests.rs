//! Guest programs are files, so that they can be read, run and linted as what they are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use isolette::Language;

use crate::every_file;

/// The languages of guest programs. TypeScript runs in the guest for JavaScript.
pub const LANGUAGES: [Language; 2] = [Language::Python, Language::JavaScript];

/// The folder that holds all of them.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guests")
}

/// The extension of files of a language.
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

/// Every program of a language below the folder that has its name, as paths below `guests/` without their endings, sorted.
#[must_use]
pub fn programs(language: Language) -> Vec<String> {
    let folder = Path::new(language.name());
    let files = every_file::files(&self::folder().join(folder)).into_iter();
    files
        .filter(|file| file.extension().is_some_and(|found| found == ending(language)))
        .map(|file| folder.join(file).with_extension("").to_str().expect("names of guests are UTF-8").to_owned())
        .collect()
}
