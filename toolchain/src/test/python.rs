//! The tests of the Python package: in each Python of this machine, from an environment with nothing but the wheels.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

use anyhow::{Context as _, Result, ensure};

use crate::{
    environments::{self, PythonEnvironment},
    install, interpreters,
    invocation::Invocation,
    lock,
    package::{Package, Registry},
    progress,
    project::Project,
    tools,
    wheel::{self, Profile},
};

/// The tests of the package whose interface `isolette.compat.hyperlight_sandbox` has.
const HYPERLIGHT_SANDBOX: Package = Package {
    name: "hyperlight-sandbox",
    version: "0.8.0",
    registry: Registry::PyPiSource,
    sha256: "3a7c9f4a3e3c41ddd8bd2b9f48db6ece652b2c18be384f459d6b168d33c063ee",
    inside: "hyperlight_sandbox-0.8.0",
    files: &["tests"],
};

/// The folder below the toolchain's for packages whose tests are run.
const FOLDER: &str = "python-peers";

/// The frameworks that the adapters are for, with the hashes of their wheels.
const FRAMEWORKS: &str = "python/tests/frameworks/requirements.txt";

/// The first version of Python that all of them support.
const FRAMEWORKS_SINCE: u32 = 11;

pub(super) fn test(project: &Project) -> Result<()> {
    {
        let _lock = lock::acquire(project)?;
        HYPERLIGHT_SANDBOX.ensure(project, FOLDER)?;
        install::compilers(project)?;
    }
    let wheels = wheel::ensure(project, Profile::Debug)?;
    let interpreters = interpreters::found();
    for minor in interpreters::VERSIONS {
        if !interpreters.iter().any(|(version, _)| *version == minor) {
            progress::note(&format!("tests of the Python package with Python 3.{minor}: skipped: it is not installed"));
        }
    }
    ensure!(!interpreters.is_empty(), "there is no Python from 3.10 on\nhint: install python3 and python3-venv");
    let newest = interpreters.last().filter(|(minor, _)| *minor >= FRAMEWORKS_SINCE).cloned();
    // Installing waits for the network and for the disk, and the tests for time limits.
    thread::scope(|scope| {
        let (sender, environments) = mpsc::channel();
        let wheels = &wheels;
        scope.spawn(move || {
            let each = interpreters.iter().map(|(minor, interpreter)| {
                let made = environment(project, *minor, interpreter, wheels);
                (Suite::Package(*minor), made)
            });
            let frameworks =
                newest.iter().map(|(_, interpreter)| (Suite::Frameworks, frameworks(project, interpreter, wheels)));
            for (suite, environment) in each.chain(frameworks) {
                let is_the_last = environment.is_err();
                if sender.send((suite, environment)).is_err() || is_the_last {
                    return;
                }
            }
        });
        environments.into_iter().try_for_each(|(suite, environment)| run(project, suite, &environment?))
    })
}

/// What is tested in an environment.
#[derive(Clone, Copy)]
enum Suite {
    /// The package, with a minor version of Python.
    Package(u32),
    /// The adapters.
    Frameworks,
}

/// Makes an environment with all frameworks and the wheels.
fn frameworks(project: &Project, interpreter: &Path, wheels: &[PathBuf]) -> Result<PathBuf> {
    let folder = project.toolchain().join("python-tests/frameworks");
    {
        let _lock = lock::acquire(project)?;
        let environment = PythonEnvironment {
            what: "the frameworks that adapters are for",
            step: "setup-frameworks",
            interpreter: interpreter.to_owned(),
            output: folder.join("bin/pytest"),
            folder: folder.clone(),
            pins: FRAMEWORKS,
        };
        environments::python(project, &environment)?;
    }
    Invocation::new("install the wheels beside the frameworks", folder.join("bin/python"))
        .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"])
        .args(wheels)
        .run()?;
    Ok(folder)
}

/// Makes an environment with the wheels, and has it run a program before anything else is installed there.
fn environment(project: &Project, minor: u32, interpreter: &Path, wheels: &[PathBuf]) -> Result<PathBuf> {
    let folder = project.toolchain().join(format!("python-tests/3.{minor}"));
    environments::empty(&folder)?;
    let title = |what: &str| format!("{what} (Python 3.{minor})");
    Invocation::new(title("create an environment"), interpreter)
        .args(["-m", "venv"])
        .arg(&folder)
        .hint("Debian keeps this module in a package of its own: `apt-get install python3-venv`")
        .run()?;
    let python = folder.join("bin/python");
    let pip = |what: &str| {
        Invocation::new(title(what), &python).args(["-m", "pip", "install", "--disable-pip-version-check"])
    };
    pip("install the wheels, and nothing else").args(["--no-index"]).args(wheels).run()?;
    let value = Invocation::new(title("run a program"), &python)
        .args(["-m", "isolette", "run", "-c", "1+1"])
        // Not in the folder of the sources.
        .directory(&folder)
        .output()?;
    ensure!(value == "2\n", "`python -m isolette run -c 1+1` printed {value:?} with Python 3.{minor}");
    pip("install what the tests need")
        .args(["--no-deps", "--require-hashes", "--only-binary", ":all:", "--requirement"])
        .arg(project.path(wheel::PINS))
        .hint("it comes from PyPI, which must be reachable once")
        .run()?;
    Ok(folder)
}

fn run(project: &Project, suite: Suite, environment: &Path) -> Result<()> {
    // The tests are apart from the sources, so that they find the package that is installed.
    let tests = environment.join("suite");
    environments::empty(&tests)?;
    for folder in ["tests", "examples"] {
        copy(&project.path("python").join(folder), &tests.join(folder))?;
    }
    for file in ["pyproject.toml", "README.md"] {
        fs::copy(project.path("python").join(file), tests.join(file)).with_context(|| format!("cannot copy {file}"))?;
    }
    fs::create_dir_all(tests.join("docs"))?;
    fs::copy(project.path("docs/python.md"), tests.join("docs/python.md")).context("cannot copy docs/python.md")?;
    let title = match suite {
        Suite::Package(minor) => format!("test the package (Python 3.{minor})"),
        Suite::Frameworks => "test the adapters for frameworks".into(),
    };
    let pytest = Invocation::new(title, environment.join("bin/python"))
        .args(["-m", "pytest", "--quiet", "--no-header"])
        .env("ISOLETTE_TEST_HYPERLIGHT_SANDBOX", project.toolchain().join(FOLDER).join("hyperlight-sandbox/tests"))
        .env("ISOLETTE_TEST_PYRIGHT", tools::compiler_environment(project).join("node_modules/.bin/pyright"))
        .directory(&tests)
        .hint("the tests that failed are named above");
    match suite {
        Suite::Package(_) => pytest.show(),
        // Frameworks warn of what others deprecate.
        Suite::Frameworks => pytest.args(["-W", "default", "--disable-warnings", "tests/frameworks"]).show(),
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        if entry.file_name() == "__pycache__" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
