//! `isolette`: see the library beside this file.

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    isolette_cli::command_line(env::args_os()).into()
}
