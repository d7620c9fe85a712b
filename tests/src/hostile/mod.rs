//! Hostile programs: each is a file `hostile/programs/<family>/<name>.{py,js}` whose header says what it does and how it may
//! end.

mod ending;
mod header;

use std::{
    fs,
    path::{Path, PathBuf},
};

use isolette::Language;

pub use self::{
    ending::{Ended, Ending, Expectation, describe},
    header::Header,
};
use crate::guests;

/// What the programs of a family are run with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// Some of everything that a sandbox can provide, with short limits. Every program exists in both languages.
    GuestContext,
    /// Nothing, with the default limits: deep nesting needs memory.
    DefaultLimits,
    /// As [`Setup::DefaultLimits`], for a program in TypeScript that is too long for a file: the file is in JavaScript, and
    /// its value is the program.
    GeneratedTypeScript,
}

impl Setup {
    fn of_family(family: &str) -> Self {
        match family {
            "stack" => Self::DefaultLimits,
            "typescript" => Self::GeneratedTypeScript,
            _ => Self::GuestContext,
        }
    }
}

/// A program, with what its file says of it.
#[derive(Clone, Debug)]
pub struct Program {
    /// `<family>/<name>`.
    pub name: String,
    /// The language of the file.
    pub language: Language,
    /// What it is run with.
    pub setup: Setup,
    /// How it may end.
    pub expectation: Expectation,
    /// The text of the file.
    pub code: String,
}

/// The folder of all families.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hostile/programs")
}

impl Program {
    /// Reads a file, by its path below a folder of families.
    ///
    /// # Errors
    /// The file is not where programs are, has another ending or cannot be read, or its header is wrong.
    pub fn read(folder: &Path, path: &Path) -> Result<Self, String> {
        let place = || format!("`{}` is not `<family>/<name>.py` or `<family>/<name>.js`", path.display());
        let text = path.to_str().ok_or_else(place)?;
        let (name, ending) = text.rsplit_once('.').ok_or_else(place)?;
        let family = match name.split('/').collect::<Vec<_>>()[..] {
            [family, name] if !name.is_empty() => family,
            _ => return Err(place()),
        };
        let language =
            guests::LANGUAGES.into_iter().find(|language| guests::ending(*language) == ending).ok_or_else(place)?;
        let code = fs::read_to_string(folder.join(path)).map_err(|error| format!("{text}: {error}"))?;
        let header = Header::parse(&code, language).map_err(|error| format!("{text}: {error}"))?;
        let setup = Setup::of_family(family);
        Ok(Self { name: name.to_owned(), language, setup, expectation: header.expectation, code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, code: &str) -> Result<Program, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, code).unwrap();
        Program::read(folder.path(), Path::new(path))
    }

    #[test]
    fn a_program_is_a_file_of_a_family() {
        let program = read("loops/plain.py", "# A loop.\n# expect: timeout\n\nwhile True: pass\n").unwrap();
        assert_eq!(
            (&*program.name, program.language, program.setup),
            ("loops/plain", Language::Python, Setup::GuestContext)
        );
        let program = read("typescript/dots.js", "// Dots.\n// expect: value\n\n1;\n").unwrap();
        assert_eq!((program.language, program.setup), (Language::JavaScript, Setup::GeneratedTypeScript));
    }

    #[test]
    fn an_error_names_the_file_and_what_is_allowed() {
        for path in ["plain.py", "loops/deep/plain.py", "loops/plain.rb", "loops/plain", "loops/.py"] {
            let error = read(path, "# A loop.\n# expect: timeout\n\n1\n").unwrap_err();
            assert!(error.contains(path) && error.contains("<family>/<name>.js"), "{error}");
        }
        let error = read("loops/plain.py", "# A loop.\n# expect: tiemout\n\n1\n").unwrap_err();
        assert!(error.starts_with("loops/plain.py: ") && error.contains("`host call rate`"), "{error}");
    }
}
