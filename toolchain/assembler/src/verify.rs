//! Verifies that an image matches its manifest and has the imports and exports of an image.

use std::path::Path;

use anyhow::{Result, ensure};
use isolette_engine::Image;
use wac_graph::CompositionGraph;
use wasmtime::{Engine, Precompiled};

use crate::world::{self, World};

/// Checks everything that can be checked without running the image.
pub(crate) fn verify(directory: &Path) -> Result<()> {
    let image = Image::open(directory)?;
    image.verify()?;
    let manifest = image.manifest();
    let mut graph = CompositionGraph::new();
    let package = world::read(&directory.join(&manifest.component), graph.types_mut())?;
    World::of(&package, graph.types()).check_image()?;
    for (engine, code) in &manifest.compiled {
        let kind = Engine::detect_precompiled_file(directory.join(&code.file))?;
        ensure!(matches!(kind, Some(Precompiled::Component)), "{} is not a component compiled for {engine}", code.file);
    }
    println!(
        "{}: all {} files match the manifest; the only import and export are those of the host call ABI",
        manifest.name,
        manifest.files.len()
    );
    Ok(())
}
