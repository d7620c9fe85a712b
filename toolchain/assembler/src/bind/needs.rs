//! Determines which interfaces must be served for the imports of a component.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Result, bail};
use isolette_interface::InterfaceName;
use serde_json::{Value, json};
use wac_graph::CompositionGraph;

use super::{component::imported_types, host_interface::HostInterface};
use crate::world::{self, World, is_compatible};

/// Returns the needs of a component as JSON for `cargo xtask`.
pub(super) fn of(component: &Path, adapter: &Path, provided: &[HostInterface]) -> Result<Value> {
    let types = imported_types(component)?;
    let adapter = world(adapter)?.exports;
    // The entry uses these exports of the adapter; a component must not.
    let offered: Vec<String> = adapter.into_iter().filter(|export| !export.starts_with("isolette:adapter/")).collect();
    let imports = world(component)?.imports;
    match needs(&imports, &types, &offered, provided) {
        Ok(needs) => Ok(needs.to_json(provided)),
        Err(missing) => {
            let missing: String = missing.iter().map(|name| format!("\n  {name}")).collect();
            let provided = provided.iter().map(|one| one.interface.name.to_string());
            // On one line, because callers show a limited number of lines and the imports come first.
            let offered = offered.into_iter().chain(provided).collect::<Vec<_>>().join(", ");
            bail!(
                "{} has imports without a provider:{missing}\navailable interfaces: {offered}\nhint: serve an interface with \
                 `--capability INTERFACE=WIT`, in the imported version or a later compatible one",
                component.display(),
            )
        }
    }
}

fn world(component: &Path) -> Result<World> {
    let mut graph = CompositionGraph::new();
    let package = world::read(component, graph.types_mut())?;
    Ok(World::of(&package, graph.types()))
}

/// The components to generate for a component.
#[derive(Debug, PartialEq, Eq)]
struct Needs {
    /// The indices of the interfaces that the host serves, each with the name by which the component imports it.
    served: Vec<(usize, InterfaceName)>,
    /// The interfaces whose types are needed without a provider.
    types: Vec<String>,
}

impl Needs {
    fn to_json(&self, provided: &[HostInterface]) -> Value {
        let served = self.served.iter().map(|(place, asks)| {
            let HostInterface { interface, wit, .. } = &provided[*place];
            json!({ "interface": interface.name, "wit": wit, "asks": asks })
        });
        json!({ "served": served.collect::<Vec<_>>(), "types": self.types })
    }
}

/// Finds a provider for each import, or returns the imports without one.
fn needs(
    imports: &[String],
    types: &BTreeSet<String>,
    offered: &[String],
    provided: &[HostInterface],
) -> Result<Needs, Vec<String>> {
    let (mut needs, mut missing) = (Needs { served: Vec::new(), types: Vec::new() }, Vec::new());
    for import in imports.iter().filter(|import| !offered.iter().any(|offer| is_compatible(offer, import))) {
        let name = import.parse::<InterfaceName>().ok();
        let serves = |one: &HostInterface| name.as_ref().is_some_and(|name| one.interface.name.serves(name));
        match (provided.iter().position(serves), &name) {
            (Some(place), Some(name)) => match needs.served.iter_mut().find(|(other, _)| *other == place) {
                // The later of two compatible versions satisfies both imports.
                Some((_, asks)) => *asks = name.clone().max(asks.clone()),
                None => needs.served.push((place, name.clone())),
            },
            _ if types.contains(import) => needs.types.push(import.clone()),
            _ => missing.push(import.clone()),
        }
    }
    let origins: BTreeSet<_> = needs.served.iter().flat_map(|(place, _)| &provided[*place].origins).collect();
    needs.types.retain(|import| !origins.iter().any(|origin| is_compatible(&origin.to_string(), import)));
    if missing.is_empty() { Ok(needs) } else { Err(missing) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn host_interface(wit: &str) -> HostInterface {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text.wit");
        fs::write(&file, wit).unwrap();
        HostInterface::read(None, &file).unwrap()
    }

    fn asked(imports: &[&str], provided: &[HostInterface]) -> Result<Needs, Vec<String>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let types = BTreeSet::from_iter(owned(&["acme:base/places@0.1.0", "acme:base/units@0.1.0"]));
        needs(&owned(imports), &types, &owned(&["wasi:io/streams@0.2.9"]), provided)
    }

    fn name(text: &str) -> InterfaceName {
        text.parse().unwrap()
    }

    #[test]
    fn an_interface_is_served_in_the_version_that_is_imported_or_a_later_one() {
        let forecast = || [host_interface("package acme:weather@1.2.0; interface forecast { get: func(); }")];
        for (imports, asks) in [
            (&["acme:weather/forecast@1.2.0", "wasi:io/streams@0.2.12"][..], "acme:weather/forecast@1.2.0"),
            (&["acme:weather/forecast@1.0.0"], "acme:weather/forecast@1.0.0"),
            (&["acme:weather/forecast@1.1.0", "acme:weather/forecast@1.0.0"], "acme:weather/forecast@1.1.0"),
            (&["acme:weather/forecast"], "acme:weather/forecast"),
        ] {
            let needs = asked(imports, &forecast()).unwrap();
            assert_eq!(needs, Needs { served: vec![(0, name(asks))], types: Vec::new() });
        }
        for import in ["acme:weather/forecast@1.3.0", "acme:weather/forecast@2.0.0", "wasi:io/streams@0.3.0"] {
            assert_eq!(asked(&[import], &forecast()).unwrap_err(), [import]);
        }
    }

    #[test]
    fn each_import_gets_the_provider_of_its_version() {
        let versions = ["1.0.0", "2.0.0"];
        let provided =
            versions.map(|version| host_interface(&format!("package a:b@{version}; interface c {{ f: func(); }}")));
        let needs = asked(&["a:b/c@2.0.0", "a:b/c@1.0.0"], &provided).unwrap();
        assert_eq!(needs.served, [(1, name("a:b/c@2.0.0")), (0, name("a:b/c@1.0.0"))]);
    }

    #[test]
    fn interfaces_with_only_types_need_no_provider() {
        let tides = "package acme:base@0.1.0; interface places { type place = string; }
            interface tides { use places.{place}; get: func(place: place); }";
        let imports = ["acme:base/places@0.1.0", "acme:base/tides@0.1.0", "acme:base/units@0.1.0"];
        let needs = asked(&imports, &[host_interface(tides)]).unwrap();
        assert_eq!(needs.served, [(0, name("acme:base/tides@0.1.0"))]);
        assert_eq!(needs.types, ["acme:base/units@0.1.0"], "the component for `tides` exports the types of `places`");
    }

    #[test]
    fn interfaces_that_are_not_imported_are_not_needed() {
        let provided = [host_interface("package a:b; interface c { f: func(); }")];
        assert_eq!(asked(&[], &provided).unwrap(), Needs { served: Vec::new(), types: Vec::new() });
    }

    #[test]
    fn imports_without_a_provider_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, wit: &str, deps: &[&str]| {
            let path = folder.path().join(name);
            fs::write(&path, crate::bind::dummy(wit, deps).unwrap()).unwrap();
            path
        };
        let calls = "package test:calls@0.2.0; interface calls { call: func(); }";
        let adapter = write("adapter.wasm", "package test:x; world part { export test:calls/calls@0.2.0; }", &[calls]);
        let others = "package test:other@1.0.0; interface types { record r { x: u8 } } interface one { f: func(); }
            interface two { use types.{r}; g: func(r: r); }";
        let component = "package test:y; world part { import test:calls/calls@0.2.0; import test:other/one@1.0.0; import test:other/two@1.0.0; }";
        let component = write("component.wasm", component, &[calls, others]);
        let provided = [host_interface("package test:other@0.9.0; interface one { f: func(); }")];
        let problem = of(&component, &adapter, &provided).unwrap_err().to_string();
        assert!(
            problem.contains("imports without a provider:\n  test:other/one@1.0.0\n  test:other/two@1.0.0\n"),
            "{problem}"
        );
        assert!(problem.contains("available interfaces: test:calls/calls@0.2.0, test:other/one@0.9.0\n"), "{problem}");
    }
}
