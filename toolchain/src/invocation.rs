//! Calls of other programs. Their output is shown only if they fail, with the command and a hint.

use std::{
    collections::VecDeque,
    ffi::OsStr,
    fs::File,
    io::{self, BufReader, PipeWriter, Read, pipe},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::{
    progress::{self, Progress},
    project,
};

/// The number of lines of a failed command that are shown.
const TAIL: usize = 30;

/// How often the progress of a silent command is updated.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// A call of a program, with a title for messages and a hint for failures.
#[derive(Debug)]
pub(crate) struct Invocation {
    title: String,
    command: Command,
    hint: String,
}

impl Invocation {
    pub(crate) fn new(title: impl Into<String>, program: impl AsRef<OsStr>) -> Self {
        Self::of(title, Command::new(program))
    }

    /// Returns a call of cargo that reports its progress.
    pub(crate) fn cargo(title: impl Into<String>) -> Self {
        let mut invocation = Self::of(title, project::cargo());
        invocation.command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "100");
        invocation
    }

    fn of(title: impl Into<String>, mut command: Command) -> Self {
        command.stdin(Stdio::null());
        Self { title: title.into(), command, hint: "run the command above by hand to see more".into() }
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Sets the hint for a failure.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Runs it. Its output is shown only if it fails.
    pub(crate) fn run(self) -> Result<()> {
        let (reader, writer) = pipe()?;
        let output = writer.try_clone()?;
        self.watch(reader, writer, output)
    }

    /// Runs it, and returns what it writes to standard output. Its standard error is shown only if it fails.
    pub(crate) fn run_for_output(self) -> Result<String> {
        let (reader, writer) = pipe()?;
        let (mut output, output_writer) = pipe()?;
        let collecting = thread::spawn(move || {
            let mut bytes = Vec::new();
            output.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
        });
        self.watch(reader, writer, output_writer)?;
        let text: io::Result<String> =
            collecting.join().map_err(|_| anyhow!("reading the output of the command failed"))?;
        text.context("cannot read the output of the command")
    }

    /// Runs it, and has it write its standard output to a file. Its standard error is shown only if it fails.
    pub(crate) fn run_into(self, output: File) -> Result<()> {
        let (reader, writer) = pipe()?;
        self.watch(reader, writer, output)
    }

    /// Runs it with this end of a pipe for standard error, and shows the lines that come from `reader`.
    fn watch(mut self, reader: impl Read + Send + 'static, errors: PipeWriter, output: impl Into<Stdio>) -> Result<()> {
        self.command.stdout(output).stderr(errors);
        let mut progress = Progress::start(&self.title);
        let mut child = self.command.spawn().with_context(|| self.failure("cannot be started", &[]))?;
        // The command keeps ends of the pipe open until it is dropped; the reader would wait for it.
        self.command.stdout(Stdio::null()).stderr(Stdio::null());
        let (sender, lines) = mpsc::channel();
        let reading =
            thread::spawn(move || each_line(reader, |line, is_status| drop(sender.send((line.to_owned(), is_status)))));
        let mut tail = VecDeque::with_capacity(TAIL);
        loop {
            match lines.recv_timeout(POLL_INTERVAL) {
                Ok((line, is_status)) => {
                    progress.show(&line);
                    if !is_status {
                        if tail.len() == TAIL {
                            tail.pop_front();
                        }
                        tail.push_back(line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            progress.tick();
        }
        let status = child.wait()?;
        reading.join().map_err(|_| anyhow!("reading the output of the command failed"))??;
        if status.success() {
            progress.done();
            return Ok(());
        }
        progress.failed();
        bail!(self.failure(&format!("ended with {status}"), tail.make_contiguous()))
    }

    /// Runs it, with its output shown immediately.
    pub(crate) fn show(mut self) -> Result<()> {
        self.command.env_remove("CARGO_TERM_PROGRESS_WHEN").env_remove("CARGO_TERM_PROGRESS_WIDTH");
        progress::note(&self.title);
        let status = self.command.status().with_context(|| self.failure("cannot be started", &[]))?;
        if status.success() { Ok(()) } else { bail!(self.failure(&format!("ended with {status}"), &[])) }
    }

    /// Runs it and returns what it wrote to its standard output.
    pub(crate) fn output(self) -> Result<String> {
        self.outputs().map(|(output, _)| output)
    }

    /// Runs it and returns what it wrote to standard error, where cargo reports findings.
    pub(crate) fn messages(self) -> Result<String> {
        self.outputs().map(|(_, messages)| messages)
    }

    fn outputs(mut self) -> Result<(String, String)> {
        let output = self.command.output().with_context(|| self.failure("cannot be started", &[]))?;
        if output.status.success() {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            return Ok((text(&output.stdout), text(&output.stderr)));
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let tail = lines.get(lines.len().saturating_sub(TAIL)..).unwrap_or_default();
        bail!(self.failure(&format!("ended with {}", output.status), tail))
    }

    fn failure(&self, what: &str, tail: &[String]) -> String {
        let mut text = format!("{}: the command {what}\n  $ {}", self.title, self.line());
        for line in tail {
            text.push_str("\n  | ");
            text.push_str(line);
        }
        text.push_str("\nhint: ");
        text.push_str(&self.hint);
        text
    }

    /// The command as a shell would accept it.
    fn line(&self) -> String {
        let mut words = Vec::new();
        if let Some(directory) = self.command.get_current_dir() {
            words.push(format!("cd {} &&", quote(directory.as_os_str())));
        }
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) if !name.to_string_lossy().starts_with("CARGO_TERM_") => {
                    words.push(format!("{}={}", name.to_string_lossy(), quote(value)));
                }
                _ => {}
            }
        }
        words.push(quote(self.command.get_program()));
        words.extend(self.command.get_args().map(quote));
        words.join(" ")
    }
}

fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains(char::is_control) {
        return format!("$'{}'", word.escape_default());
    }
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_=+./:,@%^".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Calls `each` for every line. A line that ends in a carriage return is a status that the next one overwrites.
fn each_line(reader: impl Read, mut each: impl FnMut(&str, bool)) -> Result<()> {
    let mut line = Vec::new();
    let mut flush = |line: &mut Vec<u8>, is_status: bool| {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_end();
        if !text.is_empty() {
            each(&without_escapes(text), is_status);
        }
        line.clear();
    };
    for byte in BufReader::new(reader).bytes() {
        match byte.context("cannot read the output of the command")? {
            b'\n' => flush(&mut line, false),
            b'\r' => flush(&mut line, true),
            byte => line.push(byte),
        }
    }
    flush(&mut line, false);
    Ok(())
}

/// Removes the terminal's control sequences, which would interfere with ours.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            let _ = characters.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Invocation {
        Invocation::new("a trial", "sh").args(["-c", script])
    }

    #[test]
    fn a_failure_shows_command_tail_and_hint() {
        let error = shell("for i in $(seq 100); do echo line $i; done; echo why >&2; exit 3")
            .env("COLOUR", "dark red")
            .hint("try again")
            .run()
            .unwrap_err()
            .to_string();
        for expected in
            ["a trial", "COLOUR='dark red' sh -c", "exit status: 3", "| line 100", "| why", "hint: try again"]
        {
            assert!(error.contains(expected), "{expected:?} is missing in:\n{error}");
        }
        assert!(!error.contains("| line 70\n"), "only the tail is shown:\n{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Invocation::new("a trial", "no-such-program").hint("get it").run().unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("no-such-program") && error.contains("hint: get it"), "{error}");
    }

    #[test]
    fn output_is_returned_without_what_goes_to_standard_error() {
        assert_eq!(shell("echo out; echo err >&2").output().unwrap(), "out\n");
    }

    #[test]
    fn output_is_separate_from_the_messages_of_a_failure() {
        assert_eq!(shell("echo out; echo err >&2").run_for_output().unwrap(), "out\n");
        let error = shell("echo out; echo err >&2; exit 3").run_for_output().unwrap_err().to_string();
        assert!(error.contains("| err") && !error.contains("| out"), "{error}");
    }

    #[test]
    fn a_status_is_shown_and_not_kept() {
        let mut lines = Vec::new();
        each_line(&b"one\r\x1b[1mtwo\x1b[0m\n\nthree"[..], |line, status| lines.push((line.to_owned(), status)))
            .unwrap();
        assert_eq!(lines, [("one".to_owned(), true), ("two".to_owned(), false), ("three".to_owned(), false)]);
    }
}
