//! An interface that the host will serve to a component.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context as _, Result, bail, ensure};
use isolette_interface::{Interface, InterfaceName, Kind, interfaces, read};

use super::{names::snake, widest};

/// The interface, and what belongs to it.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) interface: Interface,
    /// The interfaces whose types it uses, and those that these use.
    pub(super) origins: BTreeSet<InterfaceName>,
    /// Where its WIT is.
    pub(super) wit: PathBuf,
}

/// Which interface of which WIT: `INTERFACE=WIT`, or `=WIT` if there is but one.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    interface: Option<String>,
    wit: PathBuf,
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (interface, wit) = text.split_once('=').ok_or("expected INTERFACE=WIT, or =WIT")?;
        Ok(Self { interface: (!interface.is_empty()).then(|| interface.to_owned()), wit: wit.into() })
    }
}

impl Named {
    pub(super) fn read(&self) -> Result<Lent> {
        Lent::read(self.interface.as_deref(), &self.wit)
    }
}

impl Lent {
    /// Reads an interface, and finds out whether a component can serve it.
    pub(super) fn read(interface: Option<&str>, wit: &Path) -> Result<Self> {
        let wit = fs::canonicalize(wit).with_context(|| format!("cannot find {}", wit.display()))?;
        let cannot = || format!("cannot use {}", wit.display());
        let name = match interface {
            Some(name) => name.to_owned(),
            None => only(&wit).with_context(cannot)?,
        };
        let (interface, source) = read(&wit, &name).with_context(cannot)?;
        if let Some(problem) = widest(&interface, &source) {
            bail!(problem);
        }
        check_names(&interface)?;
        let origins = origins(&interface, &wit)?;
        Ok(Self { interface, origins, wit })
    }
}

/// The name of the one interface that can be meant.
fn only(wit: &Path) -> Result<String> {
    let names: Vec<String> = interfaces(wit)?.iter().map(ToString::to_string).collect();
    match &names[..] {
        [name] => Ok(name.clone()),
        [] => bail!("no interface in it has functions"),
        [first, ..] => {
            let all: String = names.iter().map(|name| format!("\n  {name}")).collect();
            bail!("several interfaces in it have functions:{all}\nhint: say which: `{first}={}`", wit.display())
        }
    }
}

/// What is exported with an interface, as its types are those of others. These can be anybody's, while functions and
/// resources of theirs would have to be served, too.
fn origins(interface: &Interface, wit: &Path) -> Result<BTreeSet<InterfaceName>> {
    let mut origins = BTreeSet::new();
    let mut next: Vec<InterfaceName> = owners(interface);
    while let Some(owner) = next.pop() {
        let (read, _) = read(wit, &owner.to_string()).with_context(|| format!("cannot use {}", wit.display()))?;
        ensure!(
            read.functions.is_empty() && read.types.iter().all(|definition| definition.kind != Kind::Resource),
            "{} uses types of {owner}, which has functions or resources besides\nhint: put the types into an interface \
             of their own, and `use` that one in both",
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

/// Rust calls each constructor `new`, so no other function of its resource may be called so.
fn check_names(interface: &Interface) -> Result<()> {
    let has_constructor = |resource: &str| {
        let mut functions = interface.functions.iter();
        functions.any(|one| one.name.is_constructor() && one.name.of_resource().is_some_and(|(own, _)| own == resource))
    };
    for function in interface.functions.iter().filter(|function| !function.name.is_constructor()) {
        if let Some((resource, name)) = function.name.of_resource() {
            ensure!(
                snake(name) != "new" || !has_constructor(resource),
                "`{resource}.{name}` and the constructor of `{resource}` are both called `new` in Rust\nhint: rename the \
                 function"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lent(interface: Option<&str>, wit: &str) -> Result<Lent> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text.wit");
        fs::write(&file, wit).unwrap();
        Lent::read(interface, &file)
    }

    fn problem(interface: Option<&str>, wit: &str) -> String {
        format!("{:#}", lent(interface, wit).unwrap_err())
    }

    #[test]
    fn types_come_with_those_that_they_are_made_of() {
        let lent = lent(
            Some("a:b/c"),
            "package a:b@1.0.0; interface units { type far = f64; } interface other { use units.{far}; type x = far; }
             interface places { use units.{far}; record place { name: string } record way { far: far } }
             interface c { use places.{place}; f: func(place: place); }",
        );
        let origins: Vec<_> = lent.unwrap().origins.iter().map(ToString::to_string).collect();
        assert_eq!(origins, ["a:b/places@1.0.0", "a:b/units@1.0.0"]);
    }

    #[test]
    fn types_of_an_interface_with_more_than_types_are_refused() {
        for more in ["g: func();", "resource r;"] {
            let wit = format!(
                "package a:b; interface o {{ type t = u8; {more} }} interface c {{ use o.{{t}}; f: func(t: t); }}"
            );
            let problem = problem(Some("a:b/c"), &wit);
            assert!(
                problem.contains("a:b/c uses types of a:b/o, which has functions or resources besides"),
                "{problem}"
            );
        }
    }

    #[test]
    fn the_only_interface_need_not_be_named() {
        let one = "package a:b@1.0.0; interface types { type t = u8; } interface c { use types.{t}; f: func(t: t); }";
        assert_eq!(lent(None, one).unwrap().interface.name.to_string(), "a:b/c@1.0.0");
        let problem = problem(None, &format!("{one} interface d {{ g: func(); }}"));
        assert!(
            problem.contains("several interfaces in it have functions:\n  a:b/c@1.0.0\n  a:b/d@1.0.0\n"),
            "{problem}"
        );
        assert!(problem.contains("say which: `a:b/c@1.0.0=/"), "{problem}");
        let problem = self::problem(None, "package a:b; interface types { type t = u8; }");
        assert!(problem.contains("no interface in it has functions"), "{problem}");
    }

    #[test]
    fn what_rust_has_no_words_for_is_refused() {
        let wide = format!("package a:b;\ninterface c {{\n  f: func(x: tuple<{}>);\n}}", vec!["u8"; 13].join(", "));
        let problem = problem(None, &wide);
        assert!(problem.contains("text.wit:3:3: Rust has no tuples of more than 12 fields"), "{problem}");
        let twice = "package a:b; interface c { resource r { constructor(); new: static func() -> r; } }";
        assert!(self::problem(None, twice).contains("are both called `new` in Rust"));
    }
}
