//! What npm reports about a `package.json` with exact versions.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use super::{Findings, Version, compare};
use crate::{invocation::Invocation, project::Project};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    #[serde(default)]
    dev_dependencies: BTreeMap<String, String>,
    #[serde(default)]
    optional_dependencies: BTreeMap<String, String>,
}

pub(super) fn look(project: &Project, folder: &str) -> Result<Findings> {
    let path = project.path(folder).join("package.json");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let manifest: Manifest = serde_json::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
    let mut findings = Findings::default();
    let Manifest { dependencies, dev_dependencies, optional_dependencies } = manifest;
    for (name, current) in dependencies.into_iter().chain(dev_dependencies).chain(optional_dependencies) {
        let compatible = view(&format!("{name}@^{current}"))?;
        let newest = view(&name)?;
        findings.versions.push(Version { name, current, compatible, newest });
    }
    let update = npm("list outdated locked packages")
        .args(["update", "--dry-run", "--package-lock-only", "--ignore-scripts", "--no-audit", "--json"])
        .directory(project.path(folder))
        .output()?;
    let changed = serde_json::from_str::<Value>(&update).ok().and_then(|update| update["changed"].as_u64());
    if let Some(changed @ 1..) = changed {
        findings.notes.push(format!("{changed} locked packages have newer versions that `npm update` would install"));
    }
    Ok(findings)
}

/// The newest version that matches.
fn view(specification: &str) -> Result<Option<String>> {
    let said = npm(&format!("ask for versions of {specification}")).args(["view", specification, "version", "--json"]);
    Ok(newest(&said.output()?))
}

fn npm(title: &str) -> Invocation {
    Invocation::new(title, "npm").env("npm_config_fetch_retries", "0").env("npm_config_fetch_timeout", "20000")
}

/// npm prints one version, or a list in the order of publication.
fn newest(said: &str) -> Option<String> {
    match serde_json::from_str(said).ok()? {
        Value::String(version) => Some(version),
        Value::Array(versions) => {
            let versions = versions.into_iter().filter_map(|version| version.as_str().map(ToOwned::to_owned));
            versions.max_by(|one, other| compare(one, other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_not_the_last_that_was_published() {
        assert_eq!(newest(r#"["22.23.3", "22.9.0"]"#).as_deref(), Some("22.23.3"));
        assert_eq!(newest("\"6.0.3\"").as_deref(), Some("6.0.3"));
        assert_eq!(newest(""), None);
    }
}
