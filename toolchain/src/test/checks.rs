//! Formatting and lints.

use anyhow::Result;

use crate::{
    fuzz, image,
    invocation::Invocation,
    project::{self, Project},
    runtime,
};

pub(super) fn formatting(project: &Project) -> Result<()> {
    component("rustfmt", "fmt")?;
    let apart = ["guest-js", fuzz::FOLDER, runtime::FOLDER].map(|folder| (folder, project.path(folder)));
    for (what, folder) in [("the workspace", project.root().to_owned())].into_iter().chain(apart) {
        Invocation::cargo(format!("check the formatting of {what}"))
            .args(["fmt", "--all", "--check"])
            .directory(folder)
            .hint("`cargo fmt` fixes it")
            .run()?;
    }
    Ok(())
}

pub(super) fn lint_workspace(project: &Project) -> Result<()> {
    component("clippy", "clippy")?;
    Invocation::cargo("lint the workspace")
        .args(["clippy", "--workspace", "--all-targets"])
        .args(project::locked())
        .args(["--", "--deny", "warnings"])
        .directory(project.root())
        .hint("the lint is named above; `cargo clippy --fix` fixes some")
        .run()
}

/// The lints whose target folders the building of images uses too.
pub(super) fn lints(project: &Project) -> Result<()> {
    image::guest_cargo("lint guest-js", project)?
        .args(["clippy", "--release", "--workspace", "--", "--deny", "warnings"])
        .directory(project.path("guest-js"))
        .hint("the lint is named above")
        .run()?;
    if !runtime::is_for_this_machine() {
        return Ok(());
    }
    runtime::cargo("lint the runtime of micro-VMs", project)?
        .args(["clippy", "--release", "--", "--deny", "warnings"])
        .hint("the lint is named above")
        .run()
}

/// Installs a component of the compiler if it is missing.
fn component(name: &str, subcommand: &str) -> Result<()> {
    if Invocation::cargo(format!("look for {name}")).args([subcommand, "--version"]).output().is_ok() {
        return Ok(());
    }
    Invocation::new(format!("add the component {name}"), "rustup")
        .args(["component", "add", name])
        .hint(format!("without rustup, install {name} with your package manager"))
        .run()
}
