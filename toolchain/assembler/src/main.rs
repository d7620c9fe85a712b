//! Assembles an image from components.
//!
//! It is a separate program because it contains a compiler: `cargo xtask` must start fast, and runs this program only to build
//! an image. It never downloads or builds anything; it reads the files that the caller names. It depends on the engine for the
//! format of images, and on no other crate of the host.

mod bind;
mod compile;
mod componentise;
mod compose;
mod constants;
mod exceptions;
mod immortal;
mod inspect;
mod interpreter;
mod manifest;
mod memory;
mod names;
mod patch;
mod sections;
mod short_copies;
mod verify;
mod world;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};

/// Composes the components of an Isolette image, compiles them ahead of time and writes the manifest.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the crate of a component that connects typed interfaces to the host call ABI.
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
    /// Patch CPython in a component of componentize-py: free the bytes that it passes to the host, make its objects immortal,
    /// and replace addresses that never change by constants.
    Patch {
        /// The component that componentize-py wrote.
        component: PathBuf,
        /// Where to write the patched component.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Lower the exceptions of a library in C++, so that it runs where exceptions are not enabled.
    LowerExceptions {
        /// The library: a core module.
        library: PathBuf,
        /// Where to write the library without exceptions.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Compose components into one that imports and exports only the host call ABI.
    Compose {
        /// The components, in binary or text format; each may import what earlier ones export.
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
        /// The engine that will run the code.
        #[arg(long, value_enum, default_value = "wasmtime")]
        engine: compile::CompileTarget,
        /// Where to write the machine code.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Write the manifest of an image: its properties, and the digest of each of its files.
    WriteManifest(manifest::ManifestArguments),
    /// Check that an image matches its manifest, and that it imports and exports only the host call ABI.
    Verify {
        /// The directory of the image.
        image: PathBuf,
    },
    /// Print the manifest of an image, or the imports and exports of a component.
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
        Command::Patch { component, output } => patch(&component, &output),
        Command::LowerExceptions { library, output } => lower_exceptions(&library, &output),
        Command::Compose { parts, output } => compose::compose(&parts, &output),
        Command::Compile { component, engine, output } => compile::compile(&component, engine, &output),
        Command::WriteManifest(arguments) => arguments.run(),
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

fn lower_exceptions(library: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let bytes =
        exceptions::lowered(&bytes).with_context(|| format!("cannot lower the exceptions of {}", library.display()))?;
    fs::write(output, bytes).with_context(|| format!("cannot write {}", output.display()))
}

/// Applies all changes to a component that componentize-py wrote.
fn patch(component: &Path, output: &Path) -> Result<()> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    let bytes = patch::patched(&bytes)
        .and_then(|bytes| interpreter::patched(&bytes))
        .and_then(|bytes| immortal::immortal(&bytes))
        .and_then(|bytes| constants::folded(&bytes));
    let bytes = bytes.with_context(|| format!("cannot patch {}", component.display()))?;
    fs::write(output, bytes).with_context(|| format!("cannot write {}", output.display()))
}
