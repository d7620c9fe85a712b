//! Interfaces that the host serves to a component.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context as _, Result, bail, ensure};
use isolette_interface::{Interface, InterfaceName, Kind, interfaces, read};

use super::{names::snake, tuple_problem};

/// An interface that the host serves, and the interfaces that define its types.
#[derive(Debug)]
pub(super) struct HostInterface {
    pub(super) interface: Interface,
    /// The interfaces whose types it uses, directly or indirectly.
    pub(super) origins: BTreeSet<InterfaceName>,
    /// The path of its WIT.
    pub(super) wit: PathBuf,
}

/// The option `INTERFACE=WIT`, or `=WIT` if the WIT has one interface with functions.
#[derive(Debug, Clone)]
pub(crate) struct InterfaceOption {
    interface: Option<String>,
    wit: PathBuf,
}

impl FromStr for InterfaceOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (interface, wit) = text.split_once('=').ok_or("expected INTERFACE=WIT, or =WIT")?;
        Ok(Self { interface: (!interface.is_empty()).then(|| interface.to_owned()), wit: wit.into() })
    }
}

impl InterfaceOption {
    pub(super) fn read(&self) -> Result<HostInterface> {
        HostInterface::read(self.interface.as_deref(), &self.wit)
    }
}

impl HostInterface {
    /// Reads an interface and checks that a generated component can serve it.
    pub(super) fn read(interface: Option<&str>, wit: &Path) -> Result<Self> {
        let wit = fs::canonicalize(wit).with_context(|| format!("cannot find {}", wit.display()))?;
        let cannot = || format!("cannot use {}", wit.display());
        let name = match interface {
            Some(name) => name.to_owned(),
            None => single(&wit).with_context(cannot)?,
        };
        let (interface, source) = read(&wit, &name).with_context(cannot)?;
        if let Some(problem) = tuple_problem(&interface, &source) {
            bail!(problem);
        }
        check_names(&interface)?;
        let origins = origins(&interface, &wit)?;
        Ok(Self { interface, origins, wit })
    }
}

/// Returns the name of the only interface with functions.
fn single(wit: &Path) -> Result<String> {
    let names: Vec<String> = interfaces(wit)?.iter().map(ToString::to_string).collect();
    match &names[..] {
        [name] => Ok(name.clone()),
        [] => bail!("no interface in the WIT has functions"),
        [first, ..] => {
            let all: String = names.iter().map(|name| format!("\n  {name}")).collect();
            bail!(
                "several interfaces in the WIT have functions:{all}\nhint: name one of them: `{first}={}`",
                wit.display()
            )
        }
    }
}

/// Returns the interfaces that define the types of an interface, which the component exports as well. They must not have
/// functions or resources, because those would need a provider.
fn origins(interface: &Interface, wit: &Path) -> Result<BTreeSet<InterfaceName>> {
    let mut origins = BTreeSet::new();
    let mut next: Vec<InterfaceName> = owners(interface);
    while let Some(owner) = next.pop() {
        let (read, _) = read(wit, &owner.to_string()).with_context(|| format!("cannot use {}", wit.display()))?;
        ensure!(
            read.functions.is_empty() && read.types.iter().all(|definition| definition.kind != Kind::Resource),
            "{} uses types of {owner}, which also has functions or resources\nhint: move the types to a separate \
             interface, and `use` it in both",
            interface.name,
        );
        if origins.insert(owner) {
            next.extend(owners(&read));
        }
    }
    Ok(origins)
}

fn owners(interface: &Interface) -> Vec<InterfaceName> {
    interface.types.iter().filter_map(|one| one.origin.as_ref()).map(|(owner, _)| owner.clone()).collect()
}

/// Checks that no other function of a resource has the Rust name `new` of its constructor.
fn check_names(interface: &Interface) -> Result<()> {
    let has_constructor = |resource: &str| {
        let mut functions = interface.functions.iter();
        functions.any(|one| {
            one.name.is_constructor() && one.name.resource_and_name().is_some_and(|(own, _)| own == resource)
        })
    };
    for function in interface.functions.iter().filter(|function| !function.name.is_constructor()) {
        if let Some((resource, name)) = function.name.resource_and_name() {
            ensure!(
                snake(name) != "new" || !has_constructor(resource),
                "`{resource}.{name}` and the constructor of `{resource}` are both named `new` in Rust\nhint: rename the \
                 function"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(interface: Option<&str>, wit: &str) -> Result<HostInterface> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text.wit");
        fs::write(&file, wit).unwrap();
        HostInterface::read(interface, &file)
    }

    fn problem(interface: Option<&str>, wit: &str) -> String {
        format!("{:#}", read_text(interface, wit).unwrap_err())
    }

    #[test]
    fn the_origins_of_nested_types_are_found() {
        let provided = read_text(
            Some("a:b/c"),
            "package a:b@1.0.0; interface units { type far = f64; } interface other { use units.{far}; type x = far; }
             interface places { use units.{far}; record place { name: string } record way { far: far } }
             interface c { use places.{place}; f: func(place: place); }",
        );
        let origins: Vec<_> = provided.unwrap().origins.iter().map(ToString::to_string).collect();
        assert_eq!(origins, ["a:b/places@1.0.0", "a:b/units@1.0.0"]);
    }

    #[test]
    fn types_of_an_interface_with_functions_or_resources_are_rejected() {
        for more in ["g: func();", "resource r;"] {
            let wit = format!(
                "package a:b; interface o {{ type t = u8; {more} }} interface c {{ use o.{{t}}; f: func(t: t); }}"
            );
            let problem = problem(Some("a:b/c"), &wit);
            assert!(problem.contains("a:b/c uses types of a:b/o, which also has functions or resources"), "{problem}");
        }
    }

    #[test]
    fn the_name_of_the_only_interface_is_optional() {
        let one = "package a:b@1.0.0; interface types { type t = u8; } interface c { use types.{t}; f: func(t: t); }";
        assert_eq!(read_text(None, one).unwrap().interface.name.to_string(), "a:b/c@1.0.0");
        let problem = problem(None, &format!("{one} interface d {{ g: func(); }}"));
        assert!(
            problem.contains("several interfaces in the WIT have functions:\n  a:b/c@1.0.0\n  a:b/d@1.0.0\n"),
            "{problem}"
        );
        assert!(problem.contains("name one of them: `a:b/c@1.0.0=/"), "{problem}");
        let problem = self::problem(None, "package a:b; interface types { type t = u8; }");
        assert!(problem.contains("no interface in the WIT has functions"), "{problem}");
    }

    #[test]
    fn wit_without_an_equivalent_in_rust_is_rejected() {
        let wide = format!("package a:b;\ninterface c {{\n  f: func(x: tuple<{}>);\n}}", vec!["u8"; 13].join(", "));
        let problem = problem(None, &wide);
        assert!(problem.contains("text.wit:3:3: Rust supports no tuples of more than 12 fields"), "{problem}");
        let twice = "package a:b; interface c { resource r { constructor(); new: static func() -> r; } }";
        assert!(self::problem(None, twice).contains("are both named `new` in Rust"));
    }
}
