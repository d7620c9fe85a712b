//! The same programs outside of the sandbox, where the machine has the languages' own interpreters.

use std::{io, path::Path, process::Command};

use isolette::Language;

use crate::{Skipped, agents};

/// What the language's own interpreter prints for a program.
///
/// # Errors
/// There is no such interpreter, or it is older than the program asks for with a line `native: 3.12` in its head.
pub fn stdout(language: Language, program: &Path, code: &str) -> Result<String, Skipped> {
    let (interpreter, arguments): (_, &[&str]) = match language {
        Language::Python => ("python3", &["-I", "-X", "utf8"]),
        _ => ("node", &[]),
    };
    if let Some(needed) = needed_version(code) {
        let found = version(interpreter)?;
        if numbers(&found) < numbers(needed) {
            return Err(Skipped(format!("{interpreter} is {found}, the program needs {needed}")));
        }
    }
    // As it is in the sandbox.
    let command = &mut Command::new(interpreter);
    let command = command.args(arguments).arg(program).env("TZ", "UTC").env("LC_ALL", "en_US.UTF-8");
    let output = run(command, interpreter)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{interpreter} fails on {}: {stderr}", program.display());
    Ok(String::from_utf8(output.stdout).expect("programs print UTF-8"))
}

/// Compiles the program whose path is its argument, and runs it. Who takes a `PropertyDescriptor` means the older decorators.
const COMPILER: &str = r#"
const [fs, typescript, path] = [require("fs"), require("typescript"), process.argv[1]];
const source = fs.readFileSync(path, "utf8");
const experimentalDecorators = source.includes("PropertyDescriptor");
const compilerOptions = { target: "ES2022", module: "CommonJS", esModuleInterop: true, experimentalDecorators };
const program = new module.constructor(path);
program._compile(typescript.transpileModule(source, { compilerOptions }).outputText, path);
"#;

/// What Node prints for a program that the compiler of TypeScript has translated.
///
/// # Errors
/// There is no Node, or the compiler is not installed.
pub fn typescript(program: &Path) -> Result<String, Skipped> {
    let modules = agents::node()?.join("node_modules");
    let output = run(Command::new("node").env("NODE_PATH", modules).args(["-e", COMPILER]).arg(program), "node")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "node fails on {}: {stderr}", program.display());
    Ok(String::from_utf8(output.stdout).expect("programs print UTF-8"))
}

/// What Node prints for a piece of JavaScript.
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
