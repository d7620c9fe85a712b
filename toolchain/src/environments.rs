//! Folders below the target folder that pip and npm install into, from lock files with hashes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step, tools};

/// What pip installs somewhere.
pub(crate) struct PythonEnvironment<'a> {
    /// For people.
    pub(crate) what: &'a str,
    /// By which it is remembered what was installed.
    pub(crate) step: &'a str,
    pub(crate) folder: PathBuf,
    pub(crate) pins: &'a str,
    /// A file that is there once it is installed.
    pub(crate) output: PathBuf,
}

/// Installs it in a folder of its own. Returns whether there was anything to do.
///
/// The caller holds the lock.
pub(crate) fn python(project: &Project, environment: &PythonEnvironment<'_>) -> Result<bool> {
    let PythonEnvironment { what, step: name, folder, pins, output } = environment;
    let interpreter = tools::find("python3").context("python3 is gone")?;
    let inputs = Fingerprint::new()
        .text("python", tools::version(&interpreter)?)
        .text("place", folder.as_os_str().as_encoded_bytes())
        .file(project.root(), pins)?;
    step(project, name, inputs, std::slice::from_ref(output), || {
        empty(folder)?;
        Invocation::new("create a Python environment", interpreter)
            .args(["-m", "venv"])
            .arg(folder)
            .hint("Debian keeps this module in a package of its own: `apt-get install python3-venv`")
            .run()?;
        Invocation::new(format!("install {what}"), folder.join("bin/python"))
            .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes"])
            .args(["--only-binary", ":all:", "--requirement"])
            .arg(project.path(pins))
            .hint("it comes from PyPI, which must be reachable once; it is prebuilt for Linux, macOS and Windows")
            .run()
    })
}

/// What npm installs somewhere.
pub(crate) struct NodeEnvironment<'a> {
    /// For people.
    pub(crate) what: &'a str,
    /// By which it is remembered what was installed.
    pub(crate) step: &'a str,
    pub(crate) folder: PathBuf,
    /// The manifest and the lock file.
    pub(crate) pins: [&'a str; 2],
    /// Files that are there once it is installed.
    pub(crate) outputs: &'a [PathBuf],
}

/// Installs it in a folder of its own. Returns whether there was anything to do.
///
/// The caller holds the lock.
pub(crate) fn node(project: &Project, environment: &NodeEnvironment<'_>) -> Result<bool> {
    let NodeEnvironment { what, step: name, folder, pins, outputs } = environment;
    let inputs = pins.iter().try_fold(Fingerprint::new(), |inputs, pins| inputs.file(project.root(), pins))?;
    step(project, name, inputs, outputs, || {
        empty(folder)?;
        for pins in pins.map(Path::new) {
            let name = pins.file_name().context("a pin is a file")?;
            fs::copy(project.path(pins), folder.join(name))
                .with_context(|| format!("cannot copy {}", pins.display()))?;
        }
        Invocation::new(format!("install {what}"), "npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .directory(folder)
            .hint("they come from the npm registry, which must be reachable once")
            .run()
    })
}

/// Removes what an earlier version has left in a folder.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
