//! Generates crates that connect typed components to the host call ABI.
//!
//! A component that serves or calls an interface in a sandbox needs code for its types. This module generates that code as a
//! crate that `cargo xtask` compiles, and determines which imports of a component need it. The Python and JavaScript images
//! must never need it, because their interpreters create modules at run time.

mod calling;
mod coding;
mod component;
mod host_interface;
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

use self::host_interface::{HostInterface, InterfaceOption};

/// The component to generate.
#[derive(Debug, Subcommand)]
pub(crate) enum Bind {
    /// Print which interfaces must be served for the imports of a component, as JSON. Fails if an import has no provider.
    Needs {
        /// The component with the imports.
        component: PathBuf,
        /// The adapter component, which serves imports besides the host.
        #[arg(long)]
        adapter: PathBuf,
        /// An interface that the host will serve. INTERFACE may be omitted if the WIT has one interface with functions.
        #[arg(long, value_name = "[INTERFACE]=WIT")]
        capability: Vec<InterfaceOption>,
    },
    /// Generate a component that serves an interface by calling the host.
    Serving {
        /// The directory or file with the WIT of the interface.
        #[arg(long)]
        wit: PathBuf,
        /// The interface: NAMESPACE:PACKAGE/INTERFACE, with a version if the WIT has several.
        #[arg(long)]
        interface: String,
        /// The name by which the component calls the interface. Default: the name of the interface
        #[arg(long)]
        asks: Option<InterfaceName>,
        /// The root directory of the sources of Isolette.
        #[arg(long)]
        sources: PathBuf,
        /// The directory to write the crate to.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Generate a component that exports the types of an interface without functions, for a component that imports them.
    Types {
        /// The component that imports them.
        component: PathBuf,
        /// The interface, with its version.
        #[arg(long)]
        interface: String,
        /// The file to write the component to.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Generate a runner that calls the exported functions of a component.
    Calling {
        /// The component.
        component: PathBuf,
        /// The root directory of the sources of Isolette.
        #[arg(long)]
        sources: PathBuf,
        /// The directory to write the crate to.
        #[arg(short, long)]
        output: PathBuf,
    },
}

impl Bind {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        match self {
            Self::Needs { component, adapter, capability } => {
                let provided = capability.iter().map(InterfaceOption::read).collect::<Result<Vec<_>>>()?;
                println!("{}", needs::of(component, adapter, &provided)?);
                Ok(())
            }
            Self::Serving { wit, interface, asks, sources, output } => {
                let provided = HostInterface::read(Some(interface), wit)?;
                let asks = asks.as_ref().unwrap_or(&provided.interface.name);
                write(&output.join("src/lib.rs"), &serving::code(&provided, asks, sources))?;
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
                let wide = interfaces.iter().find_map(|interface| tuple_problem(interface, &Source::default()));
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

/// Returns an error message if the interface has a tuple with too many fields for the traits of Rust.
fn tuple_problem(interface: &Interface, source: &Source) -> Option<String> {
    const TUPLE_LIMIT: usize = 12;
    let name = interface.first_tuple_wider_than(TUPLE_LIMIT)?;
    let place = source.line(name).map_or_else(|| format!("`{name}` of {}", interface.name), str::to_owned);
    Some(format!("{place}: Rust supports no tuples of more than {TUPLE_LIMIT} fields\nhint: use a record"))
}

/// Returns a component without behaviour for the world `part` in WIT text.
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

/// Returns the manifest of the crate. The crate has the name of its directory, so that several crates can share one target
/// directory.
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

/// Writes a file unless it has the same contents, so that cargo does not compile it again.
fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
