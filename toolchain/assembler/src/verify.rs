//! Whether an image is what it says it is, and nothing else than an image.

use std::path::Path;

use anyhow::{Result, ensure};
use isolette_engine::Image;
use wac_graph::CompositionGraph;
use wasmtime::{Engine, Precompiled};

use crate::world::{self, World};

/// Checks everything about an image that can be checked without running it.
pub(crate) fn verify(directory: &Path) -> Result<()> {
    let image = Image::open(directory)?;
    image.verify()?;
    let manifest = image.manifest();
    let mut graph = CompositionGraph::new();
    let package = world::read(&directory.join(&manifest.component), graph.types_mut())?;
    World::of(&package, graph.types()).check_image()?;
    for (engine, code) in &manifest.compiled {
        let kind = Engine::detect_precompiled_file(directory.join(&code.file))?;
        ensure!(matches!(kind, Some(Precompiled::Component)), "{} is no component compiled for {engine}", code.file);
    }
    println!(
        "{}: all {} files are what the manifest says; the wall is the only way in and out",
        manifest.name,
        manifest.files.len()
    );
    Ok(())
}
