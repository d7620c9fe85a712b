//! Patches of QuickJS (`guest-js/engine`), which are applied to its sources when cargo compiles it.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::{
    fingerprint::Fingerprint,
    invocation::Invocation,
    project::{self, Project},
    tools::GUEST_TARGET,
};

const CRATE: &str = "guest-js";
const FOLDER: &str = "guest-js/engine";

/// The file with the flag. Cargo compiles the engine again when this flag changes, because it does not track the patches.
const SETTINGS: &str = "guest-js/.cargo/config.toml";

/// The crate that contains the source of the engine.
const SOURCE: &str = "rquickjs-sys";

/// Tests that every patch applies to the pinned sources.
pub(crate) fn test(project: &Project) -> Result<()> {
    ensure_flag(project)?;
    Invocation::new("test that the patches of QuickJS apply", "node")
        .arg("--test")
        .arg(project.path(FOLDER).join("patches.test.mjs"))
        .env("ENGINE_SOURCE", source(project)?)
        .hint("what a patch expects is above; guest-js/README.md describes how to adapt it")
        .run()
}

/// Fails if the flag does not belong to the current patches.
pub(super) fn ensure_flag(project: &Project) -> Result<()> {
    let patches = Fingerprint::new().tree(project.root(), format!("{FOLDER}/patches"))?;
    let add = |inputs: Fingerprint, name| inputs.file(project.root(), format!("{FOLDER}/{name}"));
    let inputs = ["compiler.mjs", "patches.mjs"].into_iter().try_fold(patches, add)?;
    let flag = format!("-DISOLETTE_ENGINE=0x{}", &inputs.finish()[..8]);
    let settings = fs::read_to_string(project.path(SETTINGS)).with_context(|| format!("cannot read {SETTINGS}"))?;
    ensure!(
        settings.contains(&format!("\"{flag}\"")),
        "{FOLDER} has changed, and cargo would not compile QuickJS again\n\
         hint: set CFLAGS_wasm32_unknown_unknown in {SETTINGS} to {flag}"
    );
    Ok(())
}

/// Returns the folder with the published sources of the engine, in the version that the lock file pins.
fn source(project: &Project) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        manifest_path: PathBuf,
    }
    let metadata = Invocation::cargo("find the sources of QuickJS")
        .args(["metadata", "--format-version=1", "--filter-platform", GUEST_TARGET])
        .args(project::locked())
        .directory(project.path(CRATE))
        .hint("it comes from crates.io, which must be reachable once")
        .output()?;
    let metadata: Metadata = serde_json::from_str(&metadata).context("cannot read cargo's metadata")?;
    let package = metadata.packages.into_iter().find(|package| package.name == SOURCE);
    let manifest = package.with_context(|| format!("{CRATE} does not depend on {SOURCE}"))?.manifest_path;
    Ok(manifest.with_file_name("quickjs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_patch_needs_another_flag() {
        let directory = tempfile::tempdir().unwrap();
        let project = Project::at(directory.path(), &directory.path().join("target"));
        let write = |path: &str, text: &str| {
            let path = project.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in ["compiler.mjs", "patches.mjs", "patches/0001-one.patch"] {
            write(&format!("{FOLDER}/{name}"), name);
        }
        write(SETTINGS, "value = \"-DISOLETTE_ENGINE=5\"");
        let error = ensure_flag(&project).unwrap_err().to_string();
        let (_, flag) = error.split_once(&format!("{SETTINGS} to ")).unwrap();
        write(SETTINGS, &format!("value = \"{flag}\""));
        ensure_flag(&project).unwrap();
        write(&format!("{FOLDER}/patches/0001-one.patch"), "changed");
        ensure_flag(&project).unwrap_err();
    }
}
