//! Projects in JavaScript: built with jco, which puts them and StarlingMonkey into a component.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::missing_tool::MissingTool;
use crate::{fingerprint::Fingerprint, invocation::Invocation, project::Project, step::step};

/// The file by which a project is recognised.
pub(super) const FILE: &str = "package.json";

/// What a project looks like.
pub(super) const EXPECTED: &str = "package.json that depends on @bytecodealliance/jco: built with jco";

/// The package of jco.
const PACKAGE: &str = "@bytecodealliance/jco";

/// The version that was tried.
const VERSION: &str = "1.34.0";

/// A module that implements a world.
#[derive(Debug)]
pub(super) struct Application {
    directory: PathBuf,
    main: PathBuf,
    settings: Settings,
}

/// The part of `package.json` that is needed.
#[derive(Deserialize)]
struct Package {
    main: Option<PathBuf>,
    #[serde(default)]
    dependencies: BTreeMap<String, String>,
    #[serde(default, rename = "devDependencies")]
    dev_dependencies: BTreeMap<String, String>,
    #[serde(default)]
    isolette: Settings,
}

/// The object `isolette` in `package.json`.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    wit: PathBuf,
    /// Not needed for WIT with one world.
    world: Option<String>,
    /// Features of WASI that are left out of the component.
    disable: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        // The adapter provides the clocks, random numbers and the console, but not `wasi:http`.
        Self { wit: "wit".into(), world: None, disable: vec!["http".into(), "fetch-event".into()] }
    }
}

impl Application {
    /// Recognises the project in a directory, if there is one.
    pub(super) fn find(directory: &Path) -> Result<Option<Self>> {
        let file = directory.join(FILE);
        if !file.exists() {
            return Ok(None);
        }
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let package: Package =
            serde_json::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
        let depends = package.dependencies.contains_key(PACKAGE) || package.dev_dependencies.contains_key(PACKAGE);
        Ok(depends.then(|| Self {
            directory: directory.to_owned(),
            main: package.main.unwrap_or_else(|| "index.js".into()),
            settings: package.isolette,
        }))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The program jco where npm installs it: for the project, or for a workspace that it belongs to.
    pub(super) fn jco(&self) -> Result<PathBuf, MissingTool> {
        let programs = self.directory.ancestors().map(|folder| folder.join("node_modules/.bin/jco"));
        programs.into_iter().find(|program| program.exists()).ok_or_else(|| MissingTool {
            project: self.directory.join(FILE),
            tool: "jco",
            install: format!("npm install --prefix {} --save-dev {PACKAGE}@{VERSION}", self.directory.display()),
        })
    }

    /// Builds it. Returns the component.
    pub(super) fn build(&self, project: &Project, name: &str) -> Result<PathBuf> {
        self.check()?;
        let jco = self.jco()?;
        let version = Invocation::new("ask jco for its version", &jco)
            .arg("--version")
            .hint("jco runs in Node.js, which must be installed: `node --version`")
            .output()?;
        let component = project.components()?.join(format!("{name}-application.wasm"));
        let Settings { wit, world, disable } = &self.settings;
        let inputs = Fingerprint::new()
            .text("jco", version)
            .text("main", self.main.as_os_str().as_encoded_bytes())
            .text("world", world.as_deref().unwrap_or_default())
            .text("disable", disable.join(" "))
            .tree(&self.directory, "")?
            .tree(&self.directory, wit)?;
        step(project, &format!("{name}-application"), inputs, std::slice::from_ref(&component), || {
            self.componentize(&jco, &component)
        })?;
        Ok(component)
    }

    fn check(&self) -> Result<()> {
        let main = self.directory.join(&self.main);
        ensure!(
            main.is_file(),
            "{} does not exist\nhint: name the module of the component in {FILE}: `\"main\": \"…\"`",
            main.display(),
        );
        let wit = self.directory.join(&self.settings.wit);
        ensure!(
            wit.exists(),
            "{} does not exist\nhint: put the WIT of the component there, or name its path in {FILE}: `\"isolette\": \
             {{\"wit\": \"…\"}}`",
            wit.display(),
        );
        Ok(())
    }

    fn componentize(&self, jco: &Path, component: &Path) -> Result<()> {
        let Settings { wit, world, disable } = &self.settings;
        if component.exists() {
            fs::remove_file(component).with_context(|| format!("cannot remove {}", component.display()))?;
        }
        let mut call = Invocation::new(format!("build {}", self.directory.display()), jco)
            .arg("componentize")
            .arg(&self.main)
            .arg("--wit")
            .arg(wit)
            .args(world.iter().flat_map(|world| ["--world-name", world]));
        if !disable.is_empty() {
            call = call.arg("--disable").args(disable);
        }
        call.arg("--out")
            .arg(component)
            .directory(&self.directory)
            .hint(format!(
                "the message of jco is above, of which {VERSION} was tried; if the WIT has several worlds, name one in \
                 {FILE}: `\"isolette\": {{\"world\": \"…\"}}`"
            ))
            .run()?;
        ensure!(component.exists(), "the build of {} made no component", self.directory.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::component::testing::{directory, executable};

    fn package(more: &str) -> String {
        format!(r#"{{"devDependencies": {{"@bytecodealliance/jco": "{VERSION}"}}{more}}}"#)
    }

    fn build(directory: &Path) -> Result<String> {
        let project = Project::at(directory, &directory.join("target"));
        let component = Application::find(directory)?.unwrap().build(&project, "text")?;
        Ok(fs::read_to_string(component)?.replace(&*directory.to_string_lossy(), "."))
    }

    /// Builds a project that has this script for jco.
    fn build_with(script: &str, package: &str) -> Result<String> {
        let directory = directory(&[(FILE, package), ("index.js", ""), ("wit/text.wit", "")]);
        let script = format!("[ \"$1\" = --version ] && exit 0\n{script}");
        executable(&directory.path().join("node_modules/.bin/jco"), &script);
        build(directory.path())
    }

    /// Writes the arguments to the component.
    const ECHO: &str = r#"for last; do :; done; echo "$@" > "$last""#;

    #[test]
    fn the_module_is_built_for_the_world_without_features_that_have_no_provider() {
        let arguments = build_with(ECHO, &package("")).unwrap();
        assert_eq!(
            arguments,
            "componentize index.js --wit wit --disable http fetch-event \
             --out ./target/toolchain/components/text-application.wasm\n"
        );
        let settings =
            r#", "main": "./index.js", "isolette": {"wit": "wit/text.wit", "world": "text", "disable": ["all"]}"#;
        let arguments = build_with(ECHO, &package(settings)).unwrap();
        let expected = "componentize ./index.js --wit wit/text.wit --world-name text --disable all --out ";
        assert!(arguments.starts_with(expected), "{arguments}");
    }

    #[test]
    fn a_missing_jco_is_reported_with_the_command_that_installs_it() {
        let directory = directory(&[(FILE, &package("")), ("index.js", ""), ("wit/text.wit", "")]);
        let error = build(directory.path()).unwrap_err().to_string();
        assert!(error.contains("package.json is built with jco, which is not installed"), "{error}");
        assert!(error.contains("hint: `npm install --prefix ") && error.contains("jco@1.34.0`"), "{error}");
    }

    #[test]
    fn jco_of_an_enclosing_workspace_is_found() {
        let directory = directory(&[("node_modules/.bin/jco", ""), ("packages/text/package.json", &package(""))]);
        let application = Application::find(&directory.path().join("packages/text")).unwrap().unwrap();
        assert_eq!(application.jco().unwrap(), directory.path().join("node_modules/.bin/jco"));
    }

    #[test]
    fn a_failed_build_shows_the_message_of_the_tool() {
        let error = format!("{:#}", build_with("echo no such world >&2; exit 1", &package("")).unwrap_err());
        assert!(error.contains("| no such world") && error.contains("hint: "), "{error}");
    }

    #[test]
    fn a_build_without_a_component_is_an_error() {
        let error = build_with("exit 0", &package("")).unwrap_err().to_string();
        assert!(error.contains("made no component"), "{error}");
    }

    #[test]
    fn a_missing_module_or_wit_is_reported_with_the_setting() {
        for (files, expected) in [
            (&[(FILE, &*package(""))][..], ["/index.js does not exist", "\"main\""]),
            (&[(FILE, &package("")), ("index.js", "")], ["/wit does not exist", "\"wit\""]),
        ] {
            let error = build(directory(files).path()).unwrap_err().to_string();
            assert!(expected.iter().all(|text| error.contains(text)), "{error}");
        }
    }

    #[test]
    fn unknown_settings_are_reported() {
        let directory = directory(&[(FILE, &package(r#", "isolette": {"word": "text"}"#))]);
        let error = Application::find(directory.path()).unwrap_err();
        assert!(format!("{error:#}").contains("unknown field `word`"), "{error:#}");
    }
}
