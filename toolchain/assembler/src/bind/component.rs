//! Reads the WIT that a component contains.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, Result, bail, ensure};
use isolette_interface::{Interface, InterfaceName};
use wit_component::{
    ComponentEncoder, DecodedWasm, StringEncoding, WitPrinter, dummy_module, embed_component_metadata,
};
use wit_parser::{
    Function, LiftLowerAbi, ManglingAndAbi, PackageId, Resolve, Type, TypeDefKind, WorldId, WorldItem, WorldKey,
};

/// The interface name that represents exported functions outside any interface.
pub(super) const BARE: &str = "isolette:bound-component/functions";

/// Returns the WIT of all exports of a component as one text.
pub(super) fn wit(component: &Path) -> Result<String> {
    let (resolve, world) = decode(component)?;
    // The package of the world itself is not needed to use the exports.
    let own = resolve.worlds[world].package;
    let others: Vec<PackageId> = resolve.packages.iter().map(|(id, _)| id).filter(|id| Some(*id) != own).collect();
    let mut printer = WitPrinter::default();
    for package in others {
        printer.print_package(&resolve, package, false)?;
    }
    let mut bare = String::new();
    for function in functions(&resolve, world) {
        check_bare(component, &resolve, function)?;
        let _ = writeln!(bare, "    {};", signature(&resolve, function)?);
    }
    if !bare.is_empty() {
        bare = format!("interface functions {{\n{bare}}}\n\n");
    }
    Ok(format!("package isolette:bound-component;\n\n{bare}{}", String::from(printer.output)))
}

/// Returns the exported functions outside any interface, as WIT items of a world.
pub(super) fn bare(component: &Path) -> Result<Vec<String>> {
    let (resolve, world) = decode(component)?;
    functions(&resolve, world).map(|function| signature(&resolve, function)).collect()
}

fn functions(resolve: &Resolve, world: WorldId) -> impl Iterator<Item = &Function> {
    let exports = resolve.worlds[world].exports.iter();
    exports.filter_map(|(key, item)| match (key, item) {
        (WorldKey::Name(_), WorldItem::Function(function)) => Some(function),
        _ => None,
    })
}

/// Returns a function in WIT syntax. Names are escaped with `%` because they may be keywords.
fn signature(resolve: &Resolve, function: &Function) -> Result<String> {
    let spell = |kind: &Type| {
        let mut printer = WitPrinter::default();
        printer.print_type_name(resolve, kind)?;
        anyhow::Ok(String::from(printer.output))
    };
    let parameters =
        function.params.iter().map(|parameter| Ok(format!("%{}: {}", parameter.name, spell(&parameter.ty)?)));
    let parameters = parameters.collect::<Result<Vec<_>>>()?.join(", ");
    let result = function
        .result
        .as_ref()
        .map_or_else(|| Ok(String::new()), |kind| spell(kind).map(|kind| format!(" -> {kind}")))?;
    Ok(format!("%{}: func({parameters}){result}", function.name))
}

/// Checks that a function outside any interface uses no named types, because a named type belongs to an interface.
fn check_bare(component: &Path, resolve: &Resolve, function: &Function) -> Result<()> {
    fn is_named(resolve: &Resolve, kind: &Type) -> bool {
        let Type::Id(id) = kind else { return false };
        let definition = &resolve.types[*id];
        definition.name.is_some()
            || match &definition.kind {
                TypeDefKind::List(inner) | TypeDefKind::Option(inner) => is_named(resolve, inner),
                TypeDefKind::Tuple(tuple) => tuple.types.iter().any(|kind| is_named(resolve, kind)),
                TypeDefKind::Result(result) => {
                    [&result.ok, &result.err].into_iter().flatten().any(|kind| is_named(resolve, kind))
                }
                _ => true,
            }
    }
    let kinds = function.params.iter().map(|parameter| &parameter.ty).chain(&function.result);
    ensure!(
        !kinds.into_iter().any(|kind| is_named(resolve, kind)),
        "{} exports the function `{}`, which belongs to no interface but uses a named type\n\
         hint: move it to an interface in the package of the component, and export that interface",
        component.display(),
        function.name
    );
    Ok(())
}

/// Returns the exported interfaces that have functions.
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
            WorldItem::Function(_) => {
                names.insert(BARE.parse::<InterfaceName>()?);
            }
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
        "{} exports no functions\nhint: export functions, or isolette:sandbox/runner",
        component.display()
    );
    Ok(interfaces)
}

/// Returns a component that exports only the types of an interface that `component` imports.
pub(super) fn types(component: &Path, interface: &str) -> Result<Vec<u8>> {
    let (mut resolve, world) = decode(component)?;
    ensure!(
        has_only_types(&resolve, world, interface),
        "{} imports functions or resources of {interface}, which has no provider",
        component.display()
    );
    let text = format!("package isolette:bound-types; world types {{ export {interface}; }}");
    let package = resolve.push_source("types.wit", &text)?;
    let world = resolve.select_world(&[package], Some("types"))?;
    dummy(&resolve, world)
}

/// Returns the imported interfaces from which a component imports only types of values, which need no provider.
pub(super) fn imported_types(component: &Path) -> Result<BTreeSet<String>> {
    let (resolve, world) = decode(component)?;
    let imports = resolve.worlds[world].imports.values().filter_map(|item| match item {
        WorldItem::Interface { id, .. } => resolve.id_of(*id),
        _ => None,
    });
    Ok(imports.filter(|interface| has_only_types(&resolve, world, interface)).collect())
}

fn has_only_types(resolve: &Resolve, world: WorldId, interface: &str) -> bool {
    let imported = resolve.worlds[world].imports.values().find_map(|item| match item {
        WorldItem::Interface { id, .. } if resolve.id_of(*id).as_deref() == Some(interface) => Some(*id),
        _ => None,
    });
    imported.is_some_and(|id| {
        let mut types = resolve.interfaces[id].types.values();
        resolve.interfaces[id].functions.is_empty()
            && !types.any(|id| matches!(resolve.types[*id].kind, TypeDefKind::Resource))
    })
}

/// Returns a component without behaviour for a world.
pub(super) fn dummy(resolve: &Resolve, world: WorldId) -> Result<Vec<u8>> {
    let mut module = dummy_module(resolve, world, ManglingAndAbi::Legacy(LiftLowerAbi::Sync));
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8)?;
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
