//! Fails if modules import each other in a cycle: at every level of every crate, the modules of one folder.
//!
//! An import is a path of a `use`, or one in code that begins with `crate`, `self` or `super`. A name that a parent
//! re-exports counts as an import of the module that defines it. What exists in tests only is ignored.

mod conditions;
mod graph;
mod source;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use self::tree::{Edge, Files, Tree};
use crate::project::Project;

/// Directories without sources of the project.
const LEFT_OUT: [&str; 2] = ["target", "node_modules"];

pub(crate) fn check(project: &Project) -> Result<()> {
    let mut found = Vec::new();
    for folder in crates(project.root(), Path::new(""))? {
        let sources = folder.join("src");
        found.extend(cycles(&sources, &files(&project.path(&sources), Path::new(""))?));
    }
    if found.is_empty() {
        return Ok(());
    }
    bail!(
        "{}\nhint: move what the modules of a cycle share into a module that imports none of them, or pass it as an argument",
        found.join("\n")
    )
}

/// One message for each cycle of a crate.
fn cycles(sources: &Path, files: &Files) -> Vec<String> {
    let is_root = |path: &&PathBuf| {
        path.parent() == Some(Path::new("bin")) || [Path::new("lib.rs"), Path::new("main.rs")].contains(&path.as_path())
    };
    let message = |root: &PathBuf| -> Vec<String> {
        let edges = Tree::read(files, root).edges();
        graph::cycles(&edges).iter().map(|cycle| describe(sources, cycle)).collect()
    };
    files.keys().filter(is_root).flat_map(message).collect()
}

/// `a -> b -> a`, and the path of the source file that each arrow stands for.
fn describe(sources: &Path, cycle: &[&Edge]) -> String {
    let names: Vec<&str> = cycle.iter().chain(cycle.first()).map(|edge| edge.from.as_str()).collect();
    let mut folder = sources.to_owned();
    folder.extend(cycle.first().into_iter().flat_map(|edge| &edge.parent));
    let mut message = format!("import cycle in {}: {}", folder.display(), names.join(" -> "));
    for edge in cycle {
        let Edge { file, path, from, to, .. } = edge;
        let file = sources.join(file);
        message += &format!("\n  {from} -> {to}: {}:{} names {}", file.display(), path.line, path.segments.join("::"));
    }
    message
}

/// The folders below `folder` that have a manifest and sources, relative to `root`.
fn crates(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let full = root.join(folder);
    let mut crates = Vec::new();
    if full.join("Cargo.toml").is_file() && full.join("src").is_dir() {
        crates.push(folder.to_owned());
    }
    for name in entries(&full)? {
        if full.join(&name).is_dir() && !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str()) {
            crates.extend(self::crates(root, &folder.join(name))?);
        }
    }
    Ok(crates)
}

/// The texts of all Rust files below `folder`, by their paths relative to `root`.
fn files(root: &Path, folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    for name in entries(&root.join(folder))? {
        let path = folder.join(name);
        let full = root.join(&path);
        if full.is_dir() {
            files.extend(self::files(root, &path)?);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&full).with_context(|| format!("cannot read {}", full.display()))?;
            files.insert(path, text);
        }
    }
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect());
    let mut entries: Vec<String> = entries.with_context(|| format!("cannot list {}", folder.display()))?;
    entries.sort();
    Ok(entries)
}
