//! The command that starts this program again.

use std::{env, ffi::OsString, io, sync::OnceLock};

static COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command of a program that contains this library.
pub(crate) fn set(command: Vec<OsString>) {
    let _ = COMMAND.set(command);
}

/// The program and its first arguments.
pub(crate) fn command() -> io::Result<Vec<OsString>> {
    match COMMAND.get() {
        Some(command) => Ok(command.clone()),
        None => Ok(vec![env::current_exe()?.into()]),
    }
}
