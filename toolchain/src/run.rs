//! `cargo xtask run`: builds what is out of date, then runs `isolette run`.

use std::{
    ffi::OsString,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    api::Api,
    image::{self, Selection},
    project::Project,
};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Start this Python program for the time of the run, and pass the URL on its first line as `--base-url`
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// Arguments of `isolette run`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Run {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure_with_command_line_tool(project, needed(&self.arguments))?;
        let program = project.target().join("debug/isolette");
        let mut command = Command::new(&program);
        command.arg("run");
        let Some(api) = self.api else {
            // The program replaces this process, so that signals and the exit code reach the caller directly.
            let error = command.args(self.arguments).exec();
            return Err(error).with_context(|| format!("cannot start {}", program.display()));
        };
        // An interrupt is sent to all processes in the foreground. This one waits until the others end.
        ctrlc::set_handler(|| {}).context("cannot wait for an interrupt")?;
        let api = Api::start(&api)?;
        command.arg("--base-url").arg(api.url()).args(self.arguments);
        let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
        drop(api);
        // A process that a signal ended has no exit code; shells use 128 plus the signal.
        std::process::exit(status.code().unwrap_or(128));
    }
}

/// The images that a run may need, from its arguments. A run in Python does not need QuickJS.
fn needed(arguments: &[OsString]) -> Selection {
    let mut python = false;
    let mut javascript = false;
    for argument in arguments {
        let ending = Path::new(argument).extension().unwrap_or_default();
        python |= ending == "py" || argument == "python" || argument == "--lang=python";
        javascript |= ["js", "mjs", "ts"].iter().any(|known| ending == *known)
            || ["javascript", "typescript", "--lang=javascript", "--lang=typescript"]
                .iter()
                .any(|known| argument == known);
    }
    match (python, javascript) {
        (true, false) => Selection::Python,
        (false, true) => Selection::Javascript,
        _ => Selection::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_derived_from_the_arguments() {
        let needed = |line: &str| needed(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(needed("examples/breweries.py --json"), Selection::Python);
        assert_eq!(needed("--lang javascript -c 1"), Selection::Javascript);
        assert_eq!(needed("--timeout 3s task.ts"), Selection::Javascript);
        assert_eq!(needed("-c 1+1"), Selection::All);
        assert_eq!(needed("--mount lib.js:/lib.js main.py"), Selection::All);
    }
}
