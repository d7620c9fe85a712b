//! `cargo xtask typescript`: makes the package of the client for TypeScript.

use anyhow::Result;

use crate::{install, invocation::Invocation, progress, project, project::Project, tools};

/// Generates its types from the interface of the service, compiles and packs it (`typescript/build.mjs`).
pub(crate) fn pack(project: &Project) -> Result<()> {
    install::typescript(project)?;
    let document = Invocation::cargo("print the interface of the service")
        .args(["run", "--quiet", "--package", "isolette-cli"])
        .args(project::locked())
        .args(["--", "serve", "--print-openapi"])
        .directory(project.root())
        .output()?;
    let folder = project.target().join("typescript");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("openapi.json");
    std::fs::write(&path, document)?;
    let archive = Invocation::new("make the package of the TypeScript client", "node")
        .arg(project.path("typescript/build.mjs"))
        .arg(&path)
        .arg(folder.join("package"))
        .arg(tools::typescript_environment(project).join("node_modules"))
        .output()?;
    progress::note(&format!("made {}", archive.trim()));
    Ok(())
}
