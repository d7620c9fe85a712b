//! Turns components into an image.
//!
//! It is a program of its own because it carries a compiler: `cargo xtask` must start in a moment, and calls this only
//! when an image has to be made. It never downloads or builds anything; it reads the files that it is given.

mod bind;
mod compile;
mod componentise;
mod compose;
mod immortal;
mod inspect;
mod interpreter;
mod memory;
mod mend;
mod names;
mod seal;
mod sections;
mod verify;
mod world;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

/// Composes the components of an Isolette image, compiles them ahead of time and seals the result.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the crate of a component that stands between typed interfaces and the wall.
    #[command(subcommand)]
    Bind(bind::Bind),
    /// Make a component from a core module that carries its WIT in a custom section.
    Componentise {
        /// The core module.
        module: PathBuf,
        /// Where to write the component.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Patch CPython in a component of componentize-py, have it free the bytes that it hands to the host, and its objects
    /// live for ever.
    Mend {
        /// The component as componentize-py made it.
        component: PathBuf,
        /// Where to write the mended component.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Compose components into one whose only import and export is the wall.
    Compose {
        /// The parts, in binary or as text; each may use what the parts before it export.
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// Where to write the composed component.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Compile a composed component ahead of time.
    Compile {
        /// The composed component.
        component: PathBuf,
        /// What will run it.
        #[arg(long, value_enum, default_value = "wasmtime")]
        engine: compile::For,
        /// Where to write the machine code.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Write the manifest of an image: what it is, and the digest of each of its files.
    Seal(seal::Seal),
    /// Check that an image is what its manifest says, and that nothing but the wall leads in or out.
    Verify {
        /// The directory of the image.
        image: PathBuf,
    },
    /// Print what an image is made of, or what a component imports and exports.
    Inspect {
        /// The directory of an image, or a component.
        path: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Bind(bind) => bind.run(),
        Command::Componentise { module, output } => componentise::componentise(&module, &output),
        Command::Mend { component, output } => mend(&component, &output),
        Command::Compose { parts, output } => compose::compose(&parts, &output),
        Command::Compile { component, engine, output } => compile::compile(&component, engine, &output),
        Command::Seal(seal) => seal.run(),
        Command::Verify { image } => verify::verify(&image),
        Command::Inspect { path, json } => inspect::inspect(&path, json),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// All that is changed in what componentize-py makes.
fn mend(component: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let bytes = mend::mended(&bytes)
        .and_then(|bytes| interpreter::patched(&bytes))
        .and_then(|bytes| immortal::immortal(&bytes));
    let bytes = bytes.with_context(|| format!("cannot mend {}", component.display()))?;
    fs::write(output, bytes).with_context(|| format!("cannot write {}", output.display()))
}
