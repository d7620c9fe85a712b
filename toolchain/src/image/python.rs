//! CPython as a component, in two stages: byte code is compiled in a throw-away component, so that the compiler's garbage
//! is not in the memory that every sandbox starts from. The component of the second stage is patched: a leak is fixed, and
//! its objects are made immortal.
//!
//! The first stage gives the same bytes again, the second does not: CPython chooses the seed of its string hashes when it
//! starts, and componentize-py offers no way to choose it instead.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{
    Recipe,
    assemble::Interpreter,
    packages::{self, Locked},
};
use crate::{
    assembler::Assembler, fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step, tools,
};

const WORLD: &str = "isolette:sandbox/interpreter";

/// The name of the application as a module. Programs write modules called `app`.
const APPLICATION: &str = "isolette_app";

/// Builds the interpreter.
pub(crate) fn interpreter(project: &Project, assembler: &Assembler<'_>, recipe: &Recipe) -> Result<Interpreter> {
    let name = &recipe.name;
    let mut locks = vec![packages::bundled(project)?];
    if !recipe.packages.is_empty() {
        locks.push(packages::resolve(project, &recipe.packages, &recipe.wheels)?);
    }
    let packed = project.toolchain().join(format!("{name}-store"));
    let store = store(project, assembler, recipe, &packed, &locks)?;
    let made = project.components()?.join(format!("{name}-as-made.wasm"));
    let mut inputs = common(project)?.file(project.root(), "guest-python/app.py")?.made(&store)?;
    for lock in &locks {
        // The store does not contain the libraries of extension modules, which are linked here.
        inputs = inputs.made(&lock.file)?;
    }
    step(project, &format!("{name}-interpreter"), inputs, std::slice::from_ref(&made), || {
        let folder = fresh(project, &format!("{name}-application"))?;
        copy(&project.path("guest-python/app.py"), &folder.join(APPLICATION).with_extension("py"))?;
        copy(&store, &folder.join("store.bin"))?;
        copy_libraries(&packed.join("packages"), &folder)?;
        interpreter_of(project, "initialise CPython", &folder, APPLICATION, &made).run()
    })?;
    let component = project.components()?.join(format!("{name}.wasm"));
    let inputs = assembler.fingerprint(Fingerprint::new().made(&made)?)?;
    step(project, &format!("{name}-patched"), inputs, std::slice::from_ref(&component), || {
        let call = assembler.call("patch CPython and make its objects immortal")?.arg("patch").arg(&made);
        call.arg("--output")
            .arg(&component)
            .hint("componentize-py makes a different component than before: see toolchain/assembler/src/patch.rs, interpreter/ and immortal.rs")
            .run()
    })?;
    let components = vec![("componentize-py".into(), version(project)?)];
    Ok(Interpreter {
        component,
        components,
        packages: locks.into_iter().flat_map(|lock| lock.packages).collect(),
        before: Vec::new(),
        after: Vec::new(),
        required: Vec::new(),
    })
}

/// First stage: compiles and packs every module that a program may import.
fn store(
    project: &Project,
    assembler: &Assembler<'_>,
    recipe: &Recipe,
    packed: &Path,
    locks: &[Locked],
) -> Result<PathBuf> {
    let name = &recipe.name;
    let store = packed.join("store.bin");
    let mut inputs = common(project)?.text("for tests", recipe.for_tests.to_string());
    for source in ["guest-python/stdlib", "guest-python/isolette", "guest-python/shims"] {
        inputs = inputs.tree(project.root(), source)?;
    }
    for lock in locks {
        inputs = inputs.made(&lock.file)?;
    }
    if !recipe.packages.is_empty() {
        inputs = assembler.fingerprint(inputs)?;
    }
    step(project, &format!("{name}-store"), inputs, std::slice::from_ref(&store), || {
        let folder = fresh(project, &format!("{name}-store"))?;
        copy(&project.path("guest-python/stdlib/pack.py"), &folder.join("pack.py"))?;
        copy(&project.path("guest-python/isolette"), &folder.join("sources/isolette"))?;
        copy(&project.path("guest-python/shims"), &folder.join("sources"))?;
        packages::unpack(project, locks, &folder.join("packages"))?;
        if !recipe.for_tests {
            remove_test_libraries(&folder.join("packages"))?;
        }
        if !recipe.packages.is_empty() {
            lower_exceptions(assembler, &folder.join("packages"))?;
        }
        interpreter_of(project, "compile the standard library of Python", &folder, "pack", &folder.join("pack.wasm"))
            .run()
    })?;
    Ok(store)
}

/// The inputs of both stages.
fn common(project: &Project) -> Result<Fingerprint> {
    let mut inputs = Fingerprint::new().file(project.root(), tools::PYTHON_PINS)?;
    for interface in super::INTERPRETER_WIT {
        inputs = inputs.file(project.root(), interface)?;
    }
    Ok(inputs)
}

/// Makes a component of an application for a world in a folder of WIT, or for the only one.
pub(super) fn componentize(
    title: &str,
    program: impl AsRef<std::ffi::OsStr>,
    (wit, world): (&Path, Option<&str>),
    (folder, application): (&Path, &str),
    output: &Path,
) -> Invocation {
    Invocation::new(title, program)
        .arg("-d")
        .arg(wit)
        .args(world.iter().flat_map(|world| ["-w", world]))
        .args(["componentize", "-p"])
        .arg(folder)
        .arg(application)
        .arg("-o")
        .arg(output)
        .hint("Python's message is above; an import that fails during the build would fail in every sandbox")
}

/// Makes a component of the interpreter.
fn interpreter_of(project: &Project, title: &str, folder: &Path, application: &str, output: &Path) -> Invocation {
    let program = tools::componentize_py(project);
    componentize(title, program, (&project.path("wit"), Some(WORLD)), (folder, application), output)
}

fn version(project: &Project) -> Result<String> {
    let text = fs::read_to_string(project.path(tools::PYTHON_PINS))?;
    let pin = text.lines().find_map(|line| line.strip_prefix("componentize-py=="));
    let version = pin.and_then(|pin| pin.split_whitespace().next());
    version.map(str::to_owned).with_context(|| format!("{} does not pin componentize-py", tools::PYTHON_PINS))
}

/// An empty directory below the toolchain's.
fn fresh(project: &Project, name: &str) -> Result<PathBuf> {
    let folder = project.toolchain().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Removes the libraries that only the packages' own tests import: `toolchain/extensions/link.py` puts them into folders of their own.
fn remove_test_libraries(packages: &Path) -> Result<()> {
    for entry in fs::read_dir(packages).with_context(|| format!("cannot list {}", packages.display()))? {
        let folder = entry?.path();
        if folder.extension().is_some_and(|kind| kind == "test-libraries") {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
    }
    Ok(())
}

/// Lowers the exceptions of all libraries, because componentize-py initialises CPython in an engine without exceptions.
fn lower_exceptions(assembler: &Assembler<'_>, packages: &Path) -> Result<()> {
    for library in libraries_in(packages)? {
        let title = format!("lower the exceptions of {}", library.display());
        assembler.call(title)?.arg("lower-exceptions").arg(&library).arg("-o").arg(&library).run()?;
    }
    Ok(())
}

/// Copies the libraries of extension modules, which componentize-py links, under the paths that the store knows.
fn copy_libraries(packages: &Path, application: &Path) -> Result<()> {
    for library in libraries_in(packages)? {
        let to = application.join(library.strip_prefix(packages)?);
        let folder = to.parent().context("a library is in a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        copy(&library, &to)?;
    }
    Ok(())
}

/// The libraries of extension modules in a folder, which need not exist.
fn libraries_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(libraries_in(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "so") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Copies a file, or a directory without its outputs.
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
