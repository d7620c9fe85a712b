//! An image of somebody else's component, with what stands between it and the wall.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::{
    Language, Recipe, Selection,
    assemble::{self, Interpreter},
    rust::{self, componentise},
};
use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    install, lock,
    project::Project,
    runtime,
    step::step,
    tools::{self, GUEST_TARGET},
};

const RUNNER: &str = "isolette:sandbox/runner";

/// An interface that the host will serve: where its WIT is, and its name if there are several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Capability {
    interface: Option<String>,
    wit: PathBuf,
}

impl Capability {
    pub(crate) fn new(interface: &str, wit: PathBuf) -> Self {
        Self { interface: Some(interface.to_owned()), wit }
    }

    /// The only interface with functions that there is.
    pub(crate) fn only(wit: PathBuf) -> Self {
        Self { interface: None, wit }
    }

    /// As the assembler takes it.
    fn argument(&self) -> Result<OsString> {
        let wit = fs::canonicalize(&self.wit).with_context(|| format!("cannot find {}", self.wit.display()))?;
        let mut argument = OsString::from(self.interface.as_deref().unwrap_or_default());
        argument.push("=");
        argument.push(wit);
        Ok(argument)
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.split_once('=').filter(|(interface, _)| interface.contains(':') && interface.contains('/'));
        match named {
            Some((interface, wit)) if !wit.is_empty() => Ok(Self::new(interface, wit.into())),
            None if !text.is_empty() => Ok(Self::only(text.into())),
            _ => Err("expected WIT or INTERFACE=WIT, as in `acme:weather/forecast=weather/wit`".into()),
        }
    }
}

/// What a component exports.
#[derive(Debug, Deserialize)]
struct World {
    exports: Vec<String>,
}

/// Who is to serve what a component imports.
#[derive(Debug, Deserialize)]
struct Needs {
    served: Vec<Served>,
    /// Interfaces of which only the types are needed.
    types: Vec<String>,
}

/// An interface that the host serves, and the name that the component imports it by.
#[derive(Debug, Deserialize)]
struct Served {
    interface: String,
    wit: PathBuf,
    asks: String,
}

/// Builds the image. Returns whether there was anything to do.
pub(crate) fn build(
    project: &Project,
    component: &Path,
    capabilities: &[Capability],
    name: Option<String>,
) -> Result<bool> {
    let file = fs::canonicalize(component).with_context(|| format!("cannot find {}", component.display()))?;
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("component");
    let recipe = Recipe::of_component(name.unwrap_or_else(|| stem.replace('_', "-")))?;
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, Selection::All)?;
    let assembler = Assembler::new(project);
    let parts = rust::parts(project, &assembler)?;
    let component = if is_module(&file)? { componentise(project, &assembler, &recipe.name, &file)? } else { file };
    let world = world(&assembler, &component)?;
    let needs = needs(&assembler, &component, &parts.adapter, capabilities)?;
    let mut before = Vec::new();
    for interface in &needs.types {
        before.push(types(project, &assembler, &component, interface)?);
    }
    for served in &needs.served {
        before.push(serving(project, &assembler, served)?);
    }
    let required = needs.served.into_iter().map(|served| served.asks).collect();
    let is_runner = world.exports.iter().any(|export| unversioned(export) == RUNNER);
    let after = if is_runner { Vec::new() } else { vec![calling(project, &assembler, &component, &recipe.name)?] };
    let interpreter = Interpreter { component, components: Vec::new(), packages: Vec::new(), before, after, required };
    let runtime = if runtime::is_for_this_machine() { Some(runtime::build(project)?) } else { None };
    worked |= assemble::image(project, &assembler, &recipe, Some(&parts), &interpreter, runtime.as_deref())?;
    Ok(worked)
}

/// What a compiler made that knows nothing of components, with its WIT in a section of its own.
fn is_module(file: &Path) -> Result<bool> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(bytes.starts_with(b"\0asm\x01\0\0\0"))
}

/// Finds somebody for each import.
fn needs(assembler: &Assembler<'_>, component: &Path, adapter: &Path, capabilities: &[Capability]) -> Result<Needs> {
    let mut call = assembler
        .call(format!("find who serves {}", component.display()))?
        .args(["bind", "needs"])
        .arg(component)
        .arg("--adapter")
        .arg(adapter);
    for capability in capabilities {
        call = call.arg("--capability").arg(capability.argument()?);
    }
    Ok(serde_json::from_str(&call.output()?)?)
}

fn unversioned(name: &str) -> &str {
    name.split_once('@').map_or(name, |(name, _)| name)
}

fn world(assembler: &Assembler<'_>, component: &Path) -> Result<World> {
    let text = assembler
        .call(format!("look at {}", component.display()))?
        .args(["inspect", "--json"])
        .arg(component)
        .output()?;
    Ok(serde_json::from_str(&text)?)
}

fn types(project: &Project, assembler: &Assembler<'_>, component: &Path, interface: &str) -> Result<PathBuf> {
    let name = format!("types-{}", plain(interface));
    let part = project.components()?.join(&name).with_extension("wasm");
    let inputs = assembler.fingerprint(Fingerprint::new().made(component)?)?.text("interface", interface);
    step(project, &name, inputs, std::slice::from_ref(&part), || {
        assembler
            .call(format!("take the types of {interface}"))?
            .args(["bind", "types"])
            .arg(component)
            .args(["--interface", interface, "--output"])
            .arg(&part)
            .output()
            .map(drop)
    })?;
    Ok(part)
}

fn serving(project: &Project, assembler: &Assembler<'_>, served: &Served) -> Result<PathBuf> {
    let Served { interface, wit, asks } = served;
    let name = format!("serving-{}", plain(asks));
    let folder = project.toolchain().join("bound").join(&name);
    assembler
        .call(format!("read {interface}"))?
        .args(["bind", "serving", "--interface", interface, "--asks", asks, "--wit"])
        .arg(wit)
        .arg("--sources")
        .arg(project.root())
        .arg("--output")
        .arg(&folder)
        .run()?;
    compile(project, assembler, &name, &folder)
}

fn calling(project: &Project, assembler: &Assembler<'_>, component: &Path, image: &str) -> Result<PathBuf> {
    let name = format!("calling-{image}");
    let folder = project.toolchain().join("bound").join(&name);
    assembler
        .call(format!("find the functions of {}", component.display()))?
        .args(["bind", "calling"])
        .arg(component)
        .arg("--sources")
        .arg(project.root())
        .arg("--output")
        .arg(&folder)
        .run()?;
    compile(project, assembler, &name, &folder)
}

/// Compiles a crate that the assembler wrote.
fn compile(project: &Project, assembler: &Assembler<'_>, name: &str, folder: &Path) -> Result<PathBuf> {
    let module = project.toolchain().join("bound").join(name).with_extension("wasm");
    let mut inputs = Fingerprint::new().text("rustc", tools::rustc_version()?);
    for source in ["src", "Cargo.toml", "wit"] {
        if folder.join(source).exists() {
            inputs = inputs.tree(folder, source)?;
        }
    }
    for source in ["Cargo.lock", "abi", "interface", "wit"] {
        inputs = inputs.tree(project.root(), source)?;
    }
    step(project, name, inputs, std::slice::from_ref(&module), || {
        // The same versions of everything as the other guests have.
        fs::copy(project.path("Cargo.lock"), folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
        rust::cargo(&format!("compile {name}"), project)?.args(["build", "--release"]).directory(folder).run()?;
        let made = name.replace(['-', '.'], "_");
        let made = project.guests().join(GUEST_TARGET).join("release").join(made).with_extension("wasm");
        fs::copy(made, &module).with_context(|| format!("cannot write {}", module.display()))?;
        Ok(())
    })?;
    componentise(project, assembler, name, &module)
}

/// A name that can be one of a file.
fn plain(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

impl Recipe {
    pub(super) fn of_component(name: String) -> Result<Self> {
        super::check_name(&name)?;
        Ok(Self { name, language: Language::Component, packages: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_is_a_folder_perhaps_with_a_name() {
        let named = Capability::new("acme:weather/forecast", "weather/wit".into());
        assert_eq!("acme:weather/forecast=weather/wit".parse(), Ok(named));
        for wit in ["weather/wit", "a=b/wit", "."] {
            assert_eq!(wit.parse(), Ok(Capability::only(wit.into())), "{wit}");
        }
        for text in ["", "acme:weather/forecast="] {
            assert!(text.parse::<Capability>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_of_files_have_no_ending_that_could_be_taken_off() {
        assert_eq!(plain("acme:weather/forecast@1.0.0"), "acme-weather-forecast-1-0-0");
    }
}
