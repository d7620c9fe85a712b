//! Whether an image is what it says it is.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, bail, ensure};
use crate::manifest::{FILE_NAME, Manifest};
use wac_graph::CompositionGraph;
use wasmtime::{Engine, Precompiled};

use crate::{
    seal::digest,
    world::{self, World},
};

/// Reads the manifest of the image in a directory.
pub(crate) fn read_manifest(image: &Path) -> Result<Manifest> {
    let path = image.join(FILE_NAME);
    let bytes = fs::read(&path).with_context(|| format!("{} is not an image: no manifest", image.display()))?;
    Manifest::parse(&bytes).with_context(|| format!("{}", path.display()))
}

/// Checks everything about an image that can be checked without running it.
pub(crate) fn verify(image: &Path) -> Result<()> {
    let manifest = read_manifest(image)?;
    ensure!(
        manifest.abi == isolette_abi::VERSION,
        "the image speaks version {} of the messages, this version of Isolette version {}\nhint: build the image again",
        manifest.abi,
        isolette_abi::VERSION
    );
    for (name, expected) in &manifest.files {
        let found = digest(&image.join(name))?;
        if found != *expected {
            bail!(
                "{name} is not the file that the manifest describes\n  manifest: {} bytes, sha256 {}\n  found:    {} bytes, sha256 {}\nhint: build the image again",
                expected.size,
                expected.sha256,
                found.size,
                found.sha256
            );
        }
    }
    let mut graph = CompositionGraph::new();
    let package = world::read(&image.join(&manifest.component), graph.types_mut())?;
    World::of(&package, graph.types()).check_image()?;
    for (engine, code) in &manifest.compiled {
        let kind = Engine::detect_precompiled_file(image.join(&code.file))?;
        ensure!(matches!(kind, Some(Precompiled::Component)), "{} is no component compiled for {engine}", code.file);
    }
    println!("{}: {} files as the manifest says, nothing but the wall", manifest.name, manifest.files.len());
    Ok(())
}
