//! Ahead-of-time compilation for the engines.

#![expect(unsafe_code, reason = "the compiler takes features of processors only through an unsafe function")]

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use isolette_engine::compilation_settings;
use wasmtime::{Config, Engine};

/// Wasmtime's version: code only loads into the very version that made it. Both engines have the same.
pub(crate) const ENGINE_VERSION: &str = "36.0.20";

/// What every processor has that can run a micro-VM. Without them, code would call functions that the runtime would have
/// to write into it, and there code is never written to.
const PROCESSOR_FEATURES: [&str; 6] =
    ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt", "has_cmpxchg16b"];

/// What code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum For {
    /// Wasmtime in the host's process.
    Wasmtime,
    /// Wasmtime in a micro-VM.
    Microvm,
}

impl For {
    /// The engine's name in a manifest.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Wasmtime => "wasmtime",
            Self::Microvm => "microvm",
        }
    }

    /// The machine that code is made for. Naming it, rather than taking the one at hand, keeps the features of one
    /// processor out of the code, so that it runs on all and is the same wherever it was made.
    pub(crate) const fn target(self) -> &'static str {
        match (self, std::env::consts::ARCH.as_bytes()) {
            (Self::Microvm, _) => "x86_64-unknown-none",
            (Self::Wasmtime, b"aarch64") => "aarch64-unknown-linux-gnu",
            (Self::Wasmtime, _) => "x86_64-unknown-linux-gnu",
        }
    }

    fn settings(self) -> Result<Config> {
        let mut config = compilation_settings();
        config.target(self.target())?;
        if self == Self::Microvm {
            // The host stops the processor itself, so code need not look at a clock.
            config.epoch_interruption(false);
            for feature in PROCESSOR_FEATURES {
                // SAFETY: these name features of processors, which Wasmtime looks for before it loads the code.
                unsafe { config.cranelift_flag_enable(feature) };
            }
        }
        Ok(config)
    }
}

/// Compiles `component` and writes the code to `output`.
pub(crate) fn compile(component: &Path, engine: For, output: &Path) -> Result<()> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let engine = Engine::new(&engine.settings()?).context("the settings of the compiler contradict each other")?;
    let code =
        engine.precompile_component(&bytes).with_context(|| format!("{} does not compile", component.display()))?;
    fs::write(output, code).with_context(|| format!("cannot write {}", output.display()))
}
