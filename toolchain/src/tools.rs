//! The tools that images are built with, and their pins.
//!
//! Prebuilt packages of a registry are installed below the target folder, from a lock file with hashes. Tools of the system are
//! found in the search path, and their versions are inputs of what they build.

use std::{
    env,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use anyhow::{Context as _, Result};

use crate::{invocation::Invocation, project::Project};

/// The pin of componentize-py, with the hashes of its wheels.
pub(crate) const PYTHON_PINS: &str = "toolchain/requirements.txt";

/// The pins of wizer and esbuild, with the libraries of the JavaScript prelude.
pub(crate) const NODE_PINS: [&str; 2] = ["guest-js/package.json", "guest-js/package-lock.json"];

/// The pins of the official Python SDK of the Model Context Protocol, with the hashes of its wheels.
pub(crate) const AGENT_PYTHON_PINS: &str = "tests/agents/clients/requirements.txt";

/// The pins of the official TypeScript SDK.
pub(crate) const AGENT_NODE_PINS: [&str; 2] =
    ["tests/agents/clients/package.json", "tests/agents/clients/package-lock.json"];

/// The pins of E2B's official SDKs, which the tests drive the service with.
pub(crate) const SERVICE_PYTHON_PINS: &str = "tests/service/clients/requirements.txt";
pub(crate) const SERVICE_NODE_PINS: [&str; 2] =
    ["tests/service/clients/package.json", "tests/service/clients/package-lock.json"];

/// The pins of what compiles the client for TypeScript.
pub(crate) const TYPESCRIPT_PINS: [&str; 2] = ["typescript/package.json", "typescript/package-lock.json"];

/// The pins of what renders and checks the manifests for Kubernetes.
pub(crate) const DEPLOY_PINS: &str = "tests/deploy/requirements.txt";

/// The pins of what compiles extension modules.
pub(crate) const EXTENSION_PINS: &str = "toolchain/extensions/requirements.txt";

/// The pins of numpy and pandas for CPython.
pub(crate) const SCIENCE_PINS: &str = "tests/science/requirements.txt";

/// The pin of the compiler of TypeScript.
pub(crate) const COMPILER_PINS: [&str; 2] = ["tests/compilers/package.json", "tests/compilers/package-lock.json"];

/// The target that all Rust code in an image is compiled for.
pub(crate) const GUEST_TARGET: &str = "wasm32-unknown-unknown";

/// A program that the system must provide.
#[derive(Debug)]
pub(crate) struct SystemTool {
    pub(crate) program: &'static str,
    /// Debian packages that contain it and its dependencies.
    pub(crate) packages: &'static [&'static str],
    pub(crate) purpose: &'static str,
}

/// Tools for the JavaScript image.
pub(crate) const FOR_JAVASCRIPT: [SystemTool; 4] = [
    SystemTool { program: "clang", packages: &["clang"], purpose: "compiles QuickJS for WebAssembly" },
    SystemTool { program: "wasm-ld", packages: &["lld"], purpose: "links WebAssembly" },
    SystemTool { program: "llvm-ar", packages: &["llvm"], purpose: "archives what clang compiled" },
    SystemTool {
        program: "npm",
        packages: &["nodejs", "npm"],
        purpose: "installs wizer, esbuild and the prelude's libraries",
    },
];

/// Tools for the Python image.
pub(crate) const FOR_PYTHON: [SystemTool; 1] = [SystemTool {
    program: "python3",
    packages: &["python3", "python3-venv"],
    purpose: "runs componentize-py and pip",
}];

/// Tools for emulated machines.
pub(crate) const FOR_HARNESS: [SystemTool; 2] = [
    SystemTool {
        program: "qemu-system-x86_64",
        packages: &["qemu-system-x86"],
        purpose: "emulates a machine that can run micro-VMs",
    },
    SystemTool { program: "cpio", packages: &["cpio"], purpose: "packs the first file system of that machine" },
];

/// Tools for the archive with the program.
pub(crate) const FOR_ARCHIVE: [SystemTool; 1] = [SystemTool {
    program: "musl-gcc",
    packages: &["musl-tools"],
    purpose: "compiles SQLite for a program without libraries of the system",
}];

/// The browser that tests look at pages with.
pub(crate) const FOR_PAGES: [SystemTool; 1] =
    [SystemTool { program: "chromium", packages: &["chromium"], purpose: "shows the pages of the inspector in tests" }];

impl SystemTool {
    pub(crate) fn is_installed(&self) -> bool {
        find(self.program).is_some()
    }
}

/// The Python environment of componentize-py.
pub(crate) fn python_environment(project: &Project) -> PathBuf {
    project.toolchain().join("python")
}

/// The directory in which npm installs.
pub(crate) fn node_environment(project: &Project) -> PathBuf {
    project.toolchain().join("node")
}

pub(crate) fn componentize_py(project: &Project) -> PathBuf {
    python_environment(project).join("bin/componentize-py")
}

/// The Python of the environment. It runs pip, and is not part of an image.
pub(crate) fn python(project: &Project) -> PathBuf {
    python_environment(project).join("bin/python")
}

/// The Python environment of the MCP clients of the tests.
pub(crate) fn agent_python_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/python")
}

/// The directory in which npm installs the MCP clients of the tests.
pub(crate) fn agent_node_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/node")
}

/// The Python environment of the clients of the service in the tests.
pub(crate) fn service_python_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/service-python")
}

/// The Python environment that renders and checks the manifests for Kubernetes.
pub(crate) fn deploy_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/deploy-python")
}

/// The Python environment that numpy's programs are compared in.
pub(crate) fn science_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/science-python")
}

/// The directory in which npm installs the clients of the service in the tests.
pub(crate) fn service_node_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/service-node")
}

/// The directory in which npm installs what compiles the client for TypeScript.
pub(crate) fn typescript_environment(project: &Project) -> PathBuf {
    project.toolchain().join("agents/typescript")
}

/// The directory in which npm installs the compiler of TypeScript.
pub(crate) fn compiler_environment(project: &Project) -> PathBuf {
    project.toolchain().join("compilers")
}

/// The directory of the programs of npm packages.
pub(crate) fn node_programs(project: &Project) -> PathBuf {
    node_environment(project).join("node_modules/.bin")
}

/// The first file of that name in the search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The Python of the search path.
pub(crate) fn python3() -> Result<PathBuf> {
    find("python3").context("python3 is not in the search path")
}

/// The version of the Rust compiler, an input of compiled code.
pub(crate) fn rustc_version() -> Result<&'static str> {
    static VERSION: OnceLock<String> = OnceLock::new();
    if let Some(version) = VERSION.get() {
        return Ok(version);
    }
    let version = Invocation::new("ask the compiler for its version", rustc())
        .arg("-vV")
        .hint("install Rust from https://rustup.rs")
        .output()?;
    Ok(VERSION.get_or_init(|| version))
}

/// The first line that a program prints with `--version`.
pub(crate) fn version(program: impl AsRef<Path>) -> Result<String> {
    let program = program.as_ref();
    let text =
        Invocation::new(format!("ask {} for its version", program.display()), program).arg("--version").output()?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Whether the compiler in use has the standard library of a target.
pub(crate) fn has_rust_target(target: &str) -> bool {
    Invocation::new("look for the target", rustc())
        .args(["--print", "target-libdir", "--target", target])
        .output()
        .is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

pub(crate) fn rustc() -> std::ffi::OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}
