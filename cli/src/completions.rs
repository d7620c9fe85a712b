//! `isolette completions`: prints completion scripts for shells.

use std::{io, process::ExitCode};

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use crate::arguments::Arguments;

pub(crate) fn completions(shell: Shell) -> ExitCode {
    generate(shell, &mut Arguments::command(), "isolette", &mut io::stdout());
    ExitCode::SUCCESS
}
