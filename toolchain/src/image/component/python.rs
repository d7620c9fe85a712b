//! Projects in Python: built with componentize-py.
//!
//! componentize-py takes the module, the WIT and the world from its command line. It reads no file of a project: a
//! `componentize-py.toml` is for libraries that bring WIT of their own. So the settings are in a table of `pyproject.toml`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::{fingerprint::Fingerprint, image::python, project::Project, step::step, tools};

/// The file with the settings.
pub(super) const FILE: &str = "pyproject.toml";

/// The file of the module that is the component unless the settings name another one.
pub(super) const MODULE_FILE: &str = "app.py";

/// What a project looks like.
pub(super) const EXPECTED: &str = "app.py, or pyproject.toml with a table [tool.isolette]: built with componentize-py";

/// The virtual environment of a project.
const ENVIRONMENT: &str = ".venv";

/// A module that implements a world.
#[derive(Debug)]
pub(super) struct Application {
    directory: PathBuf,
    settings: Settings,
}

/// The table `[tool.isolette]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default = "app")]
    module: String,
    #[serde(default = "wit")]
    wit: PathBuf,
    /// Not needed for WIT with one world.
    world: Option<String>,
}

#[derive(Deserialize)]
struct PyProject {
    tool: Option<Tools>,
}

#[derive(Deserialize)]
struct Tools {
    isolette: Option<Settings>,
}

fn app() -> String {
    "app".to_owned()
}

fn wit() -> PathBuf {
    "wit".into()
}

impl Application {
    /// Recognises the project in a directory, if there is one.
    pub(super) fn find(directory: &Path) -> Result<Option<Self>> {
        let file = directory.join(FILE);
        let settings = if file.exists() {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let project: PyProject =
                toml::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?;
            project.tool.and_then(|tools| tools.isolette)
        } else {
            None
        };
        let by_name = || Settings { module: app(), wit: wit(), world: None };
        let settings = settings.or_else(|| directory.join(MODULE_FILE).exists().then(by_name));
        Ok(settings.map(|settings| Self { directory: directory.to_owned(), settings }))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Builds it. Returns the component.
    pub(super) fn build(&self, project: &Project, name: &str) -> Result<PathBuf> {
        self.check()?;
        let component = project.components()?.join(format!("{name}-application.wasm"));
        let environment = self.directory.join(ENVIRONMENT);
        let program = environment.join("bin/componentize-py");
        if environment.exists() {
            // What is installed in the environment is not compared, so the component is always built.
            let program = if program.exists() { program } else { tools::componentize_py(project) };
            self.componentize(program, &environment, &component)?;
        } else {
            let Settings { module, wit, world } = &self.settings;
            let inputs = Fingerprint::new()
                .file(project.root(), tools::PYTHON_PINS)?
                .text("module", module)
                .text("world", world.as_deref().unwrap_or_default())
                .tree(&self.directory, "")?
                .tree(&self.directory, wit)?;
            step(project, &format!("{name}-application"), inputs, std::slice::from_ref(&component), || {
                self.componentize(tools::componentize_py(project), &tools::python_environment(project), &component)
            })?;
        }
        Ok(component)
    }

    fn check(&self) -> Result<()> {
        let Settings { module, wit, .. } = &self.settings;
        let found = [format!("{module}.py"), module.clone()].iter().any(|name| self.directory.join(name).exists());
        ensure!(
            found,
            "{} has no module `{module}`\nhint: name the module of the component in {FILE}: `[tool.isolette]`, `module = \"…\"`",
            self.directory.display(),
        );
        let path = self.directory.join(wit);
        ensure!(
            path.exists(),
            "{} does not exist\nhint: put the WIT of the component there, or name its path in {FILE}: `[tool.isolette]`, \
             `wit = \"…\"`",
            path.display(),
        );
        Ok(())
    }

    /// Packages that are not in the environment are not part of the component, wherever it is built.
    fn componentize(&self, program: PathBuf, environment: &Path, component: &Path) -> Result<()> {
        let Settings { module, wit, world } = &self.settings;
        if component.exists() {
            fs::remove_file(component).with_context(|| format!("cannot remove {}", component.display()))?;
        }
        let title = format!("build {}", self.directory.display());
        let wit = self.directory.join(wit);
        python::componentize(&title, program, (&wit, world.as_deref()), (&self.directory, module), component)
            .env("VIRTUAL_ENV", environment)
            .hint(format!(
                "the message of componentize-py is above; if the WIT has several worlds, name one in {FILE}: \
                 `[tool.isolette]`, `world = \"…\"`"
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

    fn find(directory: &tempfile::TempDir) -> Result<Option<Application>> {
        Application::find(directory.path())
    }

    /// Builds a project whose environment has this script for componentize-py.
    fn build(script: &str, pyproject: &str) -> Result<String> {
        let directory = directory(&[("app.py", ""), ("wit/text.wit", ""), (FILE, pyproject)]);
        executable(&directory.path().join(".venv/bin/componentize-py"), script);
        let project = Project::at(directory.path(), &directory.path().join("target"));
        let component = find(&directory)?.unwrap().build(&project, "text")?;
        Ok(fs::read_to_string(component)?.replace(&*directory.path().to_string_lossy(), "."))
    }

    /// Writes the environment and the arguments to the component.
    const ECHO: &str = r#"for last; do :; done; echo "$VIRTUAL_ENV $@" > "$last""#;

    #[test]
    fn the_module_is_built_for_the_world_with_the_tool_of_the_environment() {
        let arguments = build(ECHO, "").unwrap();
        assert_eq!(
            arguments,
            "./.venv -d ./wit componentize -p . app -o ./target/toolchain/components/text-application.wasm\n"
        );
        let arguments =
            build(ECHO, "[tool.isolette]\nmodule = \"app\"\nwit = \"wit/text.wit\"\nworld = \"docs:text/text\"");
        assert!(
            arguments.as_ref().is_ok_and(|text| text.contains(" -d ./wit/text.wit -w docs:text/text ")),
            "{arguments:?}"
        );
    }

    #[test]
    fn a_failed_build_shows_the_message_of_the_tool() {
        let error = format!("{:#}", build("echo no such world >&2; exit 1", "").unwrap_err());
        assert!(error.contains("| no such world") && error.contains("hint: "), "{error}");
    }

    #[test]
    fn a_build_without_a_component_is_an_error() {
        let error = build("exit 0", "").unwrap_err().to_string();
        assert!(error.contains("made no component"), "{error}");
    }

    #[test]
    fn a_missing_module_or_wit_is_reported_with_the_setting() {
        for (files, expected) in [
            (&[("app.py", "")][..], ["/wit does not exist", "`wit = "]),
            (&[(FILE, "[tool.isolette]\nmodule = \"text\""), ("wit/text.wit", "")], ["no module `text`", "`module = "]),
        ] {
            let directory = directory(files);
            let project = Project::at(directory.path(), &directory.path().join("target"));
            let error = find(&directory).unwrap().unwrap().build(&project, "text").unwrap_err().to_string();
            assert!(expected.iter().all(|text| error.contains(text)), "{error}");
        }
    }

    #[test]
    fn unknown_settings_are_reported() {
        let error = find(&directory(&[(FILE, "[tool.isolette]\nmodul = \"text\"")])).unwrap_err();
        assert!(format!("{error:#}").contains("unknown field `modul`"), "{error:#}");
    }
}
