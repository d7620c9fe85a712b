//! `cargo xtask doctor`: lists which tools are installed and which are missing, with the command that installs each.
//!
//! It changes nothing. The list goes to standard output.

use anyhow::{Result, bail};

use crate::{
    invocation::Invocation,
    microvm::kernel,
    project::{self, Project},
    runtime,
    tools::{self, GUEST_TARGET, SystemTool},
};

/// One line of the findings.
struct Finding {
    name: String,
    /// The version or path that was found, or what the tool is needed for.
    found: Result<String, String>,
    /// The command that installs it.
    remedy: String,
    /// Whether only some machines need it.
    optional: bool,
}

impl Finding {
    fn new(name: &str, found: Result<String, String>, remedy: impl Into<String>) -> Self {
        Self { name: name.into(), found, remedy: remedy.into(), optional: false }
    }

    /// A program: its version, or what it is needed for.
    fn program(tool: &SystemTool) -> Self {
        let version = tools::find(tool.program).map(|path| tools::version(&path).unwrap_or_default());
        let packages = tool.packages.join(" ");
        Self::new(
            tool.program,
            version.ok_or_else(|| tool.purpose.to_owned()),
            format!("`cargo xtask setup` as root on Debian or Ubuntu, or `sudo apt-get install {packages}`"),
        )
    }

    fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// Checks all tools. Fails if a required one is missing.
pub(crate) fn doctor(project: &Project) -> Result<()> {
    let findings = look(project);
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or_default();
    for Finding { name, found, remedy, optional } in &findings {
        let word = match found {
            Ok(_) => "ok",
            Err(_) if *optional => "absent",
            Err(_) => "missing",
        };
        let (Ok(what) | Err(what)) = found;
        println!("{word:7}  {name:width$}  {what}");
        if found.is_err() {
            println!("{:7}  {:width$}  get it: {remedy}", "", "");
        }
    }
    match findings.iter().filter(|finding| finding.found.is_err() && !finding.optional).count() {
        0 => Ok(()),
        missing => bail!("{missing} of {} are missing", findings.len()),
    }
}

fn look(project: &Project) -> Vec<Finding> {
    let cargo = Invocation::new("ask cargo for its version", project::cargo().get_program()).arg("--version").output();
    let cargo = cargo.map(|version| version.trim().to_owned()).map_err(|error| format!("{error:#}"));
    let mut findings = vec![Finding::new("cargo", cargo, "https://rustup.rs")];
    findings.push(Finding::new(
        GUEST_TARGET,
        found(tools::has_rust_target(GUEST_TARGET), "installed", "compiles the adapter, the entry and QuickJS's host"),
        format!("`cargo xtask setup`, or `rustup target add {GUEST_TARGET}`"),
    ));
    findings.extend(tools::FOR_PYTHON.iter().chain(&tools::FOR_JAVASCRIPT).map(Finding::program));
    if runtime::is_for_this_machine() {
        findings.extend(microvm(project));
    }
    for (name, path, purpose) in [
        ("componentize-py", tools::componentize_py(project), "makes a component of CPython"),
        ("wizer", tools::node_programs(project).join("wizer"), "starts QuickJS while it is built"),
        ("esbuild", tools::node_programs(project).join("esbuild"), "bundles the JavaScript prelude"),
    ] {
        let found = found(path.exists(), &path.display().to_string(), purpose);
        findings.push(Finding::new(name, found, "`cargo xtask setup`"));
    }
    for image in ["python", "javascript"] {
        let path = project.images().join(image).join("image.json");
        let found = found(path.exists(), &path.display().to_string(), "runs programs");
        let remedy = format!("`cargo xtask image build --lang {image}`");
        findings.push(Finding::new(&format!("{image} image"), found, remedy));
    }
    findings
}

/// The tools that build the micro-VM runtime, and those that test it on machines without KVM.
fn microvm(project: &Project) -> Vec<Finding> {
    let sources = found(
        runtime::has_library_sources(),
        "installed",
        "the source of Rust's core, for what runs beneath images in micro-VMs",
    );
    let kernel = kernel::source(project).ok_or_else(|| "boots the machine that QEMU emulates".to_owned());
    let mut findings =
        vec![Finding::new("rust-src", sources, "`cargo xtask setup`, or `rustup component add rust-src`")];
    findings.extend(tools::FOR_ARCHIVE.iter().map(|tool| Finding::program(tool).optional()));
    findings.extend(tools::FOR_PAGES.iter().map(|tool| Finding::program(tool).optional()));
    findings.extend(tools::FOR_HARNESS.iter().map(|tool| Finding::program(tool).optional()));
    let remedy = "`sudo apt-get update` on Debian; elsewhere run the tests on a machine with KVM";
    findings.push(Finding::new("Debian's kernel", kernel, remedy).optional());
    findings
}

fn found(there: bool, what: &str, purpose: &str) -> Result<String, String> {
    if there { Ok(what.to_owned()) } else { Err(purpose.to_owned()) }
}
