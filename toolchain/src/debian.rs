//! Packages of Debian's newest suites, downloaded and unpacked below the target folder. The machine's own package lists and
//! installed packages stay as they are.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use crate::{environments, invocation::Invocation, package, tools};

/// The suites, newest first, and the keys that sign them.
const SOURCES: &str = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main\n\
                       deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian forky main\n";

/// A package.
pub(crate) struct Package<'a> {
    /// The name, with `:` and an architecture if apt needs it.
    pub(crate) name: &'a str,
    /// The version and the SHA-256 of the archive. Without them, the newest version, of which apt checks the signature.
    pub(crate) pin: Option<(&'a str, &'a str)>,
}

/// Downloads packages and unpacks them into one directory below `folder`, which is emptied before.
pub(crate) fn unpack(folder: &Path, packages: &[Package<'_>], hint: &str) -> Result<PathBuf> {
    if tools::find("apt-get").is_none() || tools::find("dpkg-deb").is_none() {
        bail!("packages of Debian are needed, and this machine has no apt-get\nhint: do this on Debian or Ubuntu");
    }
    environments::empty(folder)?;
    let apt = folder.join("apt");
    let unpacked = folder.join("unpacked");
    for folder in [apt.join("lists/partial"), apt.join("cache/archives/partial"), unpacked.clone()] {
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let configuration = configure(&apt)?;
    let call = |title: &str, program: &str| {
        Invocation::new(title, program).env("APT_CONFIG", &configuration).directory(&apt).hint(hint)
    };
    call("fetch the lists of Debian's newest packages", "apt-get").arg("update").run()?;
    for Package { name, pin } in packages {
        let what = pin.map_or((*name).to_owned(), |(version, _)| format!("{name}={version}"));
        call(&format!("download {what}"), "apt-get").args(["download", &what]).run()?;
        let archive = archive(&apt, name)?;
        if let Some((_, digest)) = pin {
            package::verify(&archive, &what, digest)?;
        }
        call(&format!("unpack {what}"), "dpkg-deb").arg("--extract").arg(&archive).arg(&unpacked).run()?;
    }
    fs::remove_dir_all(&apt).with_context(|| format!("cannot remove {}", apt.display()))?;
    Ok(unpacked)
}

/// A configuration of its own for apt.
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
