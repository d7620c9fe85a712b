//! `cargo xtask wheel`: makes the wheels of the Python package and of the images.
//!
//! The native module is compiled by cargo and packed by hatchling (docs/decisions/0045-pack-wheels-without-maturin.md).

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use crate::{
    environments::{self, PythonEnvironment},
    fingerprint::Fingerprint,
    image::{self, Selection},
    invocation::Invocation,
    lock, neutral, progress,
    project::{self, Project},
    step::step,
    tools,
};

/// What wheels are built and tested with, with the hashes of its wheels.
pub(crate) const PINS: &str = "python/requirements.txt";

#[derive(Debug, Args)]
pub(crate) struct Wheel {
    /// Compile as for tests: much sooner, and much slower to run
    #[arg(long)]
    debug: bool,
    /// Also measure the package beside others. Prints JSON
    #[arg(long, conflicts_with = "debug")]
    measure: bool,
}

impl Wheel {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, Selection::All)?;
        let wheels = ensure(project, if self.debug { Profile::Debug } else { Profile::Release })?;
        for wheel in &wheels {
            progress::note(&format!("made {}", wheel.display()));
        }
        if self.measure { measure(project, &wheels) } else { Ok(()) }
    }
}

/// What the package is measured beside, with the hashes of its wheels, and what measures them.
const PEERS: &str = "python/bench/requirements.txt";
pub(crate) const MEASURE: &str = "python/bench/measure.py";

/// Measures the package from an environment with the wheels and the other systems.
fn measure(project: &Project, wheels: &[PathBuf]) -> Result<()> {
    Invocation::new("measure the package", beside_others(project, wheels)?).arg(project.path(MEASURE)).show()
}

/// The Python of an environment with the wheels and the other systems.
pub(crate) fn beside_others(project: &Project, wheels: &[PathBuf]) -> Result<PathBuf> {
    let _lock = lock::acquire(project)?;
    let folder = project.toolchain().join("python-bench");
    let environment = PythonEnvironment {
        what: "what the package is measured beside",
        step: "setup-python-bench",
        interpreter: tools::python3()?,
        output: folder.join("bin/pip"),
        folder: folder.clone(),
        pins: PEERS,
    };
    environments::python(project, &environment)?;
    let python = folder.join("bin/python");
    Invocation::new("install the wheels", &python)
        .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"])
        .args(wheels)
        .run()?;
    Ok(python)
}

/// How the native module is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// Makes the wheels of the package and of the images, which have been built. Returns their paths.
pub(crate) fn ensure(project: &Project, profile: Profile) -> Result<[PathBuf; 2]> {
    let module = compile(project, profile)?;
    let _lock = lock::acquire(project)?;
    let environment = environment(project)?;
    let folder = project.target().join("wheels").join(if profile == Profile::Debug { "debug" } else { "release" });
    let module_digest = Fingerprint::new().made(&module)?;
    let package = pack(
        project,
        &environment,
        &folder.join("package"),
        "python",
        module_digest,
        ("ISOLETTE_NATIVE_MODULE", &module),
    )?;
    let manifests = ["python", "javascript"].map(|name| project.images().join(name).join("image.json"));
    let images = manifests.iter().try_fold(Fingerprint::new(), |inputs, manifest| inputs.made(manifest))?;
    let images = pack(
        project,
        &environment,
        &folder.join("images"),
        "python/images",
        images,
        ("ISOLETTE_IMAGES", &project.images()),
    )?;
    Ok([package, images])
}

/// Compiles the native module. For tests it is compiled like the rest of the workspace, whose dependencies it has.
fn compile(project: &Project, profile: Profile) -> Result<PathBuf> {
    let cargo = Invocation::cargo("compile the native module of the Python package").directory(project.root());
    match profile {
        Profile::Debug => {
            cargo
                .args(["build", "--workspace", "--lib"])
                .args(project::locked())
                .hint("the message of the compiler is above")
                .run()?;
            let module = project.target().join("debug/libisolette_python.so");
            let stripped = project.target().join("debug/isolette_python.stripped.so");
            // It is not debugged there, and takes a tenth of the time to pack and to install.
            Invocation::new("strip the native module", "strip").arg("-o").args([&stripped, &module]).run()?;
            Ok(stripped)
        }
        Profile::Release => {
            cargo
                .args(["build", "--release", "--locked", "--package", "isolette-python", "--lib"])
                .env("CARGO_ENCODED_RUSTFLAGS", neutral::flags(project)?)
                .env("CARGO_TARGET_DIR", project.target().join("wheels/cargo"))
                .hint("the message of the compiler is above")
                .run()?;
            Ok(project.target().join("wheels/cargo/release/libisolette_python.so"))
        }
    }
}

/// The environment that contains hatchling.
fn environment(project: &Project) -> Result<PathBuf> {
    let folder = project.toolchain().join("wheels");
    environments::python(
        project,
        &PythonEnvironment {
            what: "hatchling",
            step: "setup-wheels",
            interpreter: tools::python3()?,
            output: folder.join("bin/hatchling"),
            folder: folder.clone(),
            pins: PINS,
        },
    )?;
    Ok(folder)
}

/// Packs a wheel from a folder of the project. `content` is what its build hook adds.
fn pack(
    project: &Project,
    environment: &Path,
    folder: &Path,
    source: &str,
    inputs: Fingerprint,
    content: (&str, &Path),
) -> Result<PathBuf> {
    let step_name = source.replace('/', "-");
    let mut inputs = inputs.text("place", folder.as_os_str().as_encoded_bytes()).file(project.root(), PINS)?;
    for part in ["isolette", "isolette_images", "pyproject.toml", "build_hook.py", "README.md"] {
        let part = Path::new(source).join(part);
        if project.path(&part).exists() {
            inputs = inputs.tree(project.root(), part)?;
        }
    }
    let record = folder.join("packed");
    step(project, &format!("wheel-{step_name}-{}", profile_of(folder)), inputs, std::slice::from_ref(&record), || {
        environments::empty(folder)?;
        Invocation::new(format!("pack the wheel of {source}"), environment.join("bin/python"))
            .args(["-m", "hatchling", "build", "--target", "wheel", "--directory"])
            .arg(folder)
            .env(content.0, content.1)
            // The same content gives the same wheel.
            .env("SOURCE_DATE_EPOCH", "1767225600")
            .directory(project.path(source))
            .run()?;
        fs::write(&record, wheel_in(folder)?.as_os_str().as_encoded_bytes())?;
        Ok(())
    })?;
    wheel_in(folder)
}

fn profile_of(folder: &Path) -> String {
    let parent = folder.parent().and_then(Path::file_name).unwrap_or_default();
    parent.to_string_lossy().into_owned()
}

fn wheel_in(folder: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(path);
        }
    }
    bail!("there is no wheel in {}", folder.display())
}
