//! Projects in Rust: built with cargo, or with cargo-component if the manifest names it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::missing_tool::MissingTool;
use crate::{
    invocation::Invocation,
    project::Project,
    tools::{self, GUEST_TARGET},
};

/// The file by which a project is recognised.
pub(super) const FILE: &str = "Cargo.toml";

/// What a project looks like.
pub(super) const EXPECTED: &str =
    "Cargo.toml: built with cargo, or with cargo-component if it has [package.metadata.component]";

/// The version that was tried.
const CARGO_COMPONENT: &str = "0.21.1";

/// The target for which cargo-component builds unless the project names another one.
const CARGO_COMPONENT_TARGET: &str = "wasm32-wasip1";

/// A package or a workspace of packages.
#[derive(Debug)]
pub(super) struct Package {
    directory: PathBuf,
    /// The manifests whose libraries can be the component.
    manifests: Vec<PathBuf>,
    uses_cargo_component: bool,
}

/// The part of `cargo metadata` that is needed.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    manifest_path: PathBuf,
    metadata: Option<Value>,
}

/// A line of cargo's output with `--message-format=json`.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact {
        manifest_path: PathBuf,
        target: Target,
        filenames: Vec<PathBuf>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    crate_types: Vec<String>,
}

impl Package {
    /// Recognises the project in a directory, if there is one.
    pub(super) fn find(directory: &Path) -> Result<Option<Self>> {
        let manifest = directory.join(FILE);
        if !manifest.exists() {
            return Ok(None);
        }
        let metadata = Invocation::cargo(format!("read {}", manifest.display()))
            .args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"])
            .arg(&manifest)
            .directory(directory)
            .hint("cargo's message is above")
            .output()?;
        let Metadata { mut packages } = serde_json::from_str(&metadata).context("cannot read cargo's metadata")?;
        // A manifest without a package stands for all members of its workspace.
        if packages.iter().any(|member| member.manifest_path == manifest) {
            packages.retain(|member| member.manifest_path == manifest);
        }
        let names_component =
            |member: &Member| member.metadata.as_ref().is_some_and(|value| value["component"].is_object());
        Ok(Some(Self {
            directory: directory.to_owned(),
            uses_cargo_component: packages.iter().any(names_component),
            manifests: packages.into_iter().map(|member| member.manifest_path).collect(),
        }))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns what is missing to build it here, in a sentence.
    pub(super) fn missing_tool(&self) -> Option<String> {
        if !self.uses_cargo_component {
            return None;
        }
        if !has_cargo_component() {
            return Some("cargo-component is not installed".to_owned());
        }
        let has_target = tools::has_rust_target(CARGO_COMPONENT_TARGET);
        (!has_target).then(|| format!("the target {CARGO_COMPONENT_TARGET} of cargo-component is not installed"))
    }

    /// Builds it in release mode. Returns the file that the compiler reports.
    pub(super) fn build(&self, project: &Project) -> Result<PathBuf> {
        let mut call = Invocation::cargo(format!("build {}", self.directory.display()));
        if self.uses_cargo_component {
            self.require(has_cargo_component())?;
            call = call.args(["component", "build"]).hint(format!(
                "the message of cargo-component is above; {CARGO_COMPONENT} was tried, which needs `rustup target add \
                 {CARGO_COMPONENT_TARGET}`"
            ));
        } else {
            call = call
                .args(["build", "--target", GUEST_TARGET])
                .hint("the compiler's message is above; `cargo xtask doctor` lists missing tools");
        }
        let output = call
            .args(["--release", "--message-format=json-render-diagnostics"])
            // Nothing is written into the project but what cargo-component generates there.
            .env("CARGO_TARGET_DIR", project.guests())
            .directory(&self.directory)
            .run_for_output()?;
        self.library(&output)
    }

    fn require(&self, has_cargo_component: bool) -> Result<()> {
        if has_cargo_component {
            return Ok(());
        }
        Err(MissingTool {
            project: self.directory.join(FILE),
            tool: "cargo-component",
            install: format!("cargo install cargo-component@{CARGO_COMPONENT} --locked"),
        }
        .into())
    }

    /// The one `cdylib` of these packages among the messages of a build.
    fn library(&self, output: &str) -> Result<PathBuf> {
        let mut libraries = Vec::new();
        for line in output.lines().filter(|line| line.starts_with('{')) {
            let Ok(Message::CompilerArtifact { manifest_path, target, filenames }) = serde_json::from_str(line) else {
                continue;
            };
            let is_own =
                self.manifests.contains(&manifest_path) && target.crate_types.iter().any(|kind| kind == "cdylib");
            let file = filenames.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "wasm"));
            libraries.extend(file.filter(|_| is_own).map(|file| (target.name, file)));
        }
        let directory = self.directory.display();
        match &*libraries {
            [(_, file)] => fs::canonicalize(file).with_context(|| format!("cargo did not write {}", file.display())),
            [] => bail!(
                "the build of {directory} made no component: no library has the crate type cdylib\n\
                 hint: add `crate-type = [\"cdylib\"]` to `[lib]` in Cargo.toml"
            ),
            several => bail!(
                "the build of {directory} made several components: {}\nhint: name the directory of one package",
                several.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

fn has_cargo_component() -> bool {
    Invocation::cargo("look for cargo-component").args(["component", "--version"]).output().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::component::testing::{directory, write};

    const LIBRARY: &str = "[lib]\ncrate-type = [\"cdylib\"]\n";

    fn find(directory: &Path) -> Package {
        Package::find(&fs::canonicalize(directory).unwrap()).unwrap().unwrap()
    }

    fn artifact(manifest: &Path, name: &str, kind: &str, file: &Path) -> String {
        serde_json::json!({
            "reason": "compiler-artifact",
            "manifest_path": manifest,
            "target": {"name": name, "crate_types": [kind]},
            "filenames": [file],
        })
        .to_string()
    }

    #[test]
    fn a_manifest_names_cargo_component_by_its_table() {
        let package = "[package]\nname = \"text\"\n[workspace]\n";
        let directory = directory(&[("Cargo.toml", package), ("src/lib.rs", "")]);
        assert!(!find(directory.path()).uses_cargo_component);
        let named = format!("{package}[package.metadata.component]\npackage = \"docs:text\"\n");
        write(directory.path(), &[("Cargo.toml", &named)]);
        assert!(find(directory.path()).uses_cargo_component);
        assert!(Package::find(Path::new("/nowhere")).unwrap().is_none());
    }

    #[test]
    fn a_manifest_that_cargo_cannot_read_is_reported() {
        let directory = directory(&[("Cargo.toml", "[package")]);
        let error = format!("{:#}", Package::find(directory.path()).unwrap_err());
        assert!(error.contains("Cargo.toml") && error.contains("hint: "), "{error}");
    }

    #[test]
    fn a_missing_cargo_component_is_reported_with_the_command_that_installs_it() {
        let directory = directory(&[("Cargo.toml", "[package]\nname = \"text\"\n[workspace]\n"), ("src/lib.rs", "")]);
        let package = find(directory.path());
        let error = package.require(false).unwrap_err().to_string();
        assert!(error.contains("Cargo.toml is built with cargo-component, which is not installed"), "{error}");
        assert!(error.contains("hint: `cargo install cargo-component@0.21.1 --locked`"), "{error}");
        package.require(true).unwrap();
    }

    #[test]
    fn a_failed_build_shows_the_message_of_the_compiler() {
        let manifest = format!("[package]\nname = \"text\"\n{LIBRARY}[workspace]\n");
        let directory = directory(&[("Cargo.toml", &manifest), ("src/lib.rs", "#![no_core] fn broken(")]);
        let project = Project::at(directory.path(), &directory.path().join("target"));
        let error = format!("{:#}", find(directory.path()).build(&project).unwrap_err());
        assert!(error.contains("src/lib.rs") && error.contains("| error"), "{error}");
        assert!(error.contains("cargo xtask doctor"), "{error}");
    }

    #[test]
    fn the_component_is_the_library_that_cargo_reports() {
        let directory = directory(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\n"),
            ("one/Cargo.toml", &format!("[package]\nname = \"one\"\n{LIBRARY}")),
            ("one/src/lib.rs", ""),
            ("two/Cargo.toml", &format!("[package]\nname = \"two\"\n{LIBRARY}")),
            ("two/src/lib.rs", ""),
            ("made.wasm", ""),
        ]);
        let root = fs::canonicalize(directory.path()).unwrap();
        let made = root.join("made.wasm");
        let one = artifact(&root.join("one/Cargo.toml"), "one", "cdylib", &made);
        let two = artifact(&root.join("two/Cargo.toml"), "two", "cdylib", &made);
        let rlib = artifact(&root.join("one/Cargo.toml"), "one", "lib", &root.join("libone.rlib"));
        let dependency = artifact(Path::new("/registry/other/Cargo.toml"), "other", "cdylib", &made);
        let workspace = find(directory.path());
        assert_eq!(workspace.manifests.len(), 2, "{workspace:?}");
        let member = find(&directory.path().join("one"));

        let lines = [&*rlib, &dependency, "not a message", &one, r#"{"reason":"build-finished","success":true}"#];
        assert_eq!(workspace.library(&lines.join("\n")).unwrap(), made);
        assert_eq!(member.library(&[&*one, &two].join("\n")).unwrap(), made);

        let error = workspace.library(&[one, two].join("\n")).unwrap_err().to_string();
        assert!(error.contains("several components: one, two") && error.contains("hint: "), "{error}");
        let error = workspace.library(&[rlib, dependency].join("\n")).unwrap_err().to_string();
        assert!(error.contains("made no component") && error.contains("crate-type"), "{error}");
    }
}
