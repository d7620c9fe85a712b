//! Installs the tools that build images and the packages that tests need, as far as they are missing.

use anyhow::{Result, bail};

use crate::{
    environments::{self, NodeEnvironment, PythonEnvironment},
    interpreters,
    invocation::Invocation,
    lock,
    project::Project,
    selection::Selection,
    tools::{
        self, AGENT_NODE_PINS, AGENT_PYTHON_PINS, COMPILER_PINS, DEPLOY_PINS, GUEST_TARGET, NODE_PINS, PYTHON_PINS,
        SCIENCE_PINS, SERVICE_NODE_PINS, SERVICE_PYTHON_PINS, SystemTool, TYPESCRIPT_PINS,
    },
};

/// Installs the missing tools of the selected images. Returns whether any were missing.
///
/// The caller holds the lock.
pub(crate) fn for_images(project: &Project, selection: Selection) -> Result<bool> {
    let mut missing = Vec::new();
    if selection.python() {
        missing.extend(tools::FOR_PYTHON.iter().filter(|tool| !tool.is_installed()));
    }
    if selection.javascript() {
        missing.extend(tools::FOR_JAVASCRIPT.iter().filter(|tool| !tool.is_installed()));
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

/// Installs the missing programs. Returns whether any were missing.
pub(crate) fn programs(tools: &[SystemTool]) -> Result<bool> {
    let missing: Vec<_> = tools.iter().filter(|tool| !tool.is_installed()).collect();
    if missing.is_empty() {
        return Ok(false);
    }
    install_packages(&missing)?;
    Ok(true)
}

fn install_packages(missing: &[&SystemTool]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().flat_map(|tool| tool.packages).copied().collect();
    let list: String = missing.iter().map(|tool| format!("\n  {} ({})", tool.program, tool.purpose)).collect();
    if !is_root() || tools::find("apt-get").is_none() {
        bail!(
            "these programs are not installed:{list}\nhint: on Debian or Ubuntu `sudo apt-get install {packages}`, on Fedora \
             `sudo dnf install {fedora}`, elsewhere the packages that contain the programs above; then run this again",
            packages = packages.join(" "),
            fedora = packages.iter().filter(|name| **name != "python3-venv").copied().collect::<Vec<_>>().join(" "),
        );
    }
    let apt = |title: &str| {
        Invocation::new(title, "apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .hint(format!("install these packages yourself: {}", packages.join(" ")))
    };
    apt("fetch the list of Debian packages").arg("update").run()?;
    apt(&format!("install {}", packages.join(", ")))
        .args(["install", "--yes", "--no-install-recommends"])
        .args(&packages)
        .run()
}

/// Installs a target of the compiler in use. Returns whether it was missing.
pub(crate) fn rust_target(target: &str) -> Result<bool> {
    if tools::has_rust_target(target) {
        return Ok(false);
    }
    Invocation::new(format!("add the target {target}"), "rustup")
        .args(["target", "add", target])
        .hint(format!("without rustup, install the standard library of Rust for {target} with your package manager"))
        .run()?;
    Ok(true)
}

fn python(project: &Project) -> Result<bool> {
    environments::python(
        project,
        &PythonEnvironment {
            what: "componentize-py",
            step: "setup-python",
            interpreter: tools::python3()?,
            folder: tools::python_environment(project),
            pins: PYTHON_PINS,
            output: tools::componentize_py(project),
        },
    )
}

fn node(project: &Project) -> Result<bool> {
    let outputs = ["wizer", "esbuild"].map(|program| tools::node_programs(project).join(program));
    environments::node(
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

/// Installs the independent clients that test the MCP server and the service.
pub(crate) fn clients(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    agents(project).map(drop)
}

/// The same for a caller that holds the lock. Returns whether anything was missing.
pub(crate) fn agents(project: &Project) -> Result<bool> {
    let folder = tools::agent_python_environment(project);
    let python = environments::python(
        project,
        &PythonEnvironment {
            what: "the official Python SDK of the Model Context Protocol",
            step: "setup-agents-python",
            interpreter: tools::python3()?,
            output: folder.join("bin/mcp"),
            folder,
            pins: AGENT_PYTHON_PINS,
        },
    )?;
    let folder = tools::agent_node_environment(project);
    let node = environments::node(
        project,
        &NodeEnvironment {
            what: "the official TypeScript SDK of the Model Context Protocol",
            step: "setup-agents-node",
            outputs: &[folder.join("node_modules/@modelcontextprotocol/client/package.json")],
            folder,
            pins: AGENT_NODE_PINS,
        },
    )?;
    let service = service_clients(project)?;
    let manifests = manifests(project)? | science(project)?;
    let browser = browser()?;
    Ok(python || node || service || manifests || browser)
}

fn manifests(project: &Project) -> Result<bool> {
    let folder = tools::deploy_environment(project);
    environments::python(
        project,
        &PythonEnvironment {
            what: "the schemas of Kubernetes, and kubectl",
            step: "setup-deploy-python",
            interpreter: tools::python3()?,
            output: folder.join("bin/python"),
            folder,
            pins: DEPLOY_PINS,
        },
    )
}

/// Installs numpy and pandas for CPython where there is a version that it is published for; elsewhere the tests that need it are skipped.
fn science(project: &Project) -> Result<bool> {
    let Some((_, interpreter)) = interpreters::found().into_iter().rfind(|(minor, _)| (12..=14).contains(minor)) else {
        return Ok(false);
    };
    let folder = tools::science_environment(project);
    environments::python(
        project,
        &PythonEnvironment {
            what: "numpy and pandas for CPython",
            step: "setup-science-python",
            interpreter,
            output: folder.join("bin/python"),
            folder,
            pins: SCIENCE_PINS,
        },
    )
}

/// Installs a browser where that is possible; elsewhere the tests that need one are skipped.
fn browser() -> Result<bool> {
    if !is_root() || tools::find("apt-get").is_none() {
        return Ok(false);
    }
    programs(&tools::FOR_PAGES)
}

fn is_root() -> bool {
    Invocation::new("get the user id", "id").arg("-u").output().is_ok_and(|id| id.trim() == "0")
}

fn service_clients(project: &Project) -> Result<bool> {
    let folder = tools::service_python_environment(project);
    let python = environments::python(
        project,
        &PythonEnvironment {
            what: "E2B's official SDK for Python, and LiteLLM",
            step: "setup-service-python",
            interpreter: tools::python3()?,
            output: folder.join("bin/python"),
            folder,
            pins: SERVICE_PYTHON_PINS,
        },
    )?;
    let folder = tools::service_node_environment(project);
    let node = environments::node(
        project,
        &NodeEnvironment {
            what: "E2B's official SDK for TypeScript",
            step: "setup-service-node",
            outputs: &[folder.join("node_modules/@e2b/code-interpreter/package.json")],
            folder,
            pins: SERVICE_NODE_PINS,
        },
    )?;
    let compiler = typescript_locked(project)?;
    Ok(python || node || compiler)
}

/// Installs what compiles the client for TypeScript.
pub(crate) fn typescript(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    typescript_locked(project).map(drop)
}

fn typescript_locked(project: &Project) -> Result<bool> {
    let folder = tools::typescript_environment(project);
    environments::node(
        project,
        &NodeEnvironment {
            what: "what compiles the client for TypeScript",
            step: "setup-typescript",
            outputs: &[folder.join("node_modules/typescript/bin/tsc")],
            folder,
            pins: TYPESCRIPT_PINS,
        },
    )
}

/// Installs the compiler of TypeScript that programs are compared with, and a checker of the types of Python. The caller holds the
/// lock.
pub(crate) fn compilers(project: &Project) -> Result<bool> {
    let folder = tools::compiler_environment(project);
    environments::node(
        project,
        &NodeEnvironment {
            what: "the compiler of TypeScript, and pyright",
            step: "setup-compilers",
            outputs: &["typescript/lib/typescript.js", "pyright/index.js"]
                .map(|file| folder.join("node_modules").join(file)),
            folder,
            pins: COMPILER_PINS,
        },
    )
}
