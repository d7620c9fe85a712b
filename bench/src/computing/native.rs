//! Runs programs in the Python of the machine.

use std::{
    env,
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use anyhow::Context as _;
use serde_json::Value;

/// Runs the program of standard input, and prints its processor time in milliseconds and its result. Starting the interpreter
/// does not count.
const MEASURE: &str = "import json, sys, time\nnames, program = {'__name__': '__main__'}, sys.stdin.read()\n\
                       began = time.process_time()\nexec(compile(program, 'program', 'exec'), names)\n\
                       took = time.process_time() - began\nprint(json.dumps([took * 1000, names['result']]))";

/// Prints the path, since that in `PATH` may be a wrapper script, the version and the compiler.
const DESCRIBE: &str = "import platform, sys\nprint(sys.executable)\n\
                        print('CPython', platform.python_version(), 'by', platform.python_compiler())";

pub(crate) struct Interpreter {
    program: PathBuf,
    pub(crate) version: String,
}

impl Interpreter {
    /// `python3`, or the program that `ISOLETTE_BENCH_PYTHON` names.
    pub(crate) fn of_machine() -> anyhow::Result<Self> {
        let name = env::var_os("ISOLETTE_BENCH_PYTHON").unwrap_or_else(|| "python3".into());
        let output = Command::new(&name).args(["-I", "-c", DESCRIBE]).output().context("there is no `python3`")?;
        let text = String::from_utf8(output.stdout)?;
        let (program, version) = text.trim().split_once('\n').context("`python3` does not describe itself")?;
        Ok(Self { program: program.into(), version: version.to_owned() })
    }

    /// Milliseconds of processor time, and the result.
    pub(crate) fn run(&self, program: &str) -> anyhow::Result<(f64, Value)> {
        let mut child = Command::new(&self.program)
            .args(["-I", "-c", MEASURE])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        child.stdin.take().context("it was asked for")?.write_all(program.as_bytes())?;
        let output = child.wait_with_output()?;
        anyhow::ensure!(output.status.success(), "`python3` ended with {}", output.status);
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}
