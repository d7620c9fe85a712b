//! The world of a component: its imports and exports.
//!
//! Interfaces are matched by name and compatible version in either direction: two tools may pin different patch versions of one
//! WASI interface, and the composition compares the types themselves.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use isolette_abi::{GUEST_INTERFACE, HOST_INTERFACE};
use isolette_interface::InterfaceName;
use wac_graph::types::{Package, Types};

/// The names of the imports and exports of a component, in the order of the component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) imports: Vec<String>,
    pub(crate) exports: Vec<String>,
}

/// Returns whether an export of one name may satisfy an import of another name.
pub(crate) fn is_compatible(export: &str, import: &str) -> bool {
    match (export.parse::<InterfaceName>(), import.parse::<InterfaceName>()) {
        (Ok(export), Ok(import)) => export.serves(&import) || import.serves(&export),
        _ => export == import,
    }
}

/// Reads a component from a file in binary or text format.
pub(crate) fn read(path: &Path, types: &mut Types) -> Result<Package> {
    let bytes = wat::parse_file(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("component");
    Package::from_bytes(name, None, bytes, types)
        .with_context(|| format!("{} is not a WebAssembly component", path.display()))
}

impl World {
    pub(crate) fn of(package: &Package, types: &Types) -> Self {
        let world = &types[package.ty()];
        Self { imports: world.imports.keys().cloned().collect(), exports: world.exports.keys().cloned().collect() }
    }

    /// Fails unless the only import and export are those of an image.
    pub(crate) fn check_image(&self) -> Result<()> {
        let unexpected = |names: &[String], allowed: &str| {
            names.iter().filter(|name| *name != allowed).map(|name| format!("\n  {name}")).collect::<String>()
        };
        let imports = unexpected(&self.imports, HOST_INTERFACE);
        if !imports.is_empty() {
            bail!(
                "the component has imports besides {HOST_INTERFACE}:{imports}\nhint: implement these in guest-adapter"
            );
        }
        let exports = unexpected(&self.exports, GUEST_INTERFACE);
        if !exports.is_empty() {
            bail!("the component has exports besides {GUEST_INTERFACE}:{exports}");
        }
        if self.exports.is_empty() {
            bail!("the component does not export {GUEST_INTERFACE}\nhint: add guest-entry to its parts");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(imports: &[&str], exports: &[&str]) -> World {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        World { imports: owned(imports), exports: owned(exports) }
    }

    #[test]
    fn names_match_with_compatible_versions() {
        for (export, import, expected) in [
            ("wasi:io/streams@0.2.9", "wasi:io/streams@0.2.9", true),
            ("wasi:io/streams@0.2.9", "wasi:io/streams@0.2.12", true),
            ("wasi:io/streams@0.2.12", "wasi:io/streams@0.2.9", true),
            ("wasi:io/streams@0.2.9", "wasi:io/streams@0.3.0", false),
            ("wasi:io/streams@0.2.9", "wasi:io/poll@0.2.9", false),
            ("acme:weather/forecast@2.0.0", "acme:weather/forecast@1.0.0", false),
            ("acme:weather/forecast", "acme:weather/forecast@1.0.0", true),
            ("exports#init", "exports#init", true),
            ("exports#init", "exports", false),
        ] {
            assert_eq!(is_compatible(export, import), expected, "{export} for {import}");
        }
    }

    #[test]
    fn an_image_has_only_the_host_call_abi() {
        assert!(world(&[HOST_INTERFACE], &[GUEST_INTERFACE]).check_image().is_ok());
        assert!(world(&[], &[GUEST_INTERFACE]).check_image().is_ok());
        for (world, named) in [
            (world(&[HOST_INTERFACE, "wasi:cli/stdout@0.2.9"], &[GUEST_INTERFACE]), "wasi:cli/stdout@0.2.9"),
            (world(&["isolette:waist/host@0.2.0"], &[GUEST_INTERFACE]), "isolette:waist/host@0.2.0"),
            (world(&[HOST_INTERFACE], &[GUEST_INTERFACE, "exports#init"]), "exports#init"),
            (world(&[HOST_INTERFACE], &[]), GUEST_INTERFACE),
        ] {
            let error = world.check_image().unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
