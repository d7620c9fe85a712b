//! Programs of the workspace, started like from a shell.

use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

/// `isolette`, which starts without the caller's settings.
#[must_use]
pub fn isolette() -> Command {
    let mut command = Command::new(built("isolette", "isolette-cli"));
    // The width and colours of terminals would be part of what is compared.
    command.env("COLUMNS", "100").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE").env_remove("RUST_LOG");
    command
}

/// A program from the folder that the running test was built into.
#[must_use]
pub fn built(program: &str, package: &str) -> PathBuf {
    let test = env::current_exe().expect("the test knows its own path");
    let profile = test.ancestors().nth(2).expect("tests are in the folder `deps` of a profile's folder");
    let program = profile.join(format!("{program}{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is not there: build it with `cargo build -p {package}` (`cargo xtask test` does)",
        program.display()
    );
    program
}

/// The exit code and output of a program, for comparisons.
#[must_use]
pub fn transcript(output: &Output) -> String {
    let ending = match output.status.code() {
        Some(code) => format!("exit code {code}"),
        None => format!("{}", output.status),
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("{ending}\n--- stdout ---\n{stdout}--- stderr ---\n{stderr}")
}
