//! What pip would install today for the pins of a requirements file.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::{Findings, Version};
use crate::{invocation::Invocation, project::Project};

/// The Python that packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// The guest: pure Python only.
    Guest,
    /// CPython on Linux, of a version that this machine need not have. What is compiled for the guest has the same versions.
    Linux,
    ThisMachine,
}

#[derive(Deserialize)]
struct Report {
    install: Vec<Install>,
}

#[derive(Deserialize)]
struct Install {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    version: String,
}

pub(super) fn look(project: &Project, pins: &str, target: For) -> Result<Findings> {
    let path = project.path(pins);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    compare(project, &text, target)
}

/// Compares the pins of a text.
pub(super) fn compare(project: &Project, text: &str, target: For) -> Result<Findings> {
    let pinned = pinned(text);
    let mut pip = Invocation::new("ask for newer versions", "python3")
        .args(["-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", "-"])
        .args(["--only-binary", ":all:", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]);
    let platform = match target {
        For::Guest => {
            ["--implementation", "py", "--abi", "none", "--platform", "any", "--python-version", "3.14"].as_slice()
        }
        For::Linux => &[
            "--implementation",
            "cp",
            "--python-version",
            "3.14",
            "--platform",
            "manylinux_2_28_x86_64",
            // pip does not derive the older ones.
            "--platform",
            "manylinux_2_27_x86_64",
            "--platform",
            "manylinux_2_24_x86_64",
            "--platform",
            "manylinux2014_x86_64",
        ],
        For::ThisMachine => &[],
    };
    if !platform.is_empty() {
        // A directory for packages of another Python; a dry run writes nothing.
        pip = pip.args(platform).arg("--target").arg(project.toolchain().join("outdated"));
    }
    findings(pinned, &pip.args(names(text)).output()?)
}

fn findings(pinned: BTreeMap<String, String>, said: &str) -> Result<Findings> {
    let report: Report = serde_json::from_str(said).context("cannot read pip's report")?;
    let newest: BTreeMap<_, _> =
        report.install.into_iter().map(|install| (normal(&install.metadata.name), install.metadata.version)).collect();
    let version = |(name, current): (String, String)| {
        let newest = newest.get(&name).cloned();
        Version { name, current, compatible: None, newest }
    };
    Ok(Findings { versions: pinned.into_iter().map(version).collect(), notes: Vec::new() })
}

/// The name and the rest of each line with a pin.
fn pins(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once("=="))
}

fn pinned(text: &str) -> BTreeMap<String, String> {
    let pins = pins(text);
    pins.map(|(name, rest)| (normal(name), rest.split([' ', ';', '\\']).next().unwrap_or_default().to_owned()))
        .collect()
}

/// The names with their conditions, because some packages are for other systems.
fn names(text: &str) -> impl Iterator<Item = String> {
    pins(text).map(|(name, rest)| {
        let condition = rest.split_once(';').map(|(_, condition)| condition.trim_end_matches(['\\', ' ']));
        condition.map_or_else(|| name.to_owned(), |condition| format!("{name};{condition}"))
    })
}

/// Registries treat all of these as the same name.
fn normal(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_lowercase().replace(['_', '.'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINS: &str = "# a==b; words\nTyping_Extensions==4.15.0 \\\n    --hash=sha256:00\npywin32==311 ; sys_platform == 'win32' \\\n    --hash=sha256:01\n";

    #[test]
    fn pins_are_read_with_their_conditions() {
        let pinned = pinned(PINS);
        assert_eq!(pinned["typing-extensions"], "4.15.0");
        assert_eq!(pinned["pywin32"], "311");
        assert_eq!(names(PINS).collect::<Vec<_>>(), ["Typing_Extensions", "pywin32; sys_platform == 'win32'"]);
    }

    #[test]
    fn what_pip_does_not_install_here_is_not_behind() {
        let said = r#"{"install": [{"metadata": {"name": "typing_extensions", "version": "4.16.0"}}]}"#;
        let findings = findings(pinned(PINS), said).unwrap();
        let behind: Vec<_> = findings.versions.iter().filter(|version| version.is_behind()).collect();
        assert_eq!(behind.len(), 1);
        assert_eq!(behind[0].newest.as_deref(), Some("4.16.0"));
    }
}
