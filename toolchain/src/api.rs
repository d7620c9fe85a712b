//! An HTTP API that is available during a run: a program that prints its base URL on its first line.
//!
//! It runs with the rights of the user of xtask, outside of every sandbox.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::{Context as _, Result, ensure};

/// Ends the program when it is dropped.
#[derive(Debug)]
pub(crate) struct Api {
    child: Child,
    url: String,
    /// Kept open so that the program is not ended when it prints more.
    output: BufReader<ChildStdout>,
}

impl Api {
    /// Starts a Python program and waits for its first line.
    pub(crate) fn start(program: &Path) -> Result<Self> {
        let mut child = Command::new("python3")
            .arg(program)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start python3\nhint: `cargo xtask doctor` reports how to install it")?;
        let output = BufReader::new(child.stdout.take().context("the program has no standard output")?);
        let mut api = Self { child, url: String::new(), output };
        api.output.read_line(&mut api.url)?;
        api.url.truncate(api.url.trim_end().len());
        ensure!(
            api.url.starts_with("http://") || api.url.starts_with("https://"),
            "{} printed {:?} instead of its base URL\nhint: the first line of its output must be that URL",
            program.display(),
            api.url
        );
        Ok(api)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        // If it has ended by itself, killing it fails, which has no effect.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn start(program: &str) -> Result<Api> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("api.py");
        fs::write(&path, program).unwrap();
        Api::start(&path)
    }

    #[test]
    fn a_server_runs_until_it_is_dropped() {
        let api = start("import time\nprint('http://127.0.0.1:1/v1', flush=True)\ntime.sleep(600)").unwrap();
        assert_eq!(api.url(), "http://127.0.0.1:1/v1");
        let process = Path::new("/proc").join(api.child.id().to_string());
        assert!(process.exists());
        drop(api);
        assert!(!process.exists());
    }

    #[test]
    fn a_program_without_a_url_is_refused() {
        for program in ["print('ready')", "pass", "1 / 0"] {
            let error = start(program).unwrap_err().to_string();
            assert!(error.contains("base URL"), "{error}");
        }
    }
}
