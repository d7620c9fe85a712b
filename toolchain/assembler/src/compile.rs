//! Ahead-of-time compilation for the engine that runs in the host's process.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use isolette::compilation_settings;
use wasmtime::Engine;

/// The engine's version: code only loads into the very version that made it.
pub(crate) const ENGINE_VERSION: &str = "36.0.14";

/// The machine that code is made for. Naming it, rather than taking the one at hand, keeps the features of one
/// processor out of the code, so that it runs on all and is the same wherever it was made.
pub(crate) const TARGET: &str = match std::env::consts::ARCH.as_bytes() {
    b"aarch64" => "aarch64-unknown-linux-gnu",
    _ => "x86_64-unknown-linux-gnu",
};

/// Compiles `component` and writes the code to `output`.
pub(crate) fn compile(component: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let mut config = compilation_settings();
    config.target(TARGET)?;
    let engine = Engine::new(&config).context("the settings of the compiler contradict each other")?;
    let code =
        engine.precompile_component(&bytes).with_context(|| format!("{} does not compile", component.display()))?;
    fs::write(output, code).with_context(|| format!("cannot write {}", output.display()))
}
