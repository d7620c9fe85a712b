//! Images that are there for the tests: of the components among the examples, and of one that lies.

use std::path::PathBuf;

use anyhow::Result;

use super::{
    Recipe, Selection,
    assemble::{self, Interpreter},
    component::{self, Capability},
    python, rust,
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

const RUST: &str = "examples/component-rust";
const PYTHON: &str = "examples/component-python";

/// A guest that somebody has taken over: nothing of ours stands between it and the wall.
const COMPROMISED: &str = "tests/hostile/compromised/component.wat";

/// Builds them unless they are up to date. Returns whether there was anything to do.
pub(crate) fn ensure(project: &Project) -> Result<bool> {
    let components = {
        let _lock = lock::acquire(project)?;
        [(in_rust(project)?, "example-rust"), (in_python(project)?, "example-python")]
    };
    let mut worked = compromised(project)?;
    for (component, name) in components {
        let weather = Capability::new("acme:weather/forecast", project.path("examples/weather/wit"));
        let distances = Capability::only(project.path(RUST).join("wit/deps/places"));
        worked |= component::build(project, &component, &[weather, distances], Some(name.to_owned()))?;
    }
    Ok(worked)
}

fn compromised(project: &Project) -> Result<bool> {
    let recipe = Recipe::of_component("compromised".to_owned())?;
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, Selection::All)?;
    let guest = Interpreter {
        component: project.path(COMPROMISED),
        components: Vec::new(),
        packages: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        required: Vec::new(),
    };
    let runtime = if runtime::is_for_this_machine() { Some(runtime::build(project)?) } else { None };
    worked |= assemble::image(project, &Assembler::new(project), &recipe, None, &guest, runtime.as_deref())?;
    Ok(worked)
}

fn in_rust(project: &Project) -> Result<PathBuf> {
    let module = project.guests().join(GUEST_TARGET).join("release/component_rust.wasm");
    let inputs = Fingerprint::new().text("rustc", tools::rustc_version()?).tree(project.root(), RUST)?;
    step(project, "example-rust-module", inputs, std::slice::from_ref(&module), || {
        rust::cargo("compile the component in Rust", project)?
            .args(["build", "--release"])
            .args(crate::project::locked())
            .directory(project.path(RUST))
            .run()
    })?;
    Ok(module)
}

fn in_python(project: &Project) -> Result<PathBuf> {
    let component = project.components()?.join("example-python-application.wasm");
    let wit = format!("{RUST}/wit");
    let inputs = Fingerprint::new().file(project.root(), tools::PYTHON_PINS)?.tree(project.root(), PYTHON)?;
    let inputs = inputs.tree(project.root(), &wit)?;
    step(project, "example-python-application", inputs, std::slice::from_ref(&component), || {
        python::componentize(
            "make a component of Python",
            tools::componentize_py(project),
            (&project.path(&wit), "docs:text/text"),
            (&project.path(PYTHON), "app"),
            &component,
        )
        .run()
    })?;
    Ok(component)
}
