//! Images that tests use: of the components among the examples, of a compromised guest, and with numpy and pandas.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{
    Recipe, Selection,
    assemble::{self, Interpreter},
    component::{self, Capability},
    extensions,
};
use crate::{
    assembler::Assembler, environments, fingerprint::Fingerprint, install, invocation::Invocation, lock, progress,
    project::Project, runtime, step::step, tools,
};

/// Projects of one component, each with the image that it is built as. What they import is the same.
const COMPONENTS: [(&str, &str); 4] = [
    ("examples/component-rust", "example-rust"),
    ("examples/component-python", "example-python"),
    ("examples/component-javascript", "example-javascript"),
    ("tests/cargo-component", "example-cargo-component"),
];

/// A compromised guest: a component that sends any bytes to the host, without the adapter.
const COMPROMISED: &str = "tests/hostile/compromised/component.wat";

/// The sources of a wheel with an extension module.
const WHEEL: &str = "tests/wheel";

/// The images with compiled packages: the one for users, and the one for the packages' own tests.
const SCIENCE: [&str; 2] = ["python-science", "science-tests"];

/// Whether images with compiled packages are built. The packages of the first one are compiled for minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packages {
    Build,
    /// Those that are there are kept up to date.
    IfBuiltBefore,
}

/// Builds those that are out of date and whose tools are installed. Returns whether any was out of date.
pub(crate) fn ensure(project: &Project, packages: Packages) -> Result<bool> {
    let mut worked = compromised(project)?;
    for (folder, name) in COMPONENTS {
        let folder = project.path(folder);
        if let Some(reason) = component::missing_tool(&folder)? {
            progress::note(&format!("the image {name}: skipped: {reason}"));
            // An image of earlier sources must not be tested in its place.
            remove(&project.images().join(name))?;
            continue;
        }
        let weather = Capability::new("acme:weather/forecast", project.path("examples/weather/wit"));
        let distances = Capability::only(project.path("examples/component-rust/wit/deps/places"));
        worked |= component::build(project, &folder, &[weather, distances], Some(name.to_owned()))?;
    }
    let was_built = SCIENCE.iter().any(|name| project.images().join(name).exists());
    if packages == Packages::Build || was_built {
        worked |= science(project)?;
    } else {
        progress::note(
            "images with compiled packages: skipped: compiling numpy, pandas and matplotlib takes minutes; `--all` does it",
        );
    }
    Ok(worked)
}

/// Builds the image with numpy and pandas, where the headers of CPython can be had.
fn science(project: &Project) -> Result<bool> {
    if tools::find("apt-get").is_none() {
        progress::note("the image python-science: skipped: headers of CPython come from Debian's packages");
        return Ok(false);
    }
    let [for_users, for_tests] = SCIENCE;
    let worked = super::ensure_with_packages(project, for_users, Vec::new())?;
    let tests = super::ensure_with_packages(project, for_tests, vec![wheel(project)?])?;
    let numpy = extensions::unpack_tests(project, "numpy")?;
    let pandas = extensions::unpack_tests(project, "pandas")?;
    Ok(worked || tests || numpy || pandas)
}

/// Makes a wheel as a third party would, with another compiler than that of `toolchain/extensions`. Returns its folder.
fn wheel(project: &Project) -> Result<PathBuf> {
    let folder = project.toolchain().join("wheel-from-elsewhere");
    let wheel = folder.join("counting-1.0-cp314-cp314-wasi_wasm32.whl");
    let inputs = Fingerprint::new().tree(project.root(), WHEEL)?;
    step(project, "wheel-from-elsewhere", inputs, &[wheel], || {
        environments::empty(&folder)?;
        let (object, library) = (folder.join("counting.o"), folder.join("counting.so"));
        // Of the systems for WebAssembly, this is the one for which clang makes position-independent code.
        Invocation::new("compile a wheel for tests", "clang")
            .args(["--target=wasm32-unknown-emscripten", "-O2", "-fPIC", "-c"])
            .arg(project.path(WHEEL).join("counting.c"))
            .arg("-o")
            .arg(&object)
            .run()?;
        Invocation::new("link a wheel for tests", "wasm-ld")
            .args(["--experimental-pic", "-shared", "--allow-undefined", "--export=PyInit__counting"])
            .arg(&object)
            .arg("-o")
            .arg(&library)
            .run()?;
        let pack = Invocation::new("pack a wheel for tests", tools::python3()?).arg("-B");
        pack.arg(project.path(WHEEL).join("pack.py")).arg(&library).arg(&folder).run()
    })?;
    Ok(folder)
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
    let runtimes = runtime::build_for_this_machine(project)?;
    worked |= assemble::image(project, &Assembler::new(project), &recipe, None, &guest, runtimes.as_ref())?;
    Ok(worked)
}

fn remove(image: &Path) -> Result<()> {
    match fs::remove_dir_all(image) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", image.display()))
        }
        _ => Ok(()),
    }
}
