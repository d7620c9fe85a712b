//! Third-party files that tests use: the compiler of TypeScript, and the test suites of CPython and ECMAScript.
//!
//! No registry keeps every version of CPython's tests. Debian distributes them, and replaces them with each release. So they
//! are pinned by version and digest, and kept once they are downloaded. If Debian has replaced the version, the tests are
//! skipped with that reason.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    environments,
    fingerprint::Fingerprint,
    install,
    invocation::Invocation,
    package::{self, Package, Registry},
    progress,
    project::Project,
    step::step,
    tools,
};

/// The directory below the toolchain's.
const FOLDER: &str = "third-party";

/// A package of Debian, with its version and the digest of its archive.
const CPYTHON: [(&str, &str); 2] = [
    ("libpython3.14-testsuite", "137b55a9b0794801a0226a8220c7c224e9e5e3a9d1261bd62573a87a6ad8bf31"),
    // Has `test.support`, without which no test runs.
    ("libpython3.14-stdlib:amd64", "0af595928d7a49c12fe33d5667da95dc2fa9868e1a9a00625428074d3b3d458a"),
];
const CPYTHON_VERSION: &str = "3.14.10-1";

/// The suites of Debian that may have it, newest first, and the keys that sign them.
const SOURCES: &str = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main\n\
                       deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian forky main\n";

const ECMASCRIPT: Package = Package {
    name: "@gerhobbelt/test262",
    version: "3.0.0-4",
    registry: Registry::Npm,
    sha256: "6ff2dc8f286dd81f10209b5020d6d6334b64f271c803d0a3a67883f1a9ab4bb3",
    inside: "package",
    files: &["LICENSE", "harness", "test/built-ins", "test/language"],
};

/// Downloads what is missing. Returns whether anything was missing.
///
/// The caller holds the lock.
pub(crate) fn ensure(project: &Project) -> Result<bool> {
    let mut worked = install::compilers(project)?;
    worked |= ECMASCRIPT.ensure(project, FOLDER)?;
    match cpython(project) {
        Ok(was_missing) => worked |= was_missing,
        Err(error) => progress::note(&format!("CPython's own tests will be skipped: {error:#}")),
    }
    Ok(worked)
}

fn cpython(project: &Project) -> Result<bool> {
    let folder = project.toolchain().join(FOLDER).join("cpython");
    let digests = CPYTHON.map(|(_, digest)| digest).join(" ");
    let inputs = Fingerprint::new().text("sha256", digests);
    let outputs = ["test/support/__init__.py", "test/test_json/__init__.py"].map(|file| folder.join(file));
    step(project, "third-party-cpython", inputs, &outputs, || {
        if tools::find("apt-get").is_none() || tools::find("dpkg-deb").is_none() {
            bail!("they come from Debian's packages, and this machine has no apt-get");
        }
        environments::empty(&folder)?;
        let apt = folder.join("apt");
        let unpacked = folder.join("unpacked");
        for folder in [apt.join("lists/partial"), apt.join("cache/archives/partial"), unpacked.clone()] {
            fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        }
        let configuration = configure(&apt)?;
        let call = |title: &str, program: &str| {
            Invocation::new(title, program)
                .env("APT_CONFIG", &configuration)
                .directory(&apt)
                .hint("Debian keeps one version at a time: pin the current version in toolchain/src/third_party.rs, and update the expectations of the tests")
        };
        call("fetch the lists of Debian's newest packages", "apt-get").arg("update").run()?;
        for (name, digest) in CPYTHON {
            let what = format!("{name}={CPYTHON_VERSION}");
            call(&format!("download {what}"), "apt-get").args(["download", &what]).run()?;
            let archive = archive(&apt, name)?;
            package::verify(&archive, &what, digest)?;
            call(&format!("unpack {what}"), "dpkg-deb").arg("--extract").arg(&archive).arg(&unpacked).run()?;
        }
        let place = folder.join("test");
        fs::rename(unpacked.join("usr/lib/python3.14/test"), &place)
            .with_context(|| format!("cannot move the tests to {}", place.display()))?;
        fs::remove_dir_all(unpacked)?;
        fs::remove_dir_all(apt)?;
        Ok(())
    })
}

/// A configuration of its own for apt, so that the package lists and the installed packages of the machine are not changed.
fn configure(apt: &Path) -> Result<PathBuf> {
    let path = apt.join("apt.conf");
    let sources = apt.join("sources.list");
    fs::write(&sources, SOURCES).with_context(|| format!("cannot write {}", sources.display()))?;
    let text = format!(
        "Dir::Etc::SourceList \"{sources}\";\nDir::Etc::SourceParts \"/dev/null\";\nDir::State::Lists \"{apt}/lists\";\n\
         Dir::Cache \"{apt}/cache\";\nAPT::Sandbox::User \"\";\nAPT::Architecture \"amd64\";\nAcquire::Languages \"none\";\n\
         Acquire::IndexTargets::deb::DEP-11::DefaultEnabled \"false\";\n",
        sources = sources.display(),
        apt = apt.display(),
    );
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn archive(folder: &Path, name: &str) -> Result<PathBuf> {
    let name = name.split(':').next().unwrap_or(name);
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file_name.starts_with(&format!("{name}_")) && file_name.ends_with(".deb") {
            return Ok(path);
        }
    }
    bail!("apt-get did not download {name}")
}
