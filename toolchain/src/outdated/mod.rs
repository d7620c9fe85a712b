//! `cargo xtask outdated`: lists pinned and locked versions with newer releases in the registries.
//!
//! It changes nothing, and fails only if the check itself fails: a newer release is not an error. Files that could not be
//! compared, for example without a network, are listed with the reason. The list goes to standard output.

mod advisories;
mod cargo;
mod libraries;
mod npm;
mod pypi;

use std::{cmp::Ordering, fmt};

use anyhow::Result;

use crate::{
    fuzz,
    image::{self, packages},
    project::Project,
    runtime, tools, wheel,
};

pub(crate) use self::advisories::note as note_of_advisories;

/// Directories with a lock file.
const CARGO: [&str; 5] = [".", "guest-js", fuzz::FOLDER, runtime::FOLDER, "examples/component-rust"];

/// Directories with a `package.json` with exact versions, and a lock file.
const NPM: [&str; 5] = ["guest-js", "tests/agents/clients", "tests/compilers", "tests/service/clients", "typescript"];

/// Requirements files of pip, and the Python that they are installed for.
const PYPI: [(&str, pypi::For); 13] = [
    (packages::BUNDLED, pypi::For::Guest),
    (tools::PYTHON_PINS, pypi::For::ThisMachine),
    (tools::AGENT_PYTHON_PINS, pypi::For::ThisMachine),
    (tools::SERVICE_PYTHON_PINS, pypi::For::ThisMachine),
    (tools::DEPLOY_PINS, pypi::For::ThisMachine),
    (tools::EXTENSION_PINS, pypi::For::ThisMachine),
    (tools::SCIENCE_PINS, pypi::For::Linux),
    ("toolchain/extensions/images/python-science.txt", pypi::For::Linux),
    ("toolchain/extensions/images/science-tests.txt", pypi::For::Linux),
    ("bench/peer/requirements.txt", pypi::For::ThisMachine),
    (wheel::PINS, pypi::For::ThisMachine),
    ("python/bench/requirements.txt", pypi::For::ThisMachine),
    ("python/tests/frameworks/requirements.txt", pypi::For::ThisMachine),
];

/// The engine stays on its branch with long-term support, so the newest version of that branch counts.
const ENGINE: &str = "wasmtime";

/// A version in use, and newer ones.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    name: String,
    current: String,
    /// The newest version that a caret requirement on the current one allows.
    compatible: Option<String>,
    newest: Option<String>,
}

impl Version {
    fn is_behind_its_line(&self) -> bool {
        self.compatible.as_deref().is_some_and(|version| older(&self.current, version))
    }

    fn is_behind(&self) -> bool {
        self.is_behind_its_line() || self.newest.as_deref().is_some_and(|version| older(&self.current, version))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, current, compatible, newest } = self;
        write!(formatter, "{name:32} {current:14}")?;
        match compatible {
            Some(version) if self.is_behind_its_line() => write!(formatter, " compatible: {version:14}")?,
            _ => write!(formatter, " {:26}", "")?,
        }
        match newest {
            Some(version) if older(current, version) => write!(formatter, " newest: {version}"),
            _ => Ok(()),
        }
    }
}

/// The result for one file.
#[derive(Debug, Default)]
struct Findings {
    versions: Vec<Version>,
    /// Notes, such as the number of outdated indirect dependencies.
    notes: Vec<String>,
}

/// Lists everything that is outdated.
pub(crate) fn outdated(project: &Project) -> Result<()> {
    let mut engines = Vec::new();
    let mut report = |file: String, looked: Result<Findings>| match looked {
        Ok(findings) => {
            let behind: Vec<_> = findings.versions.iter().filter(|version| version.is_behind()).collect();
            println!("{file}: {} of {} direct dependencies are outdated", behind.len(), findings.versions.len());
            for version in behind {
                println!("  {}", version.to_string().trim_end());
            }
            for note in findings.notes {
                println!("  {note}");
            }
            engines.extend(findings.versions.into_iter().filter(|version| version.name == ENGINE));
        }
        Err(error) => println!("{file}: not compared: {}", first_lines(&format!("{error:#}"))),
    };
    for folder in CARGO {
        report(file(folder, "Cargo.lock"), cargo::look(project, folder));
    }
    for folder in NPM {
        report(file(folder, "package.json"), npm::look(project, folder));
    }
    for (pins, target) in PYPI {
        report(pins.to_owned(), pypi::look(project, pins, target));
    }
    report(image::libraries::FOLDER.to_owned(), libraries::look(project));
    println!("{}", advisories::look(project)?);
    println!("{}", engine(&engines));
    Ok(())
}

fn file(folder: &str, name: &str) -> String {
    if folder == "." { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The last line: fixes of the engine are published as patches of its branch.
fn engine(engines: &[Version]) -> String {
    let Some(first) = engines.first() else {
        return format!("{ENGINE}: not compared");
    };
    match engines.iter().find(|engine| engine.is_behind_its_line()) {
        Some(Version { current, compatible: Some(newest), .. }) => format!(
            "{ENGINE} {current} IS OUTDATED: the newest of its branch is {newest}\nhint: its patches fix vulnerabilities; take it in \
             Cargo.toml, guest-js, fuzz and runtime at once"
        ),
        _ => format!("{ENGINE} {} is the newest of its branch", first.current),
    }
}

/// The first and the last line of a message, because one of a failed command quotes all its output.
fn first_lines(error: &str) -> String {
    let mut lines = error.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    match lines.filter_map(|line| line.strip_prefix("| ")).next_back() {
        Some(last) => format!("{first}: {last}"),
        None => first.to_owned(),
    }
}

/// Compares numbers. A version with a suffix comes before the one without.
fn older(one: &str, other: &str) -> bool {
    compare(one, other) == Ordering::Less
}

fn compare(one: &str, other: &str) -> Ordering {
    fn parts(version: &str) -> (Vec<u64>, bool, &str) {
        let (numbers, suffix) = version.split_once(['-', '+']).unwrap_or((version, ""));
        (numbers.split('.').map(|part| part.parse().unwrap_or_default()).collect(), suffix.is_empty(), suffix)
    }
    parts(one).cmp(&parts(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(current: &str, compatible: Option<&str>, newest: Option<&str>) -> Version {
        Version {
            name: ENGINE.into(),
            current: current.into(),
            compatible: compatible.map(Into::into),
            newest: newest.map(Into::into),
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (one, other) in [
            ("1.9.0", "1.10.0"),
            ("36.0.14", "36.0.20"),
            ("2.0", "2.0.1"),
            ("0.2.0-alpha.12", "0.2.0"),
            ("9", "10.0.0"),
        ] {
            assert!(older(one, other), "{one} {other}");
            assert!(!older(other, one), "{other} {one}");
        }
        assert!(!older("1.0.0", "1.0.0"));
    }

    #[test]
    fn the_line_of_the_engine_counts_not_the_newest_of_all() {
        let current = version("36.0.20", Some("36.0.20"), Some("50.0.1"));
        assert_eq!(engine(std::slice::from_ref(&current)), "wasmtime 36.0.20 is the newest of its branch");
        let behind = version("36.0.14", Some("36.0.20"), Some("50.0.1"));
        let text = engine(&[current, behind]);
        assert!(
            text.starts_with("wasmtime 36.0.14 IS OUTDATED: the newest of its branch is 36.0.20\nhint: "),
            "{text}"
        );
        assert_eq!(engine(&[]), "wasmtime: not compared");
    }

    #[test]
    fn a_version_is_shown_with_what_is_beyond_it() {
        let shown = version("1.0.0", Some("1.2.0"), Some("3.0.0")).to_string();
        assert_eq!(
            shown.split_whitespace().collect::<Vec<_>>().join(" "),
            "wasmtime 1.0.0 compatible: 1.2.0 newest: 3.0.0"
        );
        assert!(!version("1.0.0", Some("1.0.0"), None).is_behind());
        assert!(version("1.0.0", None, Some("1.0.1")).is_behind());
    }

    #[test]
    fn what_could_not_be_looked_up_says_why_in_one_line() {
        let error = "ask: the command ended with 1\n  $ cargo update\n  | no network\nhint: try";
        assert_eq!(first_lines(error), "ask: the command ended with 1: no network");
    }
}
