//! Steps that run only when their inputs have changed.
//!
//! A record contains the fingerprint of a step's inputs, and size and time of its outputs. If an output was changed or removed,
//! the step runs again. The age of an input does not matter.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{fingerprint::Fingerprint, project::Project};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    inputs: String,
    /// Size and time of the last change of each output.
    outputs: BTreeMap<PathBuf, (u64, u128)>,
}

impl Record {
    /// `None` if an output does not exist.
    fn of(inputs: String, outputs: &[PathBuf]) -> Option<Self> {
        let outputs = outputs.iter().map(|path| Some((path.clone(), state_of(path)?))).collect::<Option<_>>()?;
        Some(Self { inputs, outputs })
    }
}

fn state_of(path: &Path) -> Option<(u64, u128)> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((metadata.len(), changed.as_nanos()))
}

/// Runs `work` unless it ran before with the same inputs and its outputs are unchanged.
///
/// Returns whether it ran.
pub(crate) fn step(
    project: &Project,
    name: &str,
    inputs: Fingerprint,
    outputs: &[PathBuf],
    work: impl FnOnce() -> Result<()>,
) -> Result<bool> {
    let inputs = inputs.finish();
    let path = project.toolchain().join("steps").join(name).with_extension("json");
    let known: Option<Record> = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if known.is_some() && known == Record::of(inputs.clone(), outputs) {
        return Ok(false);
    }
    // From here on, the record does not describe the outputs.
    let _ = fs::remove_file(&path);
    work()?;
    let record = Record::of(inputs, outputs);
    ensure!(record.is_some(), "the step `{name}` succeeded without writing all of its outputs: {outputs:?}");
    let folder = project.toolchain().join("steps");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(&path, serde_json::to_vec(&record)?).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Trial {
        _directory: tempfile::TempDir,
        project: Project,
        output: PathBuf,
    }

    impl Trial {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let project = Project::at(directory.path(), &directory.path().join("target"));
            let output = project.target().join("made/output");
            Self { _directory: directory, project, output }
        }

        fn run(&self, input: &str) -> bool {
            let inputs = Fingerprint::new().text("input", input);
            let write = || {
                fs::create_dir_all(self.output.parent().unwrap())?;
                Ok(fs::write(&self.output, input)?)
            };
            step(&self.project, "trial", inputs, std::slice::from_ref(&self.output), write).unwrap()
        }
    }

    #[test]
    fn a_step_runs_once_for_the_same_inputs() {
        let trial = Trial::new();
        assert!(trial.run("one"));
        assert!(!trial.run("one"));
        assert!(trial.run("two"));
        assert!(!trial.run("two"));
        assert!(trial.run("one"), "going back is a change as well");
    }

    #[test]
    fn a_step_runs_again_when_an_output_is_gone_or_was_touched() {
        let trial = Trial::new();
        trial.run("one");
        fs::remove_file(&trial.output).unwrap();
        assert!(trial.run("one"));
        fs::write(&trial.output, "longer than before").unwrap();
        assert!(trial.run("one"));
        assert_eq!(fs::read_to_string(&trial.output).unwrap(), "one");
    }

    #[test]
    fn a_failed_step_is_not_done() {
        let trial = Trial::new();
        trial.run("one");
        let fail = || anyhow::bail!("no");
        let outputs = std::slice::from_ref(&trial.output);
        step(&trial.project, "trial", Fingerprint::new().text("input", "two"), outputs, fail).unwrap_err();
        assert!(trial.run("one"), "a failed step may have changed its outputs");
    }

    #[test]
    fn a_step_must_keep_its_promise() {
        let trial = Trial::new();
        let outputs = [trial.project.target().join("never")];
        let error = step(&trial.project, "trial", Fingerprint::new(), &outputs, || Ok(())).unwrap_err();
        assert!(error.to_string().contains("never"), "{error}");
    }
}
