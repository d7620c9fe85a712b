//! An image of somebody else's component, with what stands between it and the wall.

use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::{
    Language, Recipe, Selection,
    assemble::{self, Interpreter},
    rust::{self, componentise},
};
use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    lock,
    microvm::runtime,
    project::Project,
    setup,
    step::step,
    tools::{self, GUEST_TARGET},
};

const RUNNER: &str = "isolette:sandbox/runner";

/// An interface that the host will serve: where its WIT is, and its name.
#[derive(Debug, Clone)]
pub(crate) struct Capability {
    wit: PathBuf,
    interface: String,
}

impl Capability {
    pub(crate) fn new(interface: &str, wit: PathBuf) -> Self {
        Self { wit, interface: interface.to_owned() }
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((interface, wit)) if interface.contains(':') && interface.contains('/') && !wit.is_empty() => {
                Ok(Self::new(interface, wit.into()))
            }
            _ => Err("expected INTERFACE=WIT, as in `acme:weather/forecast=weather/wit`".into()),
        }
    }
}

/// What a component imports and exports.
#[derive(Debug, Deserialize)]
struct World {
    imports: Vec<String>,
    exports: Vec<String>,
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
    let mut worked = setup::ensure(project, Selection::All)?;
    let assembler = Assembler::new(project);
    let parts = rust::parts(project, &assembler)?;
    let component = if is_module(&file)? { componentise(project, &assembler, &recipe.name, &file)? } else { file };
    let world = world(&assembler, &component)?;
    let mut before = Vec::new();
    let mut served = Vec::new();
    for capability in capabilities {
        let part = serving(project, &assembler, capability)?;
        served.extend(self::world(&assembler, &part)?.exports);
        before.push(part);
    }
    let required = require(project, &assembler, &component, &world, &served, &parts.adapter, &mut before)?;
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

/// Finds somebody for each import, and gives back the names of what the host has to serve.
fn require(
    project: &Project,
    assembler: &Assembler<'_>,
    component: &Path,
    world: &World,
    served: &[String],
    adapter: &Path,
    before: &mut Vec<PathBuf>,
) -> Result<Vec<String>> {
    let adapter = self::world(assembler, adapter)?.exports;
    let offered: Vec<&String> =
        adapter.iter().filter(|export| !export.starts_with("isolette:adapter/")).chain(served).collect();
    let is_offered = |import: &&String| offered.iter().any(|offer| unversioned(offer) == unversioned(import));
    let mut missing = Vec::new();
    for import in world.imports.iter().filter(|import| !is_offered(import)) {
        // An interface without functions needs nobody: its types are all that there is of it.
        match types(project, assembler, component, import) {
            Ok(part) => before.push(part),
            Err(_) => missing.push(format!("\n  {import}")),
        }
    }
    if !missing.is_empty() {
        let offered: String = offered.iter().map(|offer| format!("\n  {offer}")).collect();
        bail!(
            "{} imports what nobody offers:{}\noffered are:{offered}\nhint: serve an interface of your own with \
             `--capability INTERFACE=WIT`",
            component.display(),
            missing.concat(),
        );
    }
    let imports = world.imports.iter().map(|import| unversioned(import));
    let imports: Vec<&str> = imports.collect();
    Ok(served.iter().filter(|name| imports.contains(&unversioned(name))).cloned().collect())
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

fn serving(project: &Project, assembler: &Assembler<'_>, capability: &Capability) -> Result<PathBuf> {
    let wit = fs::canonicalize(&capability.wit).with_context(|| format!("cannot find {}", capability.wit.display()))?;
    let name = format!("serving-{}", plain(&capability.interface));
    let folder = project.toolchain().join("bound").join(&name);
    assembler
        .call(format!("read {}", capability.interface))?
        .args(["bind", "serving", "--interface", &capability.interface, "--wit"])
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
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' }).collect()
}

impl Recipe {
    pub(super) fn of_component(name: String) -> Result<Self> {
        super::check_name(&name)?;
        Ok(Self { name, language: Language::Component, packages: Vec::new() })
    }
}
