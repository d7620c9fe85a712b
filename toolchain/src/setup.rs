//! `cargo xtask setup`: gets what images are built with, and what tests are done with. Running it again does nothing.
//!
//! Below the target folder it installs what the lock files pin. Outside of it, it adds the compiler's target and, as root
//! on Debian and its relatives, packages of the system; anybody else is told what to install.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    fingerprint::Fingerprint,
    foreign,
    image::Selection,
    invocation::Invocation,
    lock,
    microvm::runtime,
    openapi_documents, progress,
    project::Project,
    step::step,
    tools::{
        self, AGENT_NODE_PINS, AGENT_PYTHON_PINS, COMPILER_PINS, GUEST_TARGET, NODE_PINS, PYTHON_PINS, SystemTool,
    },
};

/// Installs everything, and says so if nothing was missing.
pub(crate) fn setup(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    let mut worked = ensure(project, Selection::All)?;
    worked |= openapi_documents::ensure(project)?;
    worked |= foreign::ensure(project)?;
    worked |= agents(project)?;
    if runtime::is_for_this_machine() {
        worked |= runtime::library_sources()?;
        worked |= programs(&tools::FOR_HARNESS)?;
    }
    if !worked {
        progress::note("everything is installed");
    }
    Ok(())
}

/// Installs what the selected images need and is not there. Returns whether there was anything to do.
///
/// The caller holds the lock.
pub(crate) fn ensure(project: &Project, selection: Selection) -> Result<bool> {
    let mut missing = Vec::new();
    if selection.python() {
        missing.extend(tools::FOR_PYTHON.iter().filter(|tool| !tool.is_there()));
    }
    if selection.javascript() {
        missing.extend(tools::FOR_JAVASCRIPT.iter().filter(|tool| !tool.is_there()));
    }
    let mut worked = !missing.is_empty();
    if worked {
        install_packages(&missing)?;
    }
    worked |= rust_target(GUEST_TARGET)?;
    if selection.python() {
        worked |= python(project)?;
    }
    if selection.javascript() {
        worked |= node(project)?;
    }
    Ok(worked)
}

/// Installs those programs that are not there. Returns whether there was anything to do.
pub(crate) fn programs(tools: &[SystemTool]) -> Result<bool> {
    let missing: Vec<_> = tools.iter().filter(|tool| !tool.is_there()).collect();
    if missing.is_empty() {
        return Ok(false);
    }
    install_packages(&missing)?;
    Ok(true)
}

fn install_packages(missing: &[&SystemTool]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().flat_map(|tool| tool.packages).copied().collect();
    let list: String = missing.iter().map(|tool| format!("\n  {} ({})", tool.program, tool.purpose)).collect();
    let root = Invocation::new("ask who runs this", "id").arg("-u").output().is_ok_and(|id| id.trim() == "0");
    if !root || tools::find("apt-get").is_none() {
        bail!(
            "these programs are not installed:{list}\nhint: on Debian or Ubuntu `sudo apt-get install {packages}`, on Fedora \
             `sudo dnf install {fedora}`, elsewhere whatever brings the programs above; then run this again",
            packages = packages.join(" "),
            fedora = packages.iter().filter(|name| **name != "python3-venv").copied().collect::<Vec<_>>().join(" "),
        );
    }
    let apt = |title: &str| {
        Invocation::new(title, "apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .hint(format!("install these packages in another way: {}", packages.join(" ")))
    };
    apt("fetch the list of Debian packages").arg("update").run()?;
    apt(&format!("install {}", packages.join(", ")))
        .args(["install", "--yes", "--no-install-recommends"])
        .args(&packages)
        .run()
}

/// Makes the compiler in use able to compile for a target. Returns whether there was anything to do.
pub(crate) fn rust_target(target: &str) -> Result<bool> {
    if tools::rust_target_is_there(target) {
        return Ok(false);
    }
    Invocation::new(format!("add the target {target}"), "rustup")
        .args(["target", "add", target])
        .hint(format!("without rustup, install the standard library of Rust for {target} as your system does it"))
        .run()?;
    Ok(true)
}

fn python(project: &Project) -> Result<bool> {
    python_environment(
        project,
        &PythonEnvironment {
            what: "componentize-py",
            step: "setup-python",
            folder: tools::python_environment(project),
            pins: PYTHON_PINS,
            output: tools::componentize_py(project),
        },
    )
}

fn node(project: &Project) -> Result<bool> {
    let outputs = ["wizer", "esbuild"].map(|program| tools::node_programs(project).join(program));
    node_environment(
        project,
        &NodeEnvironment {
            what: "wizer, esbuild and the libraries of the JavaScript prelude",
            step: "setup-node",
            folder: tools::node_environment(project),
            pins: NODE_PINS,
            outputs: &outputs,
        },
    )
}

/// Installs the foreign clients that the tests of the MCP server are driven by.
pub(crate) fn clients(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    agents(project).map(drop)
}

/// The same for a caller that holds the lock.
fn agents(project: &Project) -> Result<bool> {
    let folder = tools::agent_python_environment(project);
    let python = python_environment(
        project,
        &PythonEnvironment {
            what: "the official Python SDK of the Model Context Protocol",
            step: "setup-agents-python",
            output: folder.join("bin/mcp"),
            folder,
            pins: AGENT_PYTHON_PINS,
        },
    )?;
    let folder = tools::agent_node_environment(project);
    let node = node_environment(
        project,
        &NodeEnvironment {
            what: "the official TypeScript SDK of the Model Context Protocol",
            step: "setup-agents-node",
            outputs: &[folder.join("node_modules/@modelcontextprotocol/client/package.json")],
            folder,
            pins: AGENT_NODE_PINS,
        },
    )?;
    Ok(python || node)
}

/// Installs the compiler of TypeScript that programs are compared with. The caller holds the lock.
pub(crate) fn compilers(project: &Project) -> Result<bool> {
    let folder = tools::compiler_environment(project);
    node_environment(
        project,
        &NodeEnvironment {
            what: "the compiler of TypeScript",
            step: "setup-compilers",
            outputs: &[folder.join("node_modules/typescript/lib/typescript.js")],
            folder,
            pins: COMPILER_PINS,
        },
    )
}

/// What pip installs somewhere.
pub(crate) struct PythonEnvironment<'a> {
    /// For people.
    pub(crate) what: &'a str,
    /// By which it is remembered what was installed.
    pub(crate) step: &'a str,
    pub(crate) folder: PathBuf,
    pub(crate) pins: &'a str,
    /// A file that is there once it is installed.
    pub(crate) output: PathBuf,
}

/// Installs it in a folder of its own. Returns whether there was anything to do.
///
/// The caller holds the lock.
pub(crate) fn python_environment(project: &Project, environment: &PythonEnvironment<'_>) -> Result<bool> {
    let PythonEnvironment { what, step: name, folder, pins, output } = environment;
    let interpreter = tools::find("python3").context("python3 is gone")?;
    let inputs = Fingerprint::new()
        .text("python", tools::version(&interpreter)?)
        .text("place", folder.as_os_str().as_encoded_bytes())
        .file(project.root(), pins)?;
    step(project, name, inputs, std::slice::from_ref(output), || {
        empty(folder)?;
        Invocation::new("create a Python environment", interpreter)
            .args(["-m", "venv"])
            .arg(folder)
            .hint("Debian keeps this module in a package of its own: `apt-get install python3-venv`")
            .run()?;
        Invocation::new(format!("install {what}"), folder.join("bin/python"))
            .args(["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes"])
            .args(["--only-binary", ":all:", "--requirement"])
            .arg(project.path(pins))
            .hint("it comes from PyPI, which must be reachable once; it is prebuilt for Linux, macOS and Windows")
            .run()
    })
}

/// What npm installs somewhere.
struct NodeEnvironment<'a> {
    what: &'a str,
    step: &'a str,
    folder: PathBuf,
    pins: [&'a str; 2],
    outputs: &'a [PathBuf],
}

fn node_environment(project: &Project, environment: &NodeEnvironment<'_>) -> Result<bool> {
    let NodeEnvironment { what, step: name, folder, pins, outputs } = environment;
    let inputs = pins.iter().try_fold(Fingerprint::new(), |inputs, pins| inputs.file(project.root(), pins))?;
    step(project, name, inputs, outputs, || {
        empty(folder)?;
        for pins in pins.map(Path::new) {
            let name = pins.file_name().context("a pin is a file")?;
            fs::copy(project.path(pins), folder.join(name))
                .with_context(|| format!("cannot copy {}", pins.display()))?;
        }
        Invocation::new(format!("install {what}"), "npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .directory(folder)
            .hint("they come from the npm registry, which must be reachable once")
            .run()
    })
}

/// Removes what an earlier version has left in a folder.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}
