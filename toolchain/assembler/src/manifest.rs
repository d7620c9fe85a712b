//! Writes the manifest of an image: its properties, and the digest of each of its files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use clap::Args;
use isolette_engine::image::manifest::{Compiled, FILE_NAME, FORMAT, FileDigest, Manifest};
use isolette_instance::ENGINE_VERSION;
use isolette_interface::InterfaceName;
use sha2::{Digest as _, Sha256};

use crate::compile::CompileTarget;

/// The file name of the portable component in an image.
pub(crate) const COMPONENT: &str = "guest.wasm";

/// The file name of its code for Wasmtime in the process of the host.
const WASMTIME_CODE: &str = "guest.wasmtime.cwasm";

/// The file name of its code for a runtime outside of that process. An image may lack it.
const RUNTIME_CODE: &str = "guest.runtime.cwasm";

/// The engines with such a runtime, and the file names of the runtimes.
const RUNTIMES: [(&str, &str); 2] = [("microvm", "microvm.elf"), ("process", "process.elf")];

/// The properties of an image that its files do not contain.
#[derive(Debug, Args)]
pub(crate) struct ManifestArguments {
    /// The directory of the image, with its files in place.
    image: PathBuf,
    /// The name of the image.
    #[arg(long)]
    name: String,
    /// The language of the programs that it runs.
    #[arg(long)]
    language: String,
    /// SHA-256 digest of the WIT files that the image was built from.
    #[arg(long)]
    wit: String,
    /// A tool or library that the image was built with.
    #[arg(long = "component", value_name = "NAME=VERSION", value_parser = pair)]
    components: Vec<(String, String)>,
    /// A library that programs may import.
    #[arg(long = "package", value_name = "NAME=VERSION", value_parser = pair)]
    packages: Vec<(String, String)>,
    /// An interface that the host must serve.
    #[arg(long = "capability", value_name = "INTERFACE")]
    capabilities: Vec<InterfaceName>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => Ok((name.to_owned(), version.to_owned())),
        _ => Err("expected NAME=VERSION".to_owned()),
    }
}

impl ManifestArguments {
    /// Writes the manifest, which completes the image.
    pub(crate) fn run(self) -> Result<()> {
        let mut files = BTreeMap::new();
        let compiled = |target: CompileTarget, file: &str, runtime: Option<&str>| Compiled {
            file: file.into(),
            version: ENGINE_VERSION.into(),
            target: target.target().into(),
            runtime: runtime.map(str::to_owned),
        };
        let mut names = vec![COMPONENT, WASMTIME_CODE];
        let mut codes =
            BTreeMap::from([("wasmtime".to_owned(), compiled(CompileTarget::Wasmtime, WASMTIME_CODE, None))]);
        if self.image.join(RUNTIME_CODE).exists() {
            names.push(RUNTIME_CODE);
            for (engine, runtime) in RUNTIMES {
                names.push(runtime);
                codes.insert(engine.to_owned(), compiled(CompileTarget::Runtime, RUNTIME_CODE, Some(runtime)));
            }
        }
        for name in names {
            files.insert(name.to_owned(), digest(&self.image.join(name))?);
        }
        let manifest = Manifest {
            warm: None,
            format: FORMAT,
            name: self.name,
            language: self.language,
            abi: isolette_abi::VERSION,
            wit: self.wit,
            components: self.components.into_iter().collect(),
            packages: self.packages.into_iter().collect(),
            capabilities: self.capabilities,
            component: COMPONENT.into(),
            compiled: codes,
            files,
        };
        let path = self.image.join(FILE_NAME);
        fs::write(&path, manifest.to_bytes()?).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Returns the digest and the size of a file.
pub(crate) fn digest(path: &Path) -> Result<FileDigest> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileDigest { sha256, size: bytes.len() as u64 })
}
