//! Components that connect a custom component to the host call ABI: one for each interface that it imports, and a runner that
//! calls what it exports. The assembler generates their code.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::capability::Capability;
use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    image::rust::{self, componentise},
    project::Project,
    step::step,
    tools::{self, GUEST_TARGET},
};

/// The interface of a component that runs programs.
const RUNNER: &str = "isolette:sandbox/runner";

/// What stands beside a custom component in its image.
#[derive(Debug)]
pub(super) struct Bound {
    /// Components that provide what it imports.
    pub(super) before: Vec<PathBuf>,
    /// Components that call what it exports.
    pub(super) after: Vec<PathBuf>,
    /// The interfaces that the host must provide.
    pub(super) required: Vec<String>,
}

/// The world of a component.
#[derive(Debug, Deserialize)]
struct World {
    exports: Vec<String>,
}

/// The interfaces that a component imports and the adapter does not provide.
#[derive(Debug, Deserialize)]
struct Needs {
    served: Vec<Served>,
    /// Interfaces with types alone.
    types: Vec<String>,
}

/// An interface that the host provides, and the name by which the component imports it.
#[derive(Debug, Deserialize)]
struct Served {
    interface: String,
    wit: PathBuf,
    asks: String,
}

/// Builds the components that `component` needs in the image `image`.
pub(super) fn bind(
    project: &Project,
    assembler: &Assembler<'_>,
    (component, image): (&Path, &str),
    adapter: &Path,
    capabilities: &[Capability],
) -> Result<Bound> {
    let world = world(assembler, component)?;
    let needs = needs(assembler, component, adapter, capabilities)?;
    let mut before = Vec::new();
    for interface in &needs.types {
        before.push(types(project, assembler, component, interface)?);
    }
    for served in &needs.served {
        before.push(serving(project, assembler, served)?);
    }
    let required = needs.served.into_iter().map(|served| served.asks).collect();
    let is_runner = world.exports.iter().any(|export| unversioned(export) == RUNNER);
    let after = if is_runner { Vec::new() } else { vec![calling(project, assembler, component, image)?] };
    Ok(Bound { before, after, required })
}

/// Finds a provider for each import.
fn needs(assembler: &Assembler<'_>, component: &Path, adapter: &Path, capabilities: &[Capability]) -> Result<Needs> {
    let mut call = assembler
        .call(format!("find the providers of the imports of {}", component.display()))?
        .args(["bind", "needs"])
        .arg(component)
        .arg("--adapter")
        .arg(adapter)
        .hint("docs/capabilities.md lists the interfaces that a component may import");
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
        .call(format!("inspect {}", component.display()))?
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
            .call(format!("generate a component with the types of {interface}"))?
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
        .call(format!("read the exported functions of {}", component.display()))?
        .args(["bind", "calling"])
        .arg(component)
        .arg("--sources")
        .arg(project.root())
        .arg("--output")
        .arg(&folder)
        .run()?;
    compile(project, assembler, &name, &folder)
}

/// Compiles a crate that the assembler generated.
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
        // The same versions of all dependencies as the other guest components have.
        fs::copy(project.path("Cargo.lock"), folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
        rust::cargo(&format!("compile {name}"), project)?.args(["build", "--release"]).directory(folder).run()?;
        let made = name.replace(['-', '.'], "_");
        let made = project.guests().join(GUEST_TARGET).join("release").join(made).with_extension("wasm");
        fs::copy(made, &module).with_context(|| format!("cannot write {}", module.display()))?;
        Ok(())
    })?;
    componentise(project, assembler, name, &module)
}

/// Replaces what would read as the extension or a folder of a file name.
fn plain(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_no_extension_that_could_be_replaced() {
        assert_eq!(plain("acme:weather/forecast@1.0.0"), "acme-weather-forecast-1-0-0");
    }
}
