//! Composes components: connects each import of a part to an export of an earlier part.
//!
//! Each connection is explicit. The automatic matching of the composition library silently omits a connection if the types
//! differ, and the interface would become an import of the image.

mod offers;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use isolette_abi::{GUEST_INTERFACE, HOST_INTERFACE};
use wac_graph::{CompositionGraph, EncodeOptions};

use self::offers::{Offer, Offers};
use crate::{
    names::without_names,
    short_copies::shortened,
    world::{self, World},
};

/// Composes `parts` and writes the component to `output`, without name sections.
pub(crate) fn compose(parts: &[PathBuf], output: &Path) -> Result<()> {
    let bytes = shortened(&without_names(&encode(parts)?)?)?;
    fs::write(output, bytes).with_context(|| format!("cannot write {}", output.display()))
}

fn encode(parts: &[PathBuf]) -> Result<Vec<u8>> {
    let mut graph = CompositionGraph::new();
    let mut host = None;
    let mut offers = Offers::default();
    for part in parts {
        let package = world::read(part, graph.types_mut())?;
        let package = graph
            .register_package(package)
            .with_context(|| format!("two parts have the file name of {}", part.display()))?;
        let world = World::of(&graph[package], graph.types());
        let host_type = graph.types()[graph[package].ty()].imports.get(HOST_INTERFACE).copied();
        let instance = graph.instantiate(package);
        for import in &world.imports {
            let argument = if import == HOST_INTERFACE {
                match (host, host_type) {
                    (Some(node), _) => node,
                    (None, Some(kind)) => *host.insert(graph.import(HOST_INTERFACE, kind)?),
                    (None, None) => continue,
                }
            } else {
                let offer = offers.find(import).with_context(|| missing(part, import, &offers))?;
                graph.alias_instance_export(offer.instance, &offer.export)?
            };
            graph
                .set_instantiation_argument(instance, import, argument)
                .with_context(|| mismatch(part, import, offers.find(import)))?;
        }
        let exports = graph.types()[graph[package].ty()].exports.clone();
        for (export, kind) in exports {
            offers.add(Offer { part: part.clone(), instance, export, kind }, graph.types())?;
        }
    }
    let offer = offers.find(GUEST_INTERFACE).with_context(|| format!("no part exports {GUEST_INTERFACE}"))?;
    let entry = graph.alias_instance_export(offer.instance, &offer.export)?;
    graph.export(entry, GUEST_INTERFACE)?;
    Ok(graph.encode(EncodeOptions::default())?)
}

fn missing(part: &Path, import: &str, offers: &Offers) -> String {
    let offered: String =
        offers.all().map(|offer| format!("\n  {} ({})", offer.export, offer.part.display())).collect();
    format!(
        "{} imports {import}, which no earlier part exports\navailable exports:{}\nhint: export it from guest-adapter, or list the part that exports it earlier",
        part.display(),
        if offered.is_empty() { "\n  none".to_owned() } else { offered },
    )
}

fn mismatch(part: &Path, import: &str, offer: Option<&Offer>) -> String {
    match offer {
        Some(offer) => format!(
            "{} imports {import} with types that differ from {} in {}\nhint: build both from the same WIT",
            part.display(),
            offer.export,
            offer.part.display()
        ),
        None => format!("{} imports {import} with types that differ from those of earlier parts", part.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = r#"(import "isolette:waist/host@0.1.0" (instance $host
        (export "call" (func (param "message" (list u8)) (result (list u8))))))"#;

    fn write(directory: &Path, name: &str, text: &str) -> PathBuf {
        let path = directory.join(name);
        fs::write(&path, wat::parse_str(text).unwrap()).unwrap();
        path
    }

    /// Exports the function of the host call ABI under another name.
    fn adapter(directory: &Path, version: &str, result: &str) -> PathBuf {
        let body = if result == "(list u8)" {
            r#"(alias export $host "call" (func $f))"#.to_owned()
        } else {
            format!(
                r#"(core module $m (func (export "f") (param i32 i32) (result i32) unreachable)
                     (memory (export "memory") 1)
                     (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable))
                   (core instance $i (instantiate $m))
                   (func $f (param "message" (list u8)) (result {result})
                     (canon lift (core func $i "f") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))"#
            )
        };
        write(
            directory,
            "adapter.wasm",
            &format!(
                r#"(component {HOST} {body} (instance $served (export "call" (func $f)))
                     (export "test:served/calls@{version}" (instance $served)))"#
            ),
        )
    }

    fn entry(directory: &Path) -> PathBuf {
        write(
            directory,
            "entry.wasm",
            r#"(component
                 (import "test:served/calls@0.2.12" (instance $served
                   (export "call" (func (param "message" (list u8)) (result (list u8))))))
                 (alias export $served "call" (func $f))
                 (instance $guest (export "run" (func $f)))
                 (export "isolette:waist/guest@0.1.0" (instance $guest)))"#,
        )
    }

    #[test]
    fn parts_with_different_patch_versions_are_connected() {
        let directory = tempfile::tempdir().unwrap();
        let parts = [adapter(directory.path(), "0.2.9", "(list u8)"), entry(directory.path())];
        let output = directory.path().join("guest.wasm");
        compose(&parts, &output).unwrap();
        let mut graph = CompositionGraph::new();
        let package = world::read(&output, graph.types_mut()).unwrap();
        World::of(&package, graph.types()).check_image().unwrap();
    }

    #[test]
    fn composing_twice_gives_the_same_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let parts = [adapter(directory.path(), "0.2.9", "(list u8)"), entry(directory.path())];
        assert_eq!(encode(&parts).unwrap(), encode(&parts).unwrap());
    }

    #[test]
    fn an_unserved_import_is_reported_with_the_available_exports() {
        let directory = tempfile::tempdir().unwrap();
        let other = write(
            directory.path(),
            "other.wasm",
            r#"(component (instance $e) (export "test:other/things@1.0.0" (instance $e)))"#,
        );
        let error = format!("{:#}", encode(&[other, entry(directory.path())]).unwrap_err());
        assert!(error.contains("test:served/calls@0.2.12"), "{error}");
        assert!(error.contains("test:other/things@1.0.0"), "{error}");
    }

    #[test]
    fn an_incompatible_version_does_not_satisfy_an_import() {
        let directory = tempfile::tempdir().unwrap();
        let parts = [adapter(directory.path(), "0.3.0", "(list u8)"), entry(directory.path())];
        let error = format!("{:#}", encode(&parts).unwrap_err());
        assert!(error.contains("imports test:served/calls@0.2.12, which no earlier part exports"), "{error}");
        assert!(error.contains("test:served/calls@0.3.0"), "{error}");
    }

    #[test]
    fn an_export_with_different_types_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let error = encode(&[adapter(directory.path(), "0.2.9", "u32"), entry(directory.path())]).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("with types that differ"), "{error}");
    }

    #[test]
    fn two_parts_may_not_export_the_same_interface() {
        let directory = tempfile::tempdir().unwrap();
        let first = adapter(directory.path(), "0.2.9", "(list u8)");
        let second = directory.path().join("second.wasm");
        fs::copy(&first, &second).unwrap();
        let error = encode(&[first, second, entry(directory.path())]).unwrap_err().to_string();
        assert!(error.contains("both"), "{error}");
    }
}
