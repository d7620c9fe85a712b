//! What cargo reports about a lock file and about exact pins, which `cargo update` would not change.

use std::{collections::BTreeMap, env};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::{Findings, Version};
use crate::{invocation::Invocation, project::Project};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    /// Empty for packages of this checkout.
    source: Option<String>,
}

pub(super) fn look(project: &Project, folder: &str) -> Result<Findings> {
    let directory = project.path(folder);
    let metadata = Invocation::cargo("list the direct dependencies")
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .directory(&directory)
        .output()?;
    let direct = direct(&metadata)?;
    let said = Invocation::cargo("ask for newer versions")
        .args(["update", "--dry-run", "--verbose", "--color=never"])
        .env("CARGO_TERM_PROGRESS_WHEN", "never")
        .env("CARGO_NET_RETRY", "1")
        .directory(&directory)
        .messages()?;
    let found = said.lines().filter_map(line).collect::<Vec<_>>();
    let mut findings = Findings::default();
    for (name, requirement) in &direct {
        findings.versions.push(match found.iter().rfind(|version| version.name == *name) {
            Some(version) => version.clone(),
            None => Version { name: name.clone(), current: String::new(), compatible: None, newest: None },
        });
        if let (Some(pin), Some(version)) = (requirement.strip_prefix('='), findings.versions.last_mut()) {
            pin.clone_into(&mut version.current);
            let pinned = pinned(name, pin)?;
            version.compatible = pinned.compatible;
            version.newest = pinned.newest.or(version.newest.take());
        }
    }
    let indirect = found.iter().filter(|version| !direct.contains_key(&version.name));
    let (compatible, other): (Vec<_>, Vec<_>) = indirect.partition(|version| version.compatible.is_some());
    if !compatible.is_empty() || !other.is_empty() {
        findings.notes.push(format!(
            "indirect dependencies: {} have newer versions that `cargo update` would take, {} have newer ones that what depends \
             on them does not allow",
            compatible.len(),
            other.len()
        ));
    }
    Ok(findings)
}

/// Compares one pin.
pub(super) fn pinned(name: &str, pin: &str) -> Result<Version> {
    let (line, newest) = newest(name, pin)?;
    Ok(Version { name: name.to_owned(), current: pin.to_owned(), compatible: Some(line), newest })
}

/// Direct dependencies from a registry, with their requirements.
fn direct(metadata: &str) -> Result<BTreeMap<String, String>> {
    let metadata: Metadata = serde_json::from_str(metadata).context("cannot read cargo's metadata")?;
    let all = metadata.packages.into_iter().flat_map(|package| package.dependencies);
    Ok(all.filter(|dependency| dependency.source.is_some()).map(|one| (one.name, one.req)).collect())
}

/// `Updating serde v1.0.1 -> v1.0.2`, or `Unchanged rand v0.9.5 (available: v0.10.4)`. Other lines contain no newer version.
fn line(text: &str) -> Option<Version> {
    let mut words = text.split_whitespace();
    let verb = words.next()?;
    let name = words.next()?.to_owned();
    let current = words.next()?.strip_prefix('v')?.to_owned();
    let (compatible, newest) = match verb {
        "Updating" => {
            let to = text.split_once("-> v")?.1.split_whitespace().next()?;
            (Some(to.to_owned()), None)
        }
        "Unchanged" => (None, available(text)),
        _ => return None,
    };
    Some(Version { name, current, compatible, newest: newest.or_else(|| available(text)) })
}

fn available(text: &str) -> Option<String> {
    let version = text.split_once("(available: v")?.1.split([')', ',']).next()?;
    Some(version.to_owned())
}

/// The newest version compatible with a pin, and the newest of all if it differs.
fn newest(name: &str, pin: &str) -> Result<(String, Option<String>)> {
    let said = Invocation::cargo(format!("ask for versions of {name}"))
        .args(["info", "--color=never", &format!("{name}@{}", line_of(pin))])
        // Inside the project, cargo would report the locked version.
        .directory(env::temp_dir())
        .env("CARGO_NET_RETRY", "1")
        .output()?;
    let version = said.lines().find_map(|line| line.strip_prefix("version: ")).context("cargo reports no version")?;
    let (line, rest) = version.split_once(' ').unwrap_or((version, ""));
    let newest = rest.split_once("(latest ").and_then(|(_, rest)| rest.split([' ', ')']).next());
    Ok((line.to_owned(), newest.map(ToOwned::to_owned)))
}

/// The prefix that semantic versioning considers compatible: `36` of 36.0.20, `0.258` of 0.258.0.
fn line_of(pin: &str) -> String {
    let parts: Vec<&str> = pin.split('.').collect();
    let significant = parts.iter().take_while(|part| **part == "0").count() + 1;
    parts[..significant.min(parts.len())].join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_are_read() {
        let version = line("    Updating serde v1.0.1 -> v1.0.2").unwrap();
        assert_eq!((version.name.as_str(), version.compatible.as_deref()), ("serde", Some("1.0.2")));
        let version = line("   Unchanged rand v0.9.5 (available: v0.10.4, requires Rust 1.95)").unwrap();
        assert_eq!((version.current.as_str(), version.newest.as_deref()), ("0.9.5", Some("0.10.4")));
        for other in ["    Updating crates.io index", "      Adding new v1.0.0", "note: to see how", ""] {
            assert_eq!(line(other), None, "{other}");
        }
    }

    #[test]
    fn a_line_is_what_is_compatible() {
        for (pin, line) in [("36.0.20", "36"), ("0.258.0", "0.258"), ("0.0.3", "0.0.3"), ("1", "1")] {
            assert_eq!(line_of(pin), line);
        }
    }

    #[test]
    fn what_is_in_the_checkout_is_no_dependency_to_look_up() {
        let metadata = r#"{"packages": [{"dependencies": [
            {"name": "isolette", "req": "*", "source": null},
            {"name": "wasmtime", "req": "=36.0.20", "source": "registry+x"}]}]}"#;
        assert_eq!(direct(metadata).unwrap(), BTreeMap::from([("wasmtime".to_owned(), "=36.0.20".to_owned())]));
    }
}
