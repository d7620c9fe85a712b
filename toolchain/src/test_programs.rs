//! The programs that `cargo test` compiles, to run them in another way than one after another.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::{
    invocation::Invocation,
    project::{self, Project},
};

/// A program of tests.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestProgram {
    /// The name of its target, which is not unique.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The directory of its package, which `cargo test` runs it in.
    pub(crate) directory: PathBuf,
}

impl TestProgram {
    /// Returns a call of it with what `cargo test` sets.
    pub(crate) fn call(&self, title: impl Into<String>) -> Invocation {
        Invocation::new(title, &self.path).env("CARGO_MANIFEST_DIR", &self.directory).directory(&self.directory)
    }
}

/// Compiles programs. `selected` are arguments of `cargo test`. They are selected from the whole workspace for the same reason
/// as [`crate::assembler::build_programs`].
pub(crate) fn compile<'a>(project: &Project, selected: impl IntoIterator<Item = &'a str>) -> Result<Vec<TestProgram>> {
    let messages = Invocation::cargo("compile the tests")
        .args(["test", "--workspace", "--no-run"])
        .args(selected)
        .args(["--message-format", "json-render-diagnostics"])
        .args(project::locked())
        .directory(project.root())
        .hint("the compiler's message is above")
        .run_for_output()?;
    messages.lines().filter_map(|line| program(line).transpose()).collect()
}

/// The program that a message of cargo names, if it names one with tests.
fn program(message: &str) -> Result<Option<TestProgram>> {
    #[derive(Deserialize)]
    struct Message {
        reason: String,
    }
    #[derive(Deserialize)]
    struct Artifact {
        executable: Option<PathBuf>,
        manifest_path: PathBuf,
        target: Target,
        profile: Profile,
    }
    #[derive(Deserialize)]
    struct Target {
        name: String,
    }
    #[derive(Deserialize)]
    struct Profile {
        test: bool,
    }
    let parsing = || format!("cannot read cargo's message {message}");
    let Message { reason } = serde_json::from_str(message).with_context(parsing)?;
    if reason != "compiler-artifact" {
        return Ok(None);
    }
    let Artifact { executable, manifest_path, target, profile } =
        serde_json::from_str(message).with_context(parsing)?;
    let Some(path) = executable.filter(|_| profile.test) else { return Ok(None) };
    let directory = manifest_path.parent().map_or_else(PathBuf::new, Path::to_owned);
    Ok(Some(TestProgram { name: target.name, path, directory }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(executable: &str, test: bool) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"/a/tests/Cargo.toml","target":{{"name":"hostile"}},
                "profile":{{"test":{test}}},"executable":{executable}}}"#
        )
    }

    #[test]
    fn only_programs_with_tests_are_found() {
        let found = TestProgram { name: "hostile".into(), path: "/t/hostile-1".into(), directory: "/a/tests".into() };
        assert_eq!(program(&message("\"/t/hostile-1\"", true)).unwrap(), Some(found));
        assert_eq!(program(&message("\"/t/isolette\"", false)).unwrap(), None);
        assert_eq!(program(&message("null", true)).unwrap(), None);
        assert_eq!(program(r#"{"reason":"build-finished","success":true}"#).unwrap(), None);
        assert!(program("nonsense").is_err());
    }
}
