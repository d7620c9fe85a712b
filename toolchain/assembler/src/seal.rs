//! The manifest: what an image is, and the digest of each of its files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use clap::Args;
use isolette_engine::image::manifest::{Compiled, FILE_NAME, FORMAT, FileDigest, Manifest};
use isolette_interface::InterfaceName;
use sha2::{Digest as _, Sha256};

use crate::compile::{ENGINE_VERSION, For};

/// The portable component inside an image.
pub(crate) const COMPONENT: &str = "guest.wasm";

/// Its code for Wasmtime inside an image.
const WASMTIME_CODE: &str = "guest.wasmtime.cwasm";

/// Its code for a micro-VM inside an image, and what runs that code there. An image need not have them.
const MICROVM_CODE: &str = "guest.microvm.cwasm";
const MICROVM_RUNTIME: &str = "microvm.elf";

/// What the tool cannot see in the files.
#[derive(Debug, Args)]
pub(crate) struct Seal {
    /// The directory of the image, with its files in place.
    image: PathBuf,
    /// How people call the image.
    #[arg(long)]
    name: String,
    /// The language of the programs that it runs.
    #[arg(long)]
    language: String,
    /// SHA-256 over the WIT files that it was built from.
    #[arg(long)]
    wit: String,
    /// What it was built with.
    #[arg(long = "component", value_name = "NAME=VERSION", value_parser = pair)]
    components: Vec<(String, String)>,
    /// Libraries that its programs may import.
    #[arg(long = "package", value_name = "NAME=VERSION", value_parser = pair)]
    packages: Vec<(String, String)>,
    /// Interfaces that the host has to serve.
    #[arg(long = "capability", value_name = "INTERFACE")]
    capabilities: Vec<InterfaceName>,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => Ok((name.to_owned(), version.to_owned())),
        _ => Err("expected NAME=VERSION".to_owned()),
    }
}

impl Seal {
    /// Writes the manifest. The image is complete once it is there.
    pub(crate) fn run(self) -> Result<()> {
        let mut files = BTreeMap::new();
        let mut names = vec![COMPONENT, WASMTIME_CODE];
        let mut codes = vec![(For::Wasmtime, WASMTIME_CODE, None)];
        if self.image.join(MICROVM_CODE).exists() {
            names.extend([MICROVM_CODE, MICROVM_RUNTIME]);
            codes.push((For::Microvm, MICROVM_CODE, Some(MICROVM_RUNTIME.to_owned())));
        }
        for name in names {
            files.insert(name.to_owned(), digest(&self.image.join(name))?);
        }
        let compiled = codes.into_iter().map(|(engine, file, runtime)| {
            let (version, target) = (ENGINE_VERSION.into(), engine.target().into());
            (engine.name().to_owned(), Compiled { file: file.into(), version, target, runtime })
        });
        let manifest = Manifest {
            format: FORMAT,
            name: self.name,
            language: self.language,
            abi: isolette_abi::VERSION,
            wit: self.wit,
            components: self.components.into_iter().collect(),
            packages: self.packages.into_iter().collect(),
            capabilities: self.capabilities,
            component: COMPONENT.into(),
            compiled: compiled.collect(),
            files,
        };
        let path = self.image.join(FILE_NAME);
        fs::write(&path, manifest.to_bytes()?).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Digest and size of a file.
pub(crate) fn digest(path: &Path) -> Result<FileDigest> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileDigest { sha256, size: bytes.len() as u64 })
}
