//! Who serves what a component imports.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Result, bail};
use isolette_interface::InterfaceName;
use serde_json::{Value, json};
use wac_graph::CompositionGraph;

use super::{component::imported_types, lent::Lent};
use crate::world::{self, World, is_compatible};

/// Answers for one component, as JSON for `cargo xtask`.
pub(super) fn of(component: &Path, adapter: &Path, lent: &[Lent]) -> Result<Value> {
    let types = imported_types(component)?;
    let adapter = world(adapter)?.exports;
    // These are the adapter's own way to the entry.
    let offered: Vec<String> = adapter.into_iter().filter(|export| !export.starts_with("isolette:adapter/")).collect();
    let imports = world(component)?.imports;
    match needs(&imports, &types, &offered, lent) {
        Ok(needs) => Ok(needs.to_json(lent)),
        Err(missing) => {
            let missing: String = missing.iter().map(|name| format!("\n  {name}")).collect();
            let lent = lent.iter().map(|one| one.interface.name.to_string());
            let offered: String = offered.into_iter().chain(lent).map(|name| format!("\n  {name}")).collect();
            bail!(
                "{} imports what nobody offers:{missing}\noffered are:{offered}\nhint: serve an interface of your own with \
                 `--capability INTERFACE=WIT`, in the version that is imported or a later one that is compatible",
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

/// What has to be made for a component.
#[derive(Debug, PartialEq, Eq)]
struct Needs {
    /// The places of the interfaces that the host serves, each with the name that the component imports it by.
    served: Vec<(usize, InterfaceName)>,
    /// The interfaces of which only the types are needed.
    types: Vec<String>,
}

impl Needs {
    fn to_json(&self, lent: &[Lent]) -> Value {
        let served = self.served.iter().map(|(place, asks)| {
            let Lent { interface, wit, .. } = &lent[*place];
            json!({ "interface": interface.name, "wit": wit, "asks": asks })
        });
        json!({ "served": served.collect::<Vec<_>>(), "types": self.types })
    }
}

/// Finds somebody for each import, or gives back those that nobody serves.
fn needs(
    imports: &[String],
    types: &BTreeSet<String>,
    offered: &[String],
    lent: &[Lent],
) -> Result<Needs, Vec<String>> {
    let (mut needs, mut missing) = (Needs { served: Vec::new(), types: Vec::new() }, Vec::new());
    for import in imports.iter().filter(|import| !offered.iter().any(|offer| is_compatible(offer, import))) {
        let name = import.parse::<InterfaceName>().ok();
        let serves = |one: &Lent| name.as_ref().is_some_and(|name| one.interface.name.serves(name));
        match (lent.iter().position(serves), &name) {
            (Some(place), Some(name)) => match needs.served.iter_mut().find(|(other, _)| *other == place) {
                // Whoever serves the later one of two versions serves the earlier one, too.
                Some((_, asks)) => *asks = name.clone().max(asks.clone()),
                None => needs.served.push((place, name.clone())),
            },
            _ if types.contains(import) => needs.types.push(import.clone()),
            _ => missing.push(import.clone()),
        }
    }
    let origins: BTreeSet<_> = needs.served.iter().flat_map(|(place, _)| &lent[*place].origins).collect();
    needs.types.retain(|import| !origins.iter().any(|origin| is_compatible(&origin.to_string(), import)));
    if missing.is_empty() { Ok(needs) } else { Err(missing) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn lent(wit: &str) -> Lent {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text.wit");
        fs::write(&file, wit).unwrap();
        Lent::read(None, &file).unwrap()
    }

    fn asked(imports: &[&str], lent: &[Lent]) -> Result<Needs, Vec<String>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let types = BTreeSet::from_iter(owned(&["acme:base/places@0.1.0", "acme:base/units@0.1.0"]));
        needs(&owned(imports), &types, &owned(&["wasi:io/streams@0.2.9"]), lent)
    }

    fn name(text: &str) -> InterfaceName {
        text.parse().unwrap()
    }

    #[test]
    fn an_interface_is_served_in_the_version_that_is_imported_or_a_later_one() {
        let forecast = || [lent("package acme:weather@1.2.0; interface forecast { get: func(); }")];
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
    fn of_two_versions_each_import_gets_its_own() {
        let versions = ["1.0.0", "2.0.0"];
        let lent = versions.map(|version| lent(&format!("package a:b@{version}; interface c {{ f: func(); }}")));
        let needs = asked(&["a:b/c@2.0.0", "a:b/c@1.0.0"], &lent).unwrap();
        assert_eq!(needs.served, [(1, name("a:b/c@2.0.0")), (0, name("a:b/c@1.0.0"))]);
    }

    #[test]
    fn types_alone_are_not_asked_of_the_host() {
        let tides = "package acme:base@0.1.0; interface places { type place = string; }
            interface tides { use places.{place}; get: func(place: place); }";
        let imports = ["acme:base/places@0.1.0", "acme:base/tides@0.1.0", "acme:base/units@0.1.0"];
        let needs = asked(&imports, &[lent(tides)]).unwrap();
        assert_eq!(needs.served, [(0, name("acme:base/tides@0.1.0"))]);
        assert_eq!(needs.types, ["acme:base/units@0.1.0"], "those of `places` come with `tides`");
    }

    #[test]
    fn what_is_lent_and_not_imported_is_not_needed() {
        let lent = [lent("package a:b; interface c { f: func(); }")];
        assert_eq!(asked(&[], &lent).unwrap(), Needs { served: Vec::new(), types: Vec::new() });
    }

    #[test]
    fn a_component_that_imports_what_nobody_offers_is_refused_with_a_list() {
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
        let lent = [lent("package test:other@0.9.0; interface one { f: func(); }")];
        let problem = of(&component, &adapter, &lent).unwrap_err().to_string();
        assert!(problem.contains("nobody offers:\n  test:other/one@1.0.0\n  test:other/two@1.0.0\n"), "{problem}");
        assert!(problem.contains("offered are:\n  test:calls/calls@0.2.0\n  test:other/one@0.9.0\n"), "{problem}");
    }
}
