//! Commands in a fixed grammar, as programs for guests. There is no shell.

use serde_json::json;

use crate::{
    Failure,
    words::{Token, split},
};

/// A program of a command, and the file that its output goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The program.
    pub program: Program,
    /// The path of the file, after `>`.
    pub into: Option<String>,
}

/// A program, with its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The text of a program in Python.
    Python(String),
    /// The text of a program in JavaScript.
    JavaScript(String),
    /// The path of a file of the sandbox in JavaScript or TypeScript.
    JavaScriptFile(String),
}

/// The commands that are programs in Python.
const BUILT_IN: &str = include_str!("built_in.py");

const NAMES: [&str; 8] = ["cat", "echo", "ls", "mkdir", "printf", "pwd", "rm", "test"];

/// Reads a command: programs with `&&` between them, each with its output or with `> FILE`.
///
/// # Errors
/// `CommandNotFound` for a program that the sandbox does not have, `InvalidArgument` for what only a shell can do.
pub fn steps(command: &str) -> Result<Vec<Step>, Failure> {
    const HINT: &str = "there is no shell: write a program in Python or JavaScript, and run it with -c";
    let tokens = split(command).map_err(|why| Failure::usage(format!("the command cannot be read: {why}"), HINT))?;
    let steps = tokens.split(|token| *token == Token::And).map(step);
    steps.collect()
}

fn step(tokens: &[Token]) -> Result<Step, Failure> {
    let incomplete = || Failure::usage("the command is incomplete", "write COMMAND && COMMAND, or COMMAND > FILE");
    let (tokens, into) = match tokens {
        [tokens @ .., Token::Into, Token::Word(file)] => (tokens, Some(file.clone())),
        tokens => (tokens, None),
    };
    let word = |token: &Token| match token {
        Token::Word(word) => Some(word.clone()),
        _ => None,
    };
    let words: Vec<String> = tokens.iter().map(word).collect::<Option<_>>().ok_or_else(incomplete)?;
    let (name, arguments) = words.split_first().ok_or_else(incomplete)?;
    Ok(Step { program: program(name, arguments)?, into })
}

fn program(name: &str, arguments: &[String]) -> Result<Program, Failure> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match (name, arguments.as_slice()) {
        ("python" | "python3", ["-c", code, rest @ ..]) => {
            let run = format!("exec(compile({}, '<string>', 'exec'), {{'__name__': '__main__'}})", json!(code));
            Ok(Program::Python(python("-c", rest, &run)))
        }
        ("python" | "python3", ["-m", module, rest @ ..]) => {
            let run = format!("import runpy\nrunpy.run_module({}, run_name='__main__', alter_sys=True)", json!(module));
            Ok(Program::Python(python(module, rest, &run)))
        }
        ("python" | "python3", [file, rest @ ..]) if !file.starts_with('-') => {
            let run = format!("import runpy\nrunpy.run_path({}, run_name='__main__')", json!(file));
            Ok(Program::Python(python(file, rest, &run)))
        }
        ("node" | "js", ["-e", code]) => Ok(Program::JavaScript((*code).to_owned())),
        ("node" | "js", [file]) if !file.starts_with('-') => Ok(Program::JavaScriptFile((*file).to_owned())),
        ("python" | "python3", _) => Err(usage("python3 -c CODE, python3 -m MODULE or python3 FILE, with arguments")),
        ("node" | "js", _) => Err(usage("node -e CODE or node FILE, without arguments")),
        (name, arguments) if NAMES.contains(&name) => {
            let call = format!("{BUILT_IN}\n_run({}, {})", json!(name), json!(arguments));
            Ok(Program::Python(python(name, &[], &call)))
        }
        (name, _) => Err(Failure::new(
            "CommandNotFound",
            format!("the command `{}` is not available in this sandbox", name.escape_debug()),
            format!("the commands are python3, node, {}", NAMES.join(", ")),
        )),
    }
}

fn usage(form: &str) -> Failure {
    Failure::usage("the arguments of the command are not possible here", format!("use {form}"))
}

/// A program in Python in the folder of the files of the sandbox. JSON of texts is valid in Python.
fn python(name: &str, arguments: &[&str], run: &str) -> String {
    let mut argv = vec![name];
    argv.extend(arguments);
    format!(
        "import os, sys\nos.chdir('/workspace')\nsys.path[:0] = ['/workspace']\nsys.argv = {}\n{run}\n",
        json!(argv)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_programs() {
        let found = steps("python3 -c 'print(1)' a && node -e '1 + 1' && echo x > out.txt").unwrap();
        let [python, javascript, echo] = found.as_slice() else { panic!("{found:?}") };
        assert!(matches!(&python.program, Program::Python(code) if code.contains("sys.argv = [\"-c\",\"a\"]")));
        assert_eq!(javascript.program, Program::JavaScript("1 + 1".into()));
        assert_eq!(echo.into.as_deref(), Some("out.txt"));
    }

    #[test]
    fn other_programs_do_not_exist() {
        for command in ["bash -c ls", "pip install x", "echo a && curl x", "/bin/sh"] {
            assert_eq!(steps(command).unwrap_err().kind, "CommandNotFound", "{command}");
        }
        for command in ["", "echo a &&", "> x", "echo a > b c", "python3", "python3 -i", "node a.js b", "a > b > c"] {
            assert_eq!(steps(command).unwrap_err().kind, "InvalidArgument", "{command}");
        }
    }
}
