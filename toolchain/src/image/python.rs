//! CPython as a component, in two stages: byte code is compiled in a throw-away component, so that the compiler's garbage
//! is not in the memory that every sandbox starts from.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::assemble::Interpreter;
use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step, tools};

/// The language version that componentize-py brings.
const PYTHON_VERSION: &str = "3.14";

const WORLD: &str = "isolette:sandbox/interpreter";

/// Builds it.
pub(crate) fn interpreter(project: &Project) -> Result<Interpreter> {
    let store = store(project)?;
    let component = project.toolchain().join("components/python.wasm");
    let inputs = common(project)?
        .file(project.root(), "guest-python/app.py")?
        .file(project.root(), &store)?;
    step(project, "python-interpreter", inputs, std::slice::from_ref(&component), || {
        let folder = fresh(project, "python-application")?;
        copy(&project.path("guest-python/app.py"), &folder.join("app.py"))?;
        copy(&store, &folder.join("store.bin"))?;
        componentize(project, "start CPython and keep its memory", &folder, "app", &component).run()
    })?;
    Ok(Interpreter { component, components: vec![("componentize-py".into(), version(project)?)], packages: Vec::new() })
}

/// First stage: every module that a program may import, compiled and packed.
fn store(project: &Project) -> Result<PathBuf> {
    let folder = project.toolchain().join("python-store");
    let store = folder.join("store.bin");
    let inputs = common(project)?
        .tree(project.root(), "guest-python/stdlib")?
        .tree(project.root(), "guest-python/isolette")?
        .tree(project.root(), "guest-python/standins")?
        .file(project.root(), "guest-python/requirements.txt")?;
    step(project, "python-store", inputs, std::slice::from_ref(&store), || {
        let folder = fresh(project, "python-store")?;
        copy(&project.path("guest-python/stdlib/pack.py"), &folder.join("pack.py"))?;
        copy(&project.path("guest-python/isolette"), &folder.join("sources/isolette"))?;
        copy(&project.path("guest-python/standins"), &folder.join("sources"))?;
        Invocation::new("unpack the Python packages of the image", tools::python(project))
            .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes"])
            .args(["--only-binary", ":all:", "--no-compile", "--implementation", "py", "--abi", "none"])
            .args(["--platform", "any", "--python-version", PYTHON_VERSION, "--target"])
            .arg(folder.join("packages"))
            .arg("--requirement")
            .arg(project.path("guest-python/requirements.txt"))
            .hint("they come from PyPI, which must be reachable once")
            .run()?;
        componentize(project, "compile the standard library of Python", &folder, "pack", &folder.join("pack.wasm")).run()
    })?;
    Ok(store)
}

/// What both stages depend on.
fn common(project: &Project) -> Result<Fingerprint> {
    let mut inputs = Fingerprint::new().file(project.root(), tools::PYTHON_PINS)?;
    for interface in super::INTERPRETER_WIT {
        inputs = inputs.file(project.root(), interface)?;
    }
    Ok(inputs)
}

fn componentize(project: &Project, title: &str, folder: &Path, application: &str, output: &Path) -> Invocation {
    Invocation::new(title, tools::componentize_py(project))
        .arg("-d")
        .arg(project.path("wit"))
        .args(["-w", WORLD, "componentize", "-p"])
        .arg(folder)
        .arg(application)
        .arg("-o")
        .arg(output)
        // Hashes of strings decide the order of sets, and so the bytes of the image.
        .env("PYTHONHASHSEED", "0")
        .hint("what Python said is above; an import that fails while building fails in every sandbox")
}

fn version(project: &Project) -> Result<String> {
    let text = fs::read_to_string(project.path(tools::PYTHON_PINS))?;
    let pin = text.lines().find_map(|line| line.strip_prefix("componentize-py=="));
    let version = pin.and_then(|pin| pin.split_whitespace().next());
    version.map(str::to_owned).with_context(|| format!("{} does not pin componentize-py", tools::PYTHON_PINS))
}

/// An empty folder below the toolchain's.
fn fresh(project: &Project, name: &str) -> Result<PathBuf> {
    let folder = project.toolchain().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Copies a file, or a folder with all that is in it but results.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).with_context(|| format!("cannot copy {}", from.display()));
    }
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let name = entry?.file_name();
        if name != "__pycache__" {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}
