//! The exports of the parts so far.

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use anyhow::{Result, bail};
use wac_graph::{
    NodeId,
    types::{ItemKind, SubtypeChecker, Type, Types},
};

use crate::world::is_compatible;

/// An exported interface and the part that exports it.
pub(super) struct Offer {
    pub(super) part: PathBuf,
    pub(super) instance: NodeId,
    pub(super) export: String,
    pub(super) kind: ItemKind,
}

/// All exported interfaces, by name with version.
#[derive(Default)]
pub(super) struct Offers(BTreeMap<String, Offer>);

impl Offers {
    /// Finds the export for an import: the same version if it exists, otherwise a compatible one.
    pub(super) fn find(&self, import: &str) -> Option<&Offer> {
        let compatible = || self.all().filter(|offer| is_compatible(&offer.export, import)).last();
        self.0.get(import).or_else(compatible)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Offer> {
        self.0.values()
    }

    /// Adds an export. Several parts may export an interface that only defines types of values, if the types are compatible;
    /// then one export is kept, because they are interchangeable. Only one part may export any other interface.
    pub(super) fn add(&mut self, offer: Offer, types: &Types) -> Result<()> {
        let Some(other) = self.0.get(&offer.export) else {
            self.0.insert(offer.export.clone(), offer);
            return Ok(());
        };
        let (first, second, export) = (other.part.display(), offer.part.display(), &offer.export);
        if ![other.kind, offer.kind].iter().all(|kind| has_only_types(*kind, types)) {
            bail!("both {first} and {second} export {export}");
        }
        let fits = |one, other| SubtypeChecker::new(&mut HashSet::new()).is_subtype(one, types, other, types).is_ok();
        if fits(other.kind, offer.kind) {
            return Ok(());
        }
        if !fits(offer.kind, other.kind) {
            bail!("{first} and {second} export different types as {export}\nhint: build both from the same WIT");
        }
        self.0.insert(offer.export.clone(), offer);
        Ok(())
    }
}

/// Returns whether an interface only defines types of values. Such types are structural, while each part defines its own
/// resource types.
fn has_only_types(kind: ItemKind, types: &Types) -> bool {
    match kind {
        ItemKind::Instance(interface) => {
            types[interface].exports.values().all(|item| matches!(item, ItemKind::Type(Type::Value(_))))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::super::compose;
    use crate::bind::dummy;

    const ENTRY: &str = "package isolette:waist@0.1.0; interface guest { run: func(); }";
    const PLACES: &str = "package acme:base@0.1.0; interface places { record place { name: string } type far = u8; }";

    fn part(folder: &Path, name: &str, world: &str, deps: &[&str]) -> std::path::PathBuf {
        let path = folder.join(name);
        fs::write(&path, dummy(&format!("package test:parts; world part {{ {world} }}"), deps).unwrap()).unwrap();
        path
    }

    /// Composes two parts that serve interfaces with shared types, and one that imports both.
    fn composed(second: &str) -> anyhow::Result<()> {
        let folder = tempfile::tempdir().unwrap();
        let weather = "package acme:weather@1.0.0;
            interface forecast { use acme:base/places@0.1.0.{place}; get: func(place: place) -> f64; }";
        let tides = "package acme:tides@1.0.0;
            interface table { use acme:base/places@0.1.0.{place}; high: func(place: place) -> u64; }";
        let serves = |interface: &str| format!("export acme:base/places@0.1.0; export {interface}@1.0.0;");
        let parts = [
            part(folder.path(), "weather.wasm", &serves("acme:weather/forecast"), &[PLACES, weather]),
            part(folder.path(), "tides.wasm", &serves("acme:tides/table"), &[second, tides]),
            part(
                folder.path(),
                "entry.wasm",
                "import acme:weather/forecast@1.0.0; import acme:tides/table@1.0.0; export isolette:waist/guest@0.1.0;",
                &[second, weather, tides, ENTRY],
            ),
        ];
        compose(&parts, &folder.path().join("guest.wasm"))
    }

    #[test]
    fn interfaces_may_share_types() {
        composed(PLACES).unwrap();
    }

    #[test]
    fn shared_types_of_one_name_must_be_equal() {
        let error = composed(&PLACES.replace("string", "u64")).unwrap_err().to_string();
        assert!(error.contains("export different types as acme:base/places@0.1.0"), "{error}");
    }

    #[test]
    fn the_export_with_more_shared_types_is_used() {
        composed(&PLACES.replace("type far = u8;", "type far = u8; type farther = u16;")).unwrap();
    }

    #[test]
    fn only_one_part_may_export_a_function() {
        let places = PLACES.replace("type far = u8;", "type far = u8; here: func() -> place;");
        let error = composed(&places).unwrap_err().to_string();
        assert!(error.contains("both "), "{error}");
    }
}
