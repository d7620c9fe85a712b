//! Prints an image or a component in readable form.

use std::path::Path;

use anyhow::Result;
use isolette_engine::Image;
use wac_graph::CompositionGraph;

use crate::world::{self, World};

/// Prints the manifest of an image directory, or the imports and exports of a component.
pub(crate) fn inspect(path: &Path, json: bool) -> Result<()> {
    if path.is_dir() {
        let image = Image::open(path)?;
        print!("{}", String::from_utf8_lossy(&image.manifest().to_bytes()?));
        return Ok(());
    }
    let mut graph = CompositionGraph::new();
    let package = world::read(path, graph.types_mut())?;
    let world = World::of(&package, graph.types());
    if json {
        println!("{}", serde_json::json!({"imports": world.imports, "exports": world.exports}));
        return Ok(());
    }
    for (heading, names) in [("imports", world.imports), ("exports", world.exports)] {
        println!("{heading}:");
        for name in names {
            println!("  {name}");
        }
    }
    Ok(())
}
