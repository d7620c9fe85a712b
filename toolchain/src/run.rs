//! `cargo xtask run`: builds whatever is needed, then becomes `isolette run`.

use std::{ffi::OsString, os::unix::process::CommandExt as _, path::Path, process::Command};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    assembler,
    image::{self, Selection},
    project::Project,
};

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// What to pass on, as in `isolette run --help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Run {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, needed(&self.arguments))?;
        assembler::build_programs(project)?;
        let program = project.target().join("debug/isolette");
        // The program takes this one's place, so that signals and the exit code need no passing on.
        let error = Command::new(&program).arg("run").args(self.arguments).exec();
        Err(error).with_context(|| format!("cannot start {}", program.display()))
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
