//! The same programs outside of the sandbox, where the machine has the languages' own interpreters.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use isolette::Language;

use crate::Skipped;

/// What the language's own interpreter prints for a program: for TypeScript, Node after the compiler of TypeScript.
///
/// # Errors
/// There is no such interpreter or compiler, or it is older than the program asks for with a line `native: 3.12` in its head.
pub fn stdout(language: Language, program: &Path, code: &str) -> Result<String, Skipped> {
    let interpreter = if language == Language::Python { "python3" } else { "node" };
    if let Some(needed) = needed_version(code) {
        let found = version(interpreter)?;
        if numbers(&found) < numbers(needed) {
            return Err(Skipped(format!("{interpreter} is {found}, the program needs {needed}")));
        }
    }
    let mut command = Command::new(interpreter);
    match language {
        Language::Python => command.args(["-I", "-X", "utf8"]),
        Language::TypeScript => {
            let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("compilers/run.cjs");
            command.env("NODE_PATH", typescript()?).arg(compiler)
        }
        _ => &mut command,
    };
    // The same setting as in the sandbox.
    let output = run(command.arg(program).env("TZ", "UTC").env("LC_ALL", "en_US.UTF-8"), interpreter)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{interpreter} fails on {}: {stderr}", program.display());
    Ok(String::from_utf8(output.stdout).expect("programs print UTF-8"))
}

/// What CPython prints for a program with the numpy and pandas of the image `python-science`.
///
/// # Errors
/// That environment is not installed.
pub fn with_packages(program: &Path) -> Result<String, Skipped> {
    let python = toolchain().join("agents/science-python/bin/python");
    if !python.exists() {
        return Err(Skipped(
            "numpy and pandas for CPython are not there: `cargo xtask setup` installs them where there is Python 3.12"
                .into(),
        ));
    }
    // What is the folder of its own in a sandbox.
    let folder = tempfile::tempdir().expect("a folder for the program");
    let output_folder = folder.path().to_str().expect("a path in UTF-8");
    let code = fs::read_to_string(program).expect("a program").replace("/output", output_folder);
    let copy = folder.path().join("program.py");
    fs::write(&copy, code).expect("a copy of the program");
    let command = &mut Command::new(&python);
    let output = run(command.args(["-I", "-X", "utf8"]).arg(copy).env("TZ", "UTC"), "python3")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "CPython fails on {}: {stderr}", program.display());
    Ok(String::from_utf8(output.stdout).expect("programs print UTF-8").replace(output_folder, "/output"))
}

/// The folder into which `cargo xtask setup` installs.
fn toolchain() -> PathBuf {
    let test = env::current_exe().expect("the test knows its own path");
    test.ancestors().nth(3).expect("tests are in the folder `deps` of a profile's folder").join("toolchain")
}

/// The folder of modules that has the compiler of TypeScript in it.
fn typescript() -> Result<PathBuf, Skipped> {
    let modules = toolchain().join("compilers/node_modules");
    if modules.join("typescript").is_dir() {
        return Ok(modules);
    }
    Err(Skipped("the compiler of TypeScript is not there: `cargo xtask setup` installs it".into()))
}

/// Returns the output of Node for JavaScript.
///
/// # Errors
/// There is no Node.
pub fn evaluated(code: &str) -> Result<String, Skipped> {
    let output = run(Command::new("node").arg("--eval").arg(code), "node")?;
    assert!(output.status.success(), "node fails: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout).expect("programs print UTF-8"))
}

fn needed_version(code: &str) -> Option<&str> {
    code.lines().take(10).find_map(|line| line.split_once("native: ")).map(|(_, version)| version.trim())
}

/// `Python 3.12.1` is `3.12.1`, `v22.4.0` is `22.4.0`.
fn version(interpreter: &str) -> Result<String, Skipped> {
    let output = run(Command::new(interpreter).arg("--version"), interpreter)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let digits = text.find(|character: char| character.is_ascii_digit()).unwrap_or(text.len());
    Ok(text[digits..].trim().to_owned())
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').filter_map(|part| part.parse().ok()).collect()
}

fn run(command: &mut Command, interpreter: &str) -> Result<std::process::Output, Skipped> {
    match command.output() {
        Ok(output) => Ok(output),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Skipped(format!("there is no {interpreter}"))),
        Err(error) => panic!("{interpreter} cannot be started: {error}"),
    }
}
