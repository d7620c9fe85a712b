//! `cargo xtask deny`: whether dependencies are what `deny.toml` allows.

use anyhow::{Result, bail};

use crate::{invocation::Invocation, project::Project, tools};

pub(crate) fn deny(project: &Project) -> Result<()> {
    if tools::find("cargo-deny").is_none() {
        bail!("cargo-deny is not installed\nhint: `cargo install --locked cargo-deny` compiles it in a few minutes");
    }
    for folder in [project.root().to_owned(), project.path("guest-js")] {
        Invocation::cargo(format!("check the dependencies in {}", folder.display()))
            .args(["deny", "--all-features", "--config"])
            .arg(project.path("deny.toml"))
            .arg("check")
            // Advisories need a database that is fetched from elsewhere.
            .args(["licenses", "bans", "sources"])
            .directory(folder)
            .hint("allow it in deny.toml, and say why, or do without the dependency")
            .run()?;
    }
    Ok(())
}
