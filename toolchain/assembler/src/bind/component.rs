//! What a component says of its own types.

use std::{collections::BTreeSet, fs, path::Path};

use anyhow::{Context as _, Result, bail, ensure};
use isolette_interface::{Interface, InterfaceName};
use wit_component::{
    ComponentEncoder, DecodedWasm, StringEncoding, WitPrinter, dummy_module, embed_component_metadata,
};
use wit_parser::{LiftLowerAbi, ManglingAndAbi, PackageId, Resolve, WorldId, WorldItem};

/// The WIT of everything that a component exports, as one text.
pub(super) fn wit(component: &Path) -> Result<String> {
    let (resolve, world) = decode(component)?;
    // The world of a component is in a package of its own, which nobody else needs.
    let own = resolve.worlds[world].package;
    let others: Vec<PackageId> = resolve.packages.iter().map(|(id, _)| id).filter(|id| Some(*id) != own).collect();
    let mut printer = WitPrinter::default();
    for package in others {
        printer.print_package(&resolve, package, false)?;
    }
    Ok(format!("package isolette:bound-component;\n\n{}", String::from(printer.output)))
}

/// The interfaces that a component exports and whose functions can be called.
pub(super) fn exports(component: &Path, wit: &Path) -> Result<Vec<Interface>> {
    let (resolve, world) = decode(component)?;
    let mut names = BTreeSet::new();
    for item in resolve.worlds[world].exports.values() {
        match item {
            WorldItem::Interface { id, .. } => {
                if let Some(name) = resolve.id_of(*id) {
                    names.insert(name.parse::<InterfaceName>()?);
                }
            }
            WorldItem::Function(function) => bail!(
                "{} exports the function `{}`, which belongs to no interface\n\
                 hint: put it into an interface of the component's package, and export that",
                component.display(),
                function.name
            ),
            WorldItem::Type { .. } => {}
        }
    }
    let mut interfaces = Vec::new();
    for name in names {
        let (interface, _) = isolette_interface::read(wit, &name.to_string())?;
        if !interface.functions.is_empty() {
            interfaces.push(interface);
        }
    }
    ensure!(
        !interfaces.is_empty(),
        "{} exports no function\nhint: export an interface with functions, or isolette:sandbox/runner",
        component.display()
    );
    Ok(interfaces)
}

/// A component that exports nothing but the types of an interface that another component imports.
pub(super) fn types(component: &Path, interface: &str) -> Result<Vec<u8>> {
    let (mut resolve, world) = decode(component)?;
    let imported = resolve.worlds[world].imports.values().find_map(|item| match item {
        WorldItem::Interface { id, .. } if resolve.id_of(*id).as_deref() == Some(interface) => Some(*id),
        _ => None,
    });
    let imported = imported.with_context(|| format!("{} does not import {interface}", component.display()))?;
    ensure!(
        resolve.interfaces[imported].functions.is_empty(),
        "{} imports {interface}, which has functions, and nobody serves them",
        component.display()
    );
    let text = format!("package isolette:bound-types; world types {{ export {interface}; }}");
    let package = resolve.push_source("types.wit", &text)?;
    let world = resolve.select_world(&[package], Some("types"))?;
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Legacy(LiftLowerAbi::Sync));
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    ComponentEncoder::default().module(&module)?.validate(true).encode()
}

fn decode(component: &Path) -> Result<(Resolve, WorldId)> {
    let bytes = fs::read(component).with_context(|| format!("cannot read {}", component.display()))?;
    match wit_component::decode(&bytes)
        .with_context(|| format!("{} is not a WebAssembly component", component.display()))?
    {
        DecodedWasm::Component(resolve, world) => Ok((resolve, world)),
        DecodedWasm::WitPackage(..) => bail!("{} is a WIT package, not a component", component.display()),
    }
}
