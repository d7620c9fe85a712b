//! Libraries in C and C++ that extension modules are linked with. Their sources are those of a Python package, or of a crate that
//! contains them.
//!
//! Each has a description in `toolchain/extensions/libraries`, which `toolchain/extensions/build.py` reads as well.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step};

/// The folder of the descriptions.
pub(crate) const FOLDER: &str = "toolchain/extensions/libraries";

/// What the description says that matters here.
#[derive(Debug, Deserialize)]
pub(crate) struct Library {
    pub(crate) version: String,
    /// Of the archive.
    sha256: String,
    #[serde(flatten)]
    pub(crate) origin: Origin,
}

/// Where the archive comes from.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    /// The name of a crate.
    Crate(String),
    /// The name of a package on PyPI.
    Package(String),
}

/// Adds what is described of a library: a file, and a folder if it has headers that its own build would write.
pub(super) fn inputs(project: &Project, name: &str, inputs: Fingerprint) -> Result<Fingerprint> {
    let inputs = inputs.file(project.root(), description(name))?;
    let headers = format!("{FOLDER}/{name}");
    if project.path(&headers).is_dir() { inputs.tree(project.root(), headers) } else { Ok(inputs) }
}

/// The descriptions of all libraries.
pub(crate) fn descriptions(project: &Project) -> Result<Vec<PathBuf>> {
    let folder = project.path(FOLDER);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect())
}

/// The description of a library, below the folder of the project.
fn description(name: &str) -> String {
    format!("{FOLDER}/{name}.json")
}

/// Reads a description.
pub(crate) fn read(file: &Path) -> Result<Library> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", file.display()))
}

/// Downloads the sources of a library unless they are there: a crate with cargo, a package of PyPI as the caller does with its
/// name, the digest and where to write the archive. Returns the archive.
pub(super) fn archive(
    project: &Project,
    name: &str,
    download: impl FnOnce(&str, &str, &Path) -> Result<()>,
) -> Result<PathBuf> {
    let library = read(&project.path(description(name)))?;
    let archive = project.toolchain().join("extensions/libraries").join(format!("{name}.tar.gz"));
    match &library.origin {
        Origin::Package(package) => download(package, &library.sha256, &archive)?,
        Origin::Crate(package) => {
            let inputs = Fingerprint::new().text("sha256", &library.sha256);
            step(project, &format!("extensions-{name}-source"), inputs, std::slice::from_ref(&archive), || {
                let found = download_crate(project, package, &library)?;
                fs::copy(&found, &archive).with_context(|| format!("cannot copy {}", found.display())).map(drop)
            })?;
        }
    }
    Ok(archive)
}

/// Lets cargo download a crate, of which it keeps the archive. `build.py` compares its digest.
fn download_crate(project: &Project, name: &str, library: &Library) -> Result<PathBuf> {
    let folder = project.toolchain().join("extensions/libraries").join(name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let version = &library.version;
    let manifest = format!(
        "[package]\nname = \"sources-of-{name}\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[dependencies]\n{name} = \"={version}\"\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("lib.rs"), "")?;
    Invocation::cargo(format!("download the sources of {name}"))
        .args(["fetch", "--target", "wasm32-unknown-unknown"])
        .directory(&folder)
        .hint("they come from the registry of crates, which must be reachable once")
        .run()?;
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let cache = home.context("cargo has no home")?.join("registry/cache");
    let file = format!("{name}-{version}.crate");
    let registries = fs::read_dir(&cache).with_context(|| format!("cannot list {}", cache.display()))?;
    let mut archives = registries.filter_map(|registry| Some(registry.ok()?.path().join(&file)));
    archives.find(|archive| archive.is_file()).with_context(|| format!("cargo has no {file} in {}", cache.display()))
}
