//! Recognises what `--component` names: a component that is already built, or a project and the tool that builds it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use super::{cargo, javascript, python};
use crate::project::Project;

/// Where a component comes from.
#[derive(Debug)]
pub(super) enum Source {
    /// A component, or a core module with its WIT in a custom section.
    File(PathBuf),
    Cargo(cargo::Package),
    Python(python::Application),
    JavaScript(javascript::Application),
}

/// Recognises a file or a directory.
pub(super) fn find(path: &Path) -> Result<Source> {
    let path = fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()))?;
    if path.is_dir() {
        return in_directory(&path);
    }
    let (Some(directory), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(Source::File(path));
    };
    let expected =
        |what: &str| format!("{} is not a project that could be built\nhint: expected {what}", path.display());
    match name {
        cargo::FILE => cargo::Package::find(directory)?.map(Source::Cargo).with_context(|| expected(cargo::EXPECTED)),
        python::MODULE_FILE | python::FILE => {
            python::Application::find(directory)?.map(Source::Python).with_context(|| expected(python::EXPECTED))
        }
        javascript::FILE => javascript::Application::find(directory)?
            .map(Source::JavaScript)
            .with_context(|| expected(javascript::EXPECTED)),
        _ => Ok(Source::File(path)),
    }
}

fn in_directory(directory: &Path) -> Result<Source> {
    let mut found = Vec::new();
    found.extend(cargo::Package::find(directory)?.map(|package| (cargo::FILE, Source::Cargo(package))));
    if let Some(application) = python::Application::find(directory)? {
        let file = if directory.join(python::FILE).exists() { python::FILE } else { python::MODULE_FILE };
        found.push((file, Source::Python(application)));
    }
    found.extend(
        javascript::Application::find(directory)?
            .map(|application| (javascript::FILE, Source::JavaScript(application))),
    );
    let files: Vec<_> = found.iter().map(|(file, _)| *file).collect();
    match (found.pop(), &*files) {
        (Some((_, source)), [_]) => Ok(source),
        (None, _) => bail!(
            "{} contains no project that could be built\nexpected one of:\n  {}\n  {}\n  {}\n\
             hint: name a directory with one of these, or a component that is already built",
            directory.display(),
            cargo::EXPECTED,
            python::EXPECTED,
            javascript::EXPECTED,
        ),
        _ => bail!(
            "{} contains several projects: {}\nhint: name the file of one of them, as in `--component {}`",
            directory.display(),
            files.join(", "),
            directory.join(files[0]).display(),
        ),
    }
}

impl Source {
    /// The name of the image unless the caller gives one.
    pub(super) fn name(&self) -> String {
        let name = match self {
            Self::File(path) => path.file_stem(),
            Self::Cargo(package) => package.directory().file_name(),
            Self::Python(application) => application.directory().file_name(),
            Self::JavaScript(application) => application.directory().file_name(),
        };
        name.and_then(|name| name.to_str()).unwrap_or("component").replace('_', "-")
    }

    /// Builds the project for the image `name`. Returns the component, or a core module with its WIT in a custom section.
    ///
    /// The caller holds the lock, and has installed the tools of Isolette.
    pub(super) fn build(&self, project: &Project, name: &str) -> Result<PathBuf> {
        match self {
            Self::File(path) => Ok(path.clone()),
            Self::Cargo(package) => package.build(project),
            Self::Python(application) => application.build(project, name),
            Self::JavaScript(application) => application.build(project, name),
        }
    }
}

/// Returns why the project in `directory` cannot be built here, if a tool is missing.
pub(crate) fn missing_tool(directory: &Path) -> Result<Option<String>> {
    match find(directory)? {
        Source::Cargo(package) => Ok(package.missing_tool()),
        Source::JavaScript(application) => {
            Ok(application.jco().err().map(|missing| format!("{} is not installed", missing.tool)))
        }
        Source::File(_) | Source::Python(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::component::testing::directory;

    const CARGO: [(&str, &str); 2] = [("Cargo.toml", "[package]\nname = \"text\"\n[workspace]\n"), ("src/lib.rs", "")];
    const JCO: (&str, &str) = ("package.json", r#"{"devDependencies": {"@bytecodealliance/jco": "1.34.0"}}"#);

    #[test]
    fn each_kind_of_project_is_recognised() {
        let found = |files: &[(&str, &str)]| find(directory(files).path()).unwrap();
        assert!(matches!(found(&CARGO), Source::Cargo(_)));
        assert!(matches!(found(&[("app.py", "")]), Source::Python(_)));
        assert!(matches!(found(&[("pyproject.toml", "[tool.isolette]\nmodule = \"text\"")]), Source::Python(_)));
        assert!(matches!(found(&[JCO]), Source::JavaScript(_)));
    }

    #[test]
    fn a_file_of_a_directory_is_a_component_or_a_project() {
        let directory = directory(&[CARGO[0], CARGO[1], JCO, ("app.py", ""), ("the_text.wasm", "")]);
        let found = |file: &str| find(&directory.path().join(file)).unwrap();
        assert!(matches!(found("the_text.wasm"), Source::File(_)));
        assert_eq!(found("the_text.wasm").name(), "the-text");
        assert!(matches!(found("Cargo.toml"), Source::Cargo(_)));
        assert!(matches!(found("app.py"), Source::Python(_)));
        assert!(matches!(found("package.json"), Source::JavaScript(_)));
    }

    #[test]
    fn the_image_of_a_project_has_the_name_of_its_directory() {
        let directory = directory(&[("my_text/app.py", "")]);
        assert_eq!(find(&directory.path().join("my_text")).unwrap().name(), "my-text");
    }

    #[test]
    fn a_directory_without_a_project_is_reported_with_what_was_expected() {
        let unrelated = [("package.json", "{}"), ("pyproject.toml", "[project]\nname = \"x\""), ("text.py", "")];
        for files in [&[][..], &unrelated] {
            let error = find(directory(files).path()).unwrap_err().to_string();
            for expected in ["contains no project", "Cargo.toml", "app.py", "@bytecodealliance/jco", "hint: "] {
                assert!(error.contains(expected), "{expected:?} is missing in:\n{error}");
            }
        }
    }

    #[test]
    fn a_project_file_that_names_no_tool_is_reported() {
        let directory = directory(&[("package.json", "{}"), ("pyproject.toml", "")]);
        for (file, expected) in [("package.json", "@bytecodealliance/jco"), ("pyproject.toml", "[tool.isolette]")] {
            let error = find(&directory.path().join(file)).unwrap_err().to_string();
            assert!(error.contains(file) && error.contains(expected), "{error}");
        }
    }

    #[test]
    fn several_projects_are_listed() {
        let error = find(directory(&[CARGO[0], CARGO[1], JCO]).path()).unwrap_err().to_string();
        assert!(error.contains("several projects: Cargo.toml, package.json"), "{error}");
        assert!(error.contains("/Cargo.toml`"), "{error}");
    }

    #[test]
    fn a_path_that_does_not_exist_is_reported() {
        let error = find(Path::new("/nowhere/text")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/text"), "{error}");
    }

    #[test]
    fn a_missing_tool_is_named() {
        let reason = missing_tool(directory(&[JCO]).path()).unwrap();
        assert_eq!(reason.as_deref(), Some("jco is not installed"));
        assert_eq!(missing_tool(directory(&CARGO).path()).unwrap(), None);
    }
}
