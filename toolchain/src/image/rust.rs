//! The parts of an image that are written in Rust: the adapter and the entry.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    invocation::Invocation,
    neutral,
    project::{self, Project},
    step::step,
    tools::{self, GUEST_TARGET},
};

/// The components that every image contains.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) adapter: PathBuf,
    pub(crate) entry: PathBuf,
}

/// Builds both.
pub(crate) fn parts(project: &Project, assembler: &Assembler<'_>) -> Result<Parts> {
    let modules = project.guests().join(GUEST_TARGET).join("guest");
    let [adapter, entry] = ["guest_adapter", "guest_entry"].map(|name| modules.join(name).with_extension("wasm"));
    let mut inputs = Fingerprint::new().text("rustc", tools::rustc_version()?).text("names", neutral::NAMES.concat());
    for source in ["Cargo.toml", "Cargo.lock", "abi", "guest-adapter", "guest-entry", "wit"] {
        inputs = inputs.tree(project.root(), source)?;
    }
    step(project, "guest-modules", inputs, &[adapter.clone(), entry.clone()], || {
        cargo("compile the adapter and the entry", project)?
            .args(["build", "--profile", "guest", "--package", "guest-adapter", "--package", "guest-entry"])
            .args(project::locked())
            .directory(project.root())
            .run()?;
        [&adapter, &entry].into_iter().try_for_each(|module| neutral::ensure(project, module))
    })?;
    Ok(Parts {
        adapter: componentise(project, assembler, "adapter", &adapter)?,
        entry: componentise(project, assembler, "entry", &entry)?,
    })
}

/// Converts a core module to a component.
pub(crate) fn componentise(project: &Project, assembler: &Assembler<'_>, name: &str, module: &Path) -> Result<PathBuf> {
    let component = project.components()?.join(name).with_extension("wasm");
    let inputs = assembler.fingerprint(Fingerprint::new().made(module)?)?;
    step(project, &format!("{name}-component"), inputs, std::slice::from_ref(&component), || {
        assembler
            .call(format!("convert {name} to a component"))?
            .arg("componentise")
            .arg(module)
            .arg("--output")
            .arg(&component)
            .run()
    })?;
    Ok(component)
}

/// Returns a call of cargo that compiles for the sandbox.
pub(crate) fn cargo(title: &str, project: &Project) -> Result<Invocation> {
    Ok(neutral::cargo(title, project, &[])?
        .env("CARGO_TARGET_DIR", project.guests())
        .env("CARGO_BUILD_TARGET", GUEST_TARGET)
        .hint("the compiler's message is above; `cargo xtask doctor` lists missing tools"))
}
