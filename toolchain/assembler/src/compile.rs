//! Ahead-of-time compilation for the engines.

#![expect(unsafe_code, reason = "the compiler accepts processor features only through an unsafe function")]

use std::{fs, path::Path};

use anyhow::{Context as _, Error, Result};
use clap::ValueEnum;
use isolette_engine::compilation_settings;
use isolette_instance::{PROCESSOR_FEATURES, TABLE_LAZY_INIT};
use wasmtime::{Config, Engine};

/// The engine that code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompileTarget {
    /// Wasmtime in the process of the host.
    Wasmtime,
    /// Wasmtime in a runtime outside of the host's process.
    Runtime,
}

impl CompileTarget {
    /// Returns the target triple. An explicit target keeps the features of the build machine out of the code, so that the code
    /// runs on every processor and is the same on every build machine.
    pub(crate) const fn target(self) -> &'static str {
        match (self, std::env::consts::ARCH.as_bytes()) {
            (Self::Runtime, _) => "x86_64-unknown-none",
            (Self::Wasmtime, b"aarch64") => "aarch64-unknown-linux-gnu",
            (Self::Wasmtime, _) => "x86_64-unknown-linux-gnu",
        }
    }

    fn settings(self) -> Result<Config> {
        let mut config = compilation_settings();
        config.target(self.target())?;
        if self == Self::Runtime {
            // The host stops the processor or the process, so code need not check an epoch.
            config.epoch_interruption(false);
            config.table_lazy_init(TABLE_LAZY_INIT);
            for feature in PROCESSOR_FEATURES {
                // SAFETY: these are flags of processor features, which Wasmtime checks before it loads the code.
                unsafe { config.cranelift_flag_enable(feature.flag) };
            }
        }
        Ok(config)
    }
}

/// Compiles `component` and writes the code to `output`.
pub(crate) fn compile(component: &Path, engine: CompileTarget, output: &Path) -> Result<()> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let engine =
        Engine::new(&engine.settings()?).map_err(Error::from).context("the compiler settings are inconsistent")?;
    let code = engine
        .precompile_component(&bytes)
        .map_err(Error::from)
        .with_context(|| format!("cannot compile {}", component.display()))?;
    fs::write(output, code).with_context(|| format!("cannot write {}", output.display()))
}
