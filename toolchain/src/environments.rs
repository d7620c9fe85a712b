//! Directories below the target folder into which pip and npm install the packages of lock files with hashes.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step, tools};

/// The packages that pip installs into a directory.
pub(crate) struct PythonEnvironment<'a> {
    /// The name for messages.
    pub(crate) what: &'a str,
    /// The name of the step's record.
    pub(crate) step: &'a str,
    /// The Python that the environment is made of.
    pub(crate) interpreter: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) pins: &'a str,
    /// A file that exists after the installation.
    pub(crate) output: PathBuf,
}

/// Installs the packages into their directory. Returns whether anything was out of date.
///
/// The caller holds the lock.
pub(crate) fn python(project: &Project, environment: &PythonEnvironment<'_>) -> Result<bool> {
    let PythonEnvironment { what, step: name, interpreter, folder, pins, output } = environment;
    let inputs = Fingerprint::new()
        .text("python", tools::version(interpreter)?)
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

/// The packages that npm installs into a directory.
pub(crate) struct NodeEnvironment<'a> {
    /// The name for messages.
    pub(crate) what: &'a str,
    /// The name of the step's record.
    pub(crate) step: &'a str,
    pub(crate) folder: PathBuf,
    /// The manifest and the lock file.
    pub(crate) pins: [&'a str; 2],
    /// Files that exist after the installation.
    pub(crate) outputs: &'a [PathBuf],
}

/// Installs the packages into their directory. Returns whether anything was out of date.
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

/// Empties a directory, or creates it.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
