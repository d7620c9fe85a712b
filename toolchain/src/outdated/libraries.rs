//! The sources of libraries that extension modules are linked with.

use anyhow::Result;

use super::{Findings, cargo, pypi};
use crate::{
    image::libraries::{self, Origin},
    project::Project,
};

pub(super) fn look(project: &Project) -> Result<Findings> {
    let (mut findings, mut packages) = (Findings::default(), String::new());
    for description in libraries::descriptions(project)? {
        let library = libraries::read(&description)?;
        match library.origin {
            Origin::Crate(name) => findings.versions.push(cargo::pinned(&name, &library.version)?),
            Origin::Package(name) => packages.push_str(&format!("{name}=={}\n", library.version)),
        }
    }
    findings.versions.extend(pypi::compare(project, &packages, pypi::For::Linux)?.versions);
    Ok(findings)
}
