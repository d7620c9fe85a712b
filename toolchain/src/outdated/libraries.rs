//! The sources of libraries that extension modules are linked with.

use std::fs;

use anyhow::{Context as _, Result};

use super::{Findings, cargo, pypi};
use crate::{
    image::libraries::{self, Origin},
    project::Project,
};

pub(super) fn look(project: &Project) -> Result<Findings> {
    let folder = project.path(libraries::FOLDER);
    let (mut findings, mut packages) = (Findings::default(), String::new());
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let library = libraries::read(&entry?.path())?;
        match library.origin {
            Origin::Crate(name) => findings.versions.push(cargo::pinned(&name, &library.version)?),
            Origin::Package(name) => packages.push_str(&format!("{name}=={}\n", library.version)),
        }
    }
    findings.versions.extend(pypi::compare(project, &packages, pypi::For::Linux)?.versions);
    Ok(findings)
}
