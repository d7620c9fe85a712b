//! Steps that run only when their inputs have changed.
//!
//! A stamp remembers the fingerprint of a step's inputs and what its outputs looked like afterwards. An output that was
//! touched or removed makes the step run again; the clock has no say in whether an input is new.

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
struct Stamp {
    inputs: String,
    /// Size and time of the last change of each output.
    outputs: BTreeMap<PathBuf, (u64, u128)>,
}

impl Stamp {
    /// `None` if an output is not there.
    fn of(inputs: String, outputs: &[PathBuf]) -> Option<Self> {
        let outputs = outputs.iter().map(|path| Some((path.clone(), look(path)?))).collect::<Option<_>>()?;
        Some(Self { inputs, outputs })
    }
}

fn look(path: &Path) -> Option<(u64, u128)> {
    let metadata = fs::metadata(path).ok()?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((metadata.len(), changed.as_nanos()))
}

/// Runs `work` unless it ran before with the same inputs and its outputs are still as it left them.
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
    let known: Option<Stamp> = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if known.is_some() && known == Stamp::of(inputs.clone(), outputs) {
        return Ok(false);
    }
    // Whatever happens from here on, the outputs are not those of the stamp.
    let _ = fs::remove_file(&path);
    work()?;
    let stamp = Stamp::of(inputs, outputs);
    ensure!(stamp.is_some(), "the step `{name}` ended well, yet not all of its outputs are there: {outputs:?}");
    let folder = project.toolchain().join("steps");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(&path, serde_json::to_vec(&stamp)?).with_context(|| format!("cannot write {}", path.display()))?;
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
    fn it_runs_once_for_the_same_inputs() {
        let trial = Trial::new();
        assert!(trial.run("one"));
        assert!(!trial.run("one"));
        assert!(trial.run("two"));
        assert!(!trial.run("two"));
        assert!(trial.run("one"), "going back is a change as well");
    }

    #[test]
    fn it_runs_again_when_an_output_is_gone_or_was_touched() {
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
        assert!(trial.run("one"), "the failed step may have left anything behind");
    }

    #[test]
    fn a_step_must_keep_its_promise() {
        let trial = Trial::new();
        let outputs = [trial.project.target().join("never")];
        let error = step(&trial.project, "trial", Fingerprint::new(), &outputs, || Ok(())).unwrap_err();
        assert!(error.to_string().contains("never"), "{error}");
    }
}
