//! The programs that run beneath an image outside of the host's process: in a micro-VM, or in a process of its own.
//!
//! Their target is a machine without an operating system, which a file beside their source describes. So the core of the
//! standard library is compiled with them, which needs unstable features of cargo.

use std::{
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Result, anyhow};

use crate::{
    fingerprint::Fingerprint,
    invocation::Invocation,
    neutral,
    project::{self, Project},
    step::step,
    tools,
};

/// Their directory in the checkout.
pub(crate) const FOLDER: &str = "runtime";

const TARGET: &str = "x86_64-isolette-none";

/// The programs for machines of this kind, in the order of [`FILES`].
pub(crate) type Runtimes = [PathBuf; FILES.len()];

/// The names of the programs in an image.
pub(crate) const FILES: [&str; 2] = ["microvm.elf", "process.elf"];

/// The names of the programs when they are compiled.
const PROGRAMS: [&str; FILES.len()] = ["microvm-runtime", "process-runtime"];

/// Does something, and meanwhile builds the runtimes, which keeps one processor busy, as several steps of images do.
pub(crate) fn build_beside<T>(project: &Project, work: impl FnOnce() -> Result<T>) -> Result<(T, Option<Runtimes>)> {
    thread::scope(|scope| {
        let building = scope.spawn(|| build_for_this_machine(project));
        let done = work();
        let runtime = building.join().map_err(|_| anyhow!("building the runtimes panicked"))?;
        Ok((done?, runtime?))
    })
}

/// Builds them if they are out of date, and if there are any for machines of this kind. The caller holds the lock.
pub(crate) fn build_for_this_machine(project: &Project) -> Result<Option<Runtimes>> {
    is_for_this_machine().then(|| build(project)).transpose()
}

/// Whether there are runtimes for machines of this kind, which can run micro-VMs then.
pub(crate) const fn is_for_this_machine() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

fn build(project: &Project) -> Result<Runtimes> {
    let programs = PROGRAMS.map(|program| project.microvm().join(TARGET).join("release").join(program));
    let mut inputs = Fingerprint::new().text("rustc", tools::rustc_version()?).text("names", neutral::NAMES.concat());
    for source in ["Cargo.toml", "Cargo.lock", "build.rs", "src", "x86_64-isolette-none.json"] {
        inputs = inputs.tree(project.root(), format!("{FOLDER}/{source}"))?;
    }
    for source in ["abi/Cargo.toml", "abi/src", "instance/Cargo.toml", "instance/src"] {
        inputs = inputs.tree(project.root(), source)?;
    }
    step(project, "runtimes", inputs, &programs, || {
        library_sources()?;
        cargo("compile the runtimes", project)?.args(["build", "--release"]).args(project::locked()).run()?;
        programs.iter().try_for_each(|program| neutral::ensure(project, program))
    })?;
    Ok(programs)
}

/// A call of cargo that compiles runtimes.
pub(crate) fn cargo(title: &str, project: &Project) -> Result<Invocation> {
    let flags = ["--cfg=hyperlight", "--check-cfg=cfg(hyperlight)"];
    Ok(neutral::cargo(title, project, &flags)?
        .env("CARGO_TARGET_DIR", project.microvm())
        .env("CARGO_BUILD_TARGET", project.path(FOLDER).join(TARGET).with_extension("json"))
        .env("CARGO_UNSTABLE_BUILD_STD", "core,alloc")
        .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "compiler-builtins-mem")
        .env("CARGO_UNSTABLE_JSON_TARGET_SPEC", "true")
        // Enables unstable features of a stable compiler for this call.
        .env("RUSTC_BOOTSTRAP", "1")
        .directory(project.path(FOLDER))
        .hint("Rust 1.95 or newer is needed; the message of the compiler is above"))
}

/// Installs the source of the standard library. Returns whether it was missing.
pub(crate) fn library_sources() -> Result<bool> {
    if has_library_sources() {
        return Ok(false);
    }
    Invocation::new("add the source of the standard library", "rustup")
        .args(["component", "add", "rust-src"])
        .hint("without rustup, install the source of Rust's standard library with your package manager")
        .run()?;
    Ok(true)
}

pub(crate) fn has_library_sources() -> bool {
    Invocation::new("look for the source of the standard library", tools::rustc())
        .args(["--print", "sysroot"])
        .output()
        .is_ok_and(|root| Path::new(root.trim()).join("lib/rustlib/src/rust/library/core").is_dir())
}
