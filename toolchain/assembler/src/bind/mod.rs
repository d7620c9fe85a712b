//! Writes crates that stand between typed components and the waist.
//!
//! Whoever serves or calls an interface inside a sandbox needs code of its types: this writes that code, as a crate for
//! `cargo xtask` to compile, and finds out for which imports of a component that has to be done. It must never be needed
//! for the images of Python and JavaScript, whose interpreters make modules at run time.

mod calling;
mod coding;
mod component;
mod lent;
mod names;
mod needs;
mod serving;
mod spelling;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use clap::Subcommand;
use isolette_interface::{Interface, InterfaceName, Source};

use self::lent::{Lent, Named};

/// What stands between which.
#[derive(Debug, Subcommand)]
pub(crate) enum Bind {
    /// Print who is to serve what a component imports, as JSON; fails if there is nobody.
    Needs {
        /// The component that imports it.
        component: PathBuf,
        /// What serves components besides the host.
        #[arg(long)]
        adapter: PathBuf,
        /// An interface that the host will serve; the only one of its package need not be named.
        #[arg(long, value_name = "[INTERFACE]=WIT")]
        capability: Vec<Named>,
    },
    /// A component that serves an interface by asking the host.
    Serving {
        /// Folder or file with the WIT of the interface.
        #[arg(long)]
        wit: PathBuf,
        /// The interface: NAMESPACE:PACKAGE/INTERFACE, if need be with a version.
        #[arg(long)]
        interface: String,
        /// The name that the host is asked for. Default: the interface's own
        #[arg(long)]
        asks: Option<InterfaceName>,
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
            Self::Needs { component, adapter, capability } => {
                let lent = capability.iter().map(Named::read).collect::<Result<Vec<_>>>()?;
                println!("{}", needs::of(component, adapter, &lent)?);
                Ok(())
            }
            Self::Serving { wit, interface, asks, sources, output } => {
                let lent = Lent::read(Some(interface), wit)?;
                let asks = asks.as_ref().unwrap_or(&lent.interface.name);
                write(&output.join("src/lib.rs"), &serving::code(&lent, asks, sources))?;
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
                let wide = interfaces.iter().find_map(|interface| widest(interface, &Source::default()));
                if let Some(problem) = wide {
                    bail!("{}: {problem}", component.display());
                }
                let bare = component::bare(component)?;
                write(&output.join("src/lib.rs"), &calling::code(&interfaces, &bare, sources, &wit))?;
                write(&output.join("Cargo.toml"), &manifest(sources, output))
            }
        }
    }
}

/// What is said of tuples for which Rust has no traits.
fn widest(interface: &Interface, source: &Source) -> Option<String> {
    const TUPLE: usize = 12;
    let name = interface.wider_tuple(TUPLE)?;
    let place = source.line(name).map_or_else(|| format!("`{name}` of {}", interface.name), str::to_owned);
    Some(format!("{place}: Rust has no tuples of more than {TUPLE} fields\nhint: make it a record"))
}

/// A component in which nothing is done, of the world `part` of a text.
#[cfg(test)]
pub(crate) fn dummy(wit: &str, dependencies: &[&str]) -> Result<Vec<u8>> {
    let mut resolve = wit_parser::Resolve::default();
    for (number, text) in dependencies.iter().enumerate() {
        resolve.push_source(&format!("{number}.wit"), text)?;
    }
    let package = resolve.push_source("part.wit", wit)?;
    let world = resolve.select_world(&[package], Some("part"))?;
    component::dummy(&resolve, world)
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
