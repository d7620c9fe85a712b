//! `cargo xtask run`: builds whatever is needed, then runs `isolette run`.

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
    assembler,
    image::{self, Selection},
    project::Project,
};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Start this Python program beside the sandbox, for as long as the run lasts, and pass the URL that it prints first
    /// on as `--base-url`
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// What to pass on, as in `isolette run --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Run {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, needed(&self.arguments))?;
        assembler::build_programs(project)?;
        let program = project.target().join("debug/isolette");
        let mut command = Command::new(&program);
        command.arg("run");
        let Some(api) = self.api else {
            // The program takes this one's place, so that signals and the exit code need no passing on.
            let error = command.args(self.arguments).exec();
            return Err(error).with_context(|| format!("cannot start {}", program.display()));
        };
        // An interrupt reaches everybody in the foreground. This program waits for what the others make of it.
        ctrlc::set_handler(|| {}).context("cannot wait for an interrupt")?;
        let api = Api::start(&api)?;
        command.arg("--base-url").arg(api.url()).args(self.arguments);
        let status = command.status().with_context(|| format!("cannot start {}", program.display()))?;
        drop(api);
        // By a signal it has no code; shells say 128 and the signal then.
        std::process::exit(status.code().unwrap_or(128));
    }
}

/// Which images a run can need, as far as its arguments tell. A person who wants to run Python need not build QuickJS.
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
    fn the_language_is_told_by_the_arguments_or_not_at_all() {
        let needed = |line: &str| needed(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(needed("examples/breweries.py --json"), Selection::Python);
        assert_eq!(needed("--lang javascript -c 1"), Selection::Javascript);
        assert_eq!(needed("--timeout 3s task.ts"), Selection::Javascript);
        assert_eq!(needed("-c 1+1"), Selection::All);
        assert_eq!(needed("--mount lib.js:/lib.js main.py"), Selection::All);
    }
}
