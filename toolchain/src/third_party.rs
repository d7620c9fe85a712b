//! Third-party files that tests use: the compiler of TypeScript, and the test suites of CPython and ECMAScript.
//!
//! No registry keeps every version of CPython's tests. Debian distributes them, and replaces them with each release. So they
//! are pinned by version and digest, and kept once they are downloaded. If Debian has replaced the version, the tests are
//! skipped with that reason.

use std::fs;

use anyhow::{Context as _, Result};

use crate::{
    debian,
    fingerprint::Fingerprint,
    install,
    package::{Package, Registry},
    progress,
    project::Project,
    step::step,
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
        let packages = CPYTHON.map(|(name, digest)| debian::Package { name, pin: Some((CPYTHON_VERSION, digest)) });
        let hint = "Debian keeps one version at a time: pin the current version in toolchain/src/third_party.rs, and update the \
                    expectations of the tests";
        let unpacked = debian::unpack(&folder, &packages, hint)?;
        let place = folder.join("test");
        fs::rename(unpacked.join("usr/lib/python3.14/test"), &place)
            .with_context(|| format!("cannot move the tests to {}", place.display()))?;
        fs::remove_dir_all(unpacked)?;
        Ok(())
    })
}
