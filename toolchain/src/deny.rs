//! `cargo xtask deny`: checks that dependencies are what `deny.toml` allows.

use std::path::PathBuf;

use anyhow::Result;

use crate::{
    fingerprint::Fingerprint, fuzz, invocation::Invocation, lock, outdated, progress, project::Project, runtime,
    step::step, tools,
};

/// The version of cargo-deny that is installed if there is none.
const VERSION: &str = "0.20.2";

pub(crate) fn deny(project: &Project) -> Result<()> {
    let program = program(project)?;
    for folder in [".", "guest-js", runtime::FOLDER, fuzz::FOLDER] {
        let what = if folder == "." { "the workspace" } else { folder };
        Invocation::new(format!("check the dependencies of {what}"), &program)
            .args(["--all-features", "--config"])
            .arg(project.path("deny.toml"))
            // Advisories need a database that is in no registry. `cargo xtask outdated` compares them where the database is
            // reachable.
            .args(["check", "licenses", "bans", "sources"])
            .directory(project.path(folder))
            .hint("allow it in deny.toml with the reason, or remove the dependency")
            .run()?;
    }
    progress::note(&outdated::note_of_advisories(project)?);
    Ok(())
}

/// The program in the search path, or one below the target folder.
fn program(project: &Project) -> Result<PathBuf> {
    if let Some(path) = tools::find("cargo-deny") {
        return Ok(path);
    }
    let root = project.toolchain().join("cargo-deny");
    let program = root.join("bin/cargo-deny");
    let inputs = Fingerprint::new().text("version", VERSION);
    let _lock = lock::acquire(project)?;
    step(project, "setup-cargo-deny", inputs, std::slice::from_ref(&program), || {
        Invocation::cargo("install cargo-deny")
            .args(["install", "--locked", "--version", VERSION, "--root"])
            .arg(&root)
            .arg("cargo-deny")
            .run()
    })?;
    Ok(program)
}
