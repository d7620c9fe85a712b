//! `cargo xtask doctor`: what is there, what is missing, and how to get it.
//!
//! It changes nothing. Its findings are its result, so they go to standard output.

use anyhow::{Result, bail};

use crate::{
    invocation::Invocation,
    project::{self, Project},
    tools::{self, GUEST_TARGET},
};

/// One line of the findings.
struct Finding {
    name: String,
    /// What was found, or why it is needed.
    found: Result<String, String>,
    /// How to get it.
    remedy: String,
}

/// Looks at everything. Fails if something is missing.
pub(crate) fn doctor(project: &Project) -> Result<()> {
    let findings = look(project);
    let width = findings.iter().map(|finding| finding.name.len()).max().unwrap_or_default();
    for Finding { name, found, remedy } in &findings {
        match found {
            Ok(found) => println!("ok       {name:width$}  {found}"),
            Err(purpose) => println!("missing  {name:width$}  {purpose}\n         {:width$}  get it: {remedy}", ""),
        }
    }
    match findings.iter().filter(|finding| finding.found.is_err()).count() {
        0 => Ok(()),
        missing => bail!("{missing} of {} are missing", findings.len()),
    }
}

fn look(project: &Project) -> Vec<Finding> {
    let cargo = Invocation::new("ask cargo for its version", project::cargo().get_program()).arg("--version").output();
    let mut findings = vec![Finding {
        name: "cargo".into(),
        found: cargo.map(|version| version.trim().to_owned()).map_err(|error| format!("{error:#}")),
        remedy: "https://rustup.rs".into(),
    }];
    findings.push(Finding {
        name: GUEST_TARGET.into(),
        found: found(
            tools::rust_target_is_there(GUEST_TARGET),
            "installed",
            "compiles the adapter, the entry and QuickJS's host",
        ),
        remedy: format!("`cargo xtask setup`, or `rustup target add {GUEST_TARGET}`"),
    });
    for tool in tools::FOR_PYTHON.iter().chain(&tools::FOR_JAVASCRIPT) {
        let version = tools::find(tool.program).map(|path| tools::version(&path).unwrap_or_default());
        findings.push(Finding {
            name: tool.program.into(),
            found: version.ok_or_else(|| tool.purpose.to_owned()),
            remedy: format!(
                "`cargo xtask setup` as root on Debian or Ubuntu, or `sudo apt-get install {}`",
                tool.packages.join(" ")
            ),
        });
    }
    for (name, path, purpose) in [
        ("componentize-py", tools::componentize_py(project), "makes a component of CPython"),
        ("wizer", tools::node_programs(project).join("wizer"), "starts QuickJS while it is built"),
        ("esbuild", tools::node_programs(project).join("esbuild"), "bundles the JavaScript prelude"),
    ] {
        findings.push(Finding {
            name: name.into(),
            found: found(path.exists(), &path.display().to_string(), purpose),
            remedy: "`cargo xtask setup`".into(),
        });
    }
    for image in ["python", "javascript"] {
        let path = project.images().join(image).join("image.json");
        findings.push(Finding {
            name: format!("{image} image"),
            found: found(path.exists(), &path.display().to_string(), "runs programs"),
            remedy: format!("`cargo xtask image build --lang {image}`"),
        });
    }
    findings
}

fn found(there: bool, what: &str, purpose: &str) -> Result<String, String> {
    if there { Ok(what.to_owned()) } else { Err(purpose.to_owned()) }
}
