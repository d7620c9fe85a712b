//! Writes crates that stand between typed components and the waist.
//!
//! Whoever serves or calls an interface inside a sandbox needs code of its types: this writes that code, as a crate for
//! `cargo xtask` to compile. It must never be needed for the images of Python and JavaScript, whose interpreters make
//! modules at run time.

mod calling;
mod coding;
mod component;
mod names;
mod serving;
mod spelling;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use clap::Subcommand;

/// What stands between which.
#[derive(Debug, Subcommand)]
pub(crate) enum Bind {
    /// A component that serves an interface by asking the host.
    Serving {
        /// Folder or file with the WIT of the interface.
        #[arg(long)]
        wit: PathBuf,
        /// The interface: NAMESPACE:PACKAGE/INTERFACE, if need be with a version.
        #[arg(long)]
        interface: String,
        /// The root of Isolette's sources.
        #[arg(long)]
        sources: PathBuf,
        /// Where to write the crate.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// A component that exports the types of an interface without functions, for another one that imports them.
    Types {
        /// The component that imports them.
        component: PathBuf,
        /// The interface, with its version.
        #[arg(long)]
        interface: String,
        /// Where to write the component.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// A runner that calls the functions that a component exports.
    Calling {
        /// The component.
        component: PathBuf,
        /// The root of Isolette's sources.
        #[arg(long)]
        sources: PathBuf,
        /// Where to write the crate.
        #[arg(short, long)]
        output: PathBuf,
    },
}

impl Bind {
    /// Writes the crate.
    pub(crate) fn run(&self) -> Result<()> {
        match self {
            Self::Serving { wit, interface, sources, output } => {
                let (interface, _) = isolette_interface::read(wit, interface)
                    .with_context(|| format!("cannot use {}", wit.display()))?;
                let wit = fs::canonicalize(wit).with_context(|| format!("cannot find {}", wit.display()))?;
                write(&output.join("src/lib.rs"), &serving::code(&interface, sources, &wit))?;
                write(&output.join("Cargo.toml"), &manifest(sources, output))
            }
            Self::Types { component, interface, output } => {
                let types = component::types(component, interface)?;
                fs::write(output, types).with_context(|| format!("cannot write {}", output.display()))
            }
            Self::Calling { component, sources, output } => {
                let wit = output.join("wit/component.wit");
                write(&wit, &component::wit(component)?)?;
                let interfaces = component::exports(component, &wit)?;
                let bare = component::bare(component)?;
                write(&output.join("src/lib.rs"), &calling::code(&interfaces, &bare, sources, &wit))?;
                write(&output.join("Cargo.toml"), &manifest(sources, output))
            }
        }
    }
}

/// Crates are called like their folders, so that the results of several have room beside each other.
fn manifest(sources: &Path, output: &Path) -> String {
    let name = output.file_name().and_then(|name| name.to_str()).unwrap_or("bound").replace('.', "-");
    let sources = sources.display();
    format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
isolette-abi = {{ path = "{sources}/abi" }}
isolette-interface = {{ path = "{sources}/interface" }}
serde_json = {{ version = "1", features = ["float_roundtrip", "preserve_order"] }}
wit-bindgen = {{ version = "=0.61.1", default-features = false, features = ["macros", "realloc", "bitflags"] }}

[profile.release]
lto = "fat"
codegen-units = 1
panic = "abort"
strip = "symbols"

[workspace]
"#
    )
}

/// Leaves what is the same as it is, so that nothing is compiled again without need.
fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
