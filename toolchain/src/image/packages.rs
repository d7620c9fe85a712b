//! Python packages that the caller adds to an image: resolved once, pinned by hash, and imported in the finished image.
//!
//! Only wheels in pure Python or for the image's CPython are accepted. A package without such a wheel, or one that cannot be
//! imported in a sandbox, is reported with the reason before an image with it replaces another one.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::extensions;
use crate::{assembler, fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step, tools};

/// The packages of every Python image.
pub(crate) const BUNDLED: &str = "guest-python/requirements.txt";

/// The version of Python in componentize-py.
const PYTHON_VERSION: &str = "3.14";

/// Imports the packages inside the image.
const TRIAL: &str = include_str!("try_packages.py");

/// A package with its exact version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Package {
    name: String,
    version: String,
}

impl std::str::FromStr for Package {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let allowed = |text: &str, more: &str| {
            !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || more.contains(letter))
        };
        match text.split_once("==") {
            Some((name, version)) if allowed(name, "-_.") && allowed(version, ".+!-_") => {
                Ok(Self { name: name.to_ascii_lowercase().replace(['_', '.'], "-"), version: version.to_owned() })
            }
            _ => Err("expected PACKAGE==VERSION, as in `tabulate==0.9.0`".to_owned()),
        }
    }
}

impl Package {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    fn pin(&self) -> String {
        format!("{}=={}", self.name, self.version)
    }
}

/// A lock file: packages with the hashes of their wheels.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) file: PathBuf,
    pub(crate) packages: BTreeMap<String, String>,
    /// Directories with wheels besides those of the index.
    wheels: Vec<PathBuf>,
}

/// The packages of every image, from the lock file in the sources.
pub(crate) fn bundled(project: &Project) -> Result<Locked> {
    read(project.path(BUNDLED), Vec::new())
}

/// Resolves the packages and their dependencies, for which folders of wheels are looked at, too. After the first time, the lock
/// file determines the versions.
pub(crate) fn resolve(project: &Project, packages: &[Package], folders: &[PathBuf]) -> Result<Locked> {
    let compiled = extensions::wheels(project, packages.iter().map(|package| (package.name(), package.version())))?;
    let mut inputs = packages
        .iter()
        .fold(Fingerprint::new(), |inputs, package| inputs.text("package", package.pin()))
        .file(project.root(), BUNDLED)?;
    let mut wheels: Vec<PathBuf> = compiled.iter().filter_map(|wheel| wheel.parent().map(Path::to_owned)).collect();
    for folder in folders {
        // The steps work in other directories.
        wheels.push(folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?);
    }
    for wheel in compiled.into_iter().chain(wheels_in(folders)?) {
        inputs = inputs.made(&wheel)?;
    }
    let name = inputs.clone().finish().chars().take(16).collect::<String>();
    let folder = project.toolchain().join("packages").join(name);
    let lock = folder.join("requirements.txt");
    step(
        project,
        &format!("packages-{}", folder.file_name().unwrap_or_default().display()),
        inputs,
        std::slice::from_ref(&lock),
        || {
            fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
            let bundled = bundled(project)?.packages;
            // With hashes, pip would require them for all packages; here they are the result.
            let constraints = folder.join("constraints.txt");
            fs::write(
                &constraints,
                bundled.iter().map(|(name, version)| format!("{name}=={version}\n")).collect::<String>(),
            )?;
            let report = folder.join("report.json");
            let found = pip(project, "resolve the Python packages")
                .args(["--dry-run", "--ignore-installed", "--quiet", "--report"])
                .arg(&report)
                .args(ACCEPTED)
                .args(find_links(&wheels))
                .arg("--target")
                .arg(folder.join("unused"))
                .arg("--constraint")
                .arg(&constraints)
                .args(packages.iter().map(Package::pin))
                .run();
            if let Err(error) = found {
                return Err(explain(project, &format!("{error:#}")).unwrap_or(error));
            }
            let mut text = String::new();
            for Install { metadata, download_info } in serde_json::from_slice::<Report>(&fs::read(&report)?)?.install {
                let name = metadata.name.to_ascii_lowercase().replace(['_', '.'], "-");
                if !bundled.contains_key(&name) {
                    let hash = download_info.archive_info.hashes.get("sha256").context("the index gives no SHA-256")?;
                    text.push_str(&format!("{name}=={} --hash=sha256:{hash}\n", metadata.version));
                }
            }
            fs::write(&lock, text).with_context(|| format!("cannot write {}", lock.display()))
        },
    )?;
    read(lock, wheels)
}

/// The wheels in folders.
fn wheels_in(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut wheels = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.extension().is_some_and(|kind| kind == "whl") {
                wheels.push(path);
            }
        }
    }
    wheels.sort();
    Ok(wheels)
}

/// Unpacks the packages of lock files into a directory.
pub(crate) fn unpack(project: &Project, locks: &[Locked], folder: &Path) -> Result<()> {
    locks.iter().try_for_each(|lock| {
        if lock.packages.is_empty() {
            return Ok(());
        }
        pip(project, "unpack the Python packages of the image")
            .args(["--no-deps", "--require-hashes", "--no-compile"])
            .args(ACCEPTED)
            .args(find_links(&lock.wheels))
            .arg("--target")
            .arg(folder)
            .arg("--requirement")
            .arg(&lock.file)
            .hint("they come from PyPI, which must be reachable once; if a hash differs, the file was replaced")
            .run()
    })
}

/// Imports the packages in an image that is not in place yet.
pub(crate) fn try_in(project: &Project, image: &Path, packages: &[Package]) -> Result<()> {
    #[derive(Deserialize)]
    struct Outcome {
        value: Option<BTreeMap<String, String>>,
    }
    assembler::build_command_line_tool(project)?;
    let names = serde_json::to_string(&packages.iter().map(Package::name).collect::<Vec<_>>())?;
    let output = Invocation::new("import the packages in the image", project.target().join("debug/isolette"))
        .args(["run", "--lang", "python", "--json", "--image"])
        .arg(image)
        .args(["--code", TRIAL, "--var"])
        .arg(format!("packages={names}"))
        .output()?;
    let outcome: Outcome = serde_json::from_str(&output).context("cannot read the result of the sandbox")?;
    let failures = outcome.value.context("the sandbox returned no result")?;
    if failures.is_empty() {
        return Ok(());
    }
    let list: String =
        failures.iter().map(|(name, error)| format!("\n  {name}: {error}\n    {}", reason(error))).collect();
    bail!("these packages cannot be used in a sandbox:{list}")
}

/// Reasons why an import fails.
fn reason(error: &str) -> &'static str {
    const REASONS: [(&str, &str); 6] = [
        ("ctypes", "it calls machine code, which does not run in a sandbox"),
        ("thread", "it starts threads, which do not exist in a sandbox"),
        ("process", "it starts processes, which do not exist in a sandbox"),
        ("multiprocessing", "it starts processes, which do not exist in a sandbox"),
        ("socket", "it opens sockets, which do not exist in a sandbox; programs use requests, httpx or urllib"),
        ("ssl", "it opens sockets, which do not exist in a sandbox; programs use requests, httpx or urllib"),
    ];
    let found = REASONS.iter().find(|(sign, _)| error.contains(sign));
    found.map_or("it needs something that does not exist in a sandbox", |(_, reason)| reason)
}

/// The reason why pip found no package. `None` if pip failed otherwise.
fn explain(project: &Project, error: &str) -> Option<anyhow::Error> {
    let pin = error.lines().find_map(|line| line.split_once("No matching distribution found for "))?.1.trim();
    let folder = project.toolchain().join("packages");
    let report = folder.join("explain.json");
    let native = pip(project, "look for packages with machine code")
        .args(["--dry-run", "--ignore-installed", "--quiet", "--no-deps", "--only-binary", ":all:", "--report"])
        .arg(&report)
        .arg(pin)
        .output()
        .and_then(|_| Ok(serde_json::from_slice::<Report>(&fs::read(&report)?)?));
    Some(match native {
        Ok(report) => {
            let wheel = report.install.first().and_then(|install| install.download_info.url.rsplit('/').next());
            anyhow::anyhow!(
                "{pin} cannot be used in a sandbox: it is published as machine code ({})\nhint: use a version or another package in pure Python",
                wheel.unwrap_or("no wheel for any platform")
            )
        }
        Err(_) => anyhow::anyhow!(
            "there is no wheel of {pin} for Python {PYTHON_VERSION}: there is no such version, or it is published as source alone\nhint: `{} -m pip index versions PACKAGE` lists versions",
            tools::python(project).display()
        ),
    })
}

/// Options that restrict pip to wheels in pure Python and for the image's CPython.
const ACCEPTED: [&str; 10] = [
    "--only-binary",
    ":all:",
    "--implementation",
    "cp",
    "--abi",
    "cp314",
    "--platform",
    extensions::PLATFORM,
    "--python-version",
    PYTHON_VERSION,
];

fn find_links(wheels: &[PathBuf]) -> impl Iterator<Item = OsString> {
    wheels.iter().flat_map(|folder| ["--find-links".into(), folder.clone().into_os_string()])
}

fn pip(project: &Project, title: &str) -> Invocation {
    Invocation::new(title, tools::python(project)).args(["-m", "pip", "install", "--disable-pip-version-check"])
}

/// The part of pip's report that is needed.
#[derive(Deserialize)]
struct Report {
    install: Vec<Install>,
}

#[derive(Deserialize)]
struct Install {
    metadata: Metadata,
    download_info: Download,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    version: String,
}

#[derive(Deserialize)]
struct Download {
    url: String,
    archive_info: Archive,
}

#[derive(Deserialize)]
struct Archive {
    hashes: BTreeMap<String, String>,
}

/// Reads the pins of a lock file.
fn read(file: PathBuf, wheels: Vec<PathBuf>) -> Result<Locked> {
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let packages = pins(&text).map(|(name, version)| (name.to_owned(), version.to_owned())).collect();
    Ok(Locked { file, packages, wheels })
}

fn pins(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter(|line| !line.starts_with(['#', ' ', '\t'])).filter_map(|line| {
        let (name, rest) = line.split_once("==")?;
        Some((name.trim(), rest.split_whitespace().next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_with_one_version() {
        let package: Package = "Typing_Extensions==4.16.0".parse().unwrap();
        assert_eq!(package.pin(), "typing-extensions==4.16.0");
        for wrong in ["tabulate", "tabulate>=1", "==1", "tabulate==", "--index-url==1 2", "a==1; import os"] {
            assert!(wrong.parse::<Package>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn pins_are_read_from_lock_files() {
        let text = "# words\nrequests==2.34.2 \\\n    --hash=sha256:00\nidna==3.20 --hash=sha256:01\n";
        assert_eq!(pins(text).collect::<Vec<_>>(), [("requests", "2.34.2"), ("idna", "3.20")]);
    }

    #[test]
    fn a_failed_import_has_a_reason() {
        assert!(reason("ModuleNotFoundError: No module named '_ctypes'").contains("machine code"));
        assert!(reason("RuntimeError: can't start new thread").contains("threads"));
        assert!(reason("KeyError: 'x'").contains("does not exist in a sandbox"));
    }
}
