//! `isolette completions`: prints completion scripts for shells.

use crate::exit::Code;
use std::io;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use crate::arguments::Arguments;

pub(crate) fn completions(shell: Shell) -> Code {
    generate(shell, &mut Arguments::command(), "isolette", &mut io::stdout());
    Code::SUCCESS
}
