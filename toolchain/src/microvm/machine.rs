//! A running machine: whether it works, and how it ended.
//!
//! An emulated kernel can stop without any program in it noticing. So the machine writes a heartbeat, and its console is
//! searched for error messages of the kernel.

use std::{
    fs::{self, File},
    io::{self, Read, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

/// The machine writes to the file `alive` every few seconds. After this long without a heartbeat it has stopped.
const SILENCE: Duration = Duration::from_secs(90);

/// Messages of a kernel that cannot continue, or not reliably.
const DISTRESS: [&str; 6] =
    ["Kernel panic", "detected stall", "soft lockup", "hard LOCKUP", "BUG: unable to handle", "Oops: "];

/// Where the console of a machine goes. Except for a terminal, a copy is kept with the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Console {
    /// The terminal, which is also the machine's input.
    Terminal,
    /// Standard output.
    Shown,
    /// Nowhere besides the copy.
    Kept,
}

/// How a machine ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Its script ended with this exit status.
    Done(i32),
    /// The machine broke, which means nothing for the tests.
    Broken(String),
}

/// A machine, which ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Machine {
    child: Child,
    folder: PathBuf,
    console: Option<JoinHandle<io::Result<()>>>,
    kernel_error: Arc<Mutex<Option<String>>>,
    heartbeat: Heartbeat,
}

/// The latest heartbeat. `None` for a terminal, where a person watches.
#[derive(Debug)]
struct Heartbeat {
    content: Vec<u8>,
    since: Instant,
    timeout: Option<Duration>,
}

impl Machine {
    pub(super) fn start(mut command: Command, folder: PathBuf, console: Console) -> Result<Self> {
        command.stderr(File::create(folder.join("qemu.log"))?);
        if console != Console::Terminal {
            command.stdout(Stdio::piped());
        }
        let mut child = command.spawn()?;
        let kernel_error = Arc::default();
        let reading = child.stdout.take().map(|output| {
            let (path, kernel_error) = (folder.join("console.log"), Arc::clone(&kernel_error));
            thread::spawn(move || keep(output, &path, console == Console::Shown, &kernel_error))
        });
        let timeout = (console != Console::Terminal).then_some(SILENCE);
        let heartbeat = Heartbeat { content: Vec::new(), since: Instant::now(), timeout };
        Ok(Self { child, folder, console: reading, kernel_error, heartbeat })
    }

    /// The directory of its results.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns how it ended. `None` while it runs and works. To be called several times a second.
    pub(crate) fn look(&mut self) -> Result<Option<Ending>> {
        if self.child.try_wait()?.is_some() {
            if let Some(reading) = self.console.take() {
                reading.join().ok().context("reading the console failed")??;
            }
            return Ok(Some(self.ending()));
        }
        let kernel_error = self.kernel_error().or_else(|| self.heartbeat.look(&self.folder));
        Ok(kernel_error.map(|reason| {
            self.stop();
            Ending::Broken(reason)
        }))
    }

    fn ending(&self) -> Ending {
        // A result after an error of the kernel is not reliable.
        if let Some(kernel_error) = self.kernel_error() {
            return Ending::Broken(kernel_error);
        }
        let status = fs::read_to_string(self.folder.join("status")).unwrap_or_default();
        if let Ok(status) = status.trim().parse() {
            return Ending::Done(status);
        }
        let log = fs::read_to_string(self.folder.join("qemu.log")).unwrap_or_default();
        Ending::Broken(format!("it ended without a result; QEMU said: {}", log.trim()))
    }

    /// Ends it immediately.
    pub(crate) fn stop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn kernel_error(&self) -> Option<String> {
        self.kernel_error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Heartbeat {
    fn look(&mut self, folder: &Path) -> Option<String> {
        let timeout = self.timeout?;
        let content = fs::read(folder.join("alive")).unwrap_or_default();
        if content != self.content {
            self.content = content;
            self.since = Instant::now();
        }
        (self.since.elapsed() > timeout).then(|| format!("it wrote no heartbeat for {} s", timeout.as_secs()))
    }
}

/// Copies the console, and keeps the first line with an error message of the kernel.
fn keep(mut output: impl Read, path: &Path, shown: bool, kernel_error: &Mutex<Option<String>>) -> io::Result<()> {
    let mut log = File::create(path)?;
    let (mut buffer, mut line) = ([0; 4096], Vec::new());
    loop {
        let length = output.read(&mut buffer)?;
        let piece = buffer.get(..length).unwrap_or_default();
        if piece.is_empty() {
            return Ok(());
        }
        log.write_all(piece)?;
        if shown {
            io::stdout().write_all(piece)?;
            io::stdout().flush()?;
        }
        for byte in piece {
            if *byte != b'\n' {
                line.push(*byte);
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            if DISTRESS.iter().any(|words| text.contains(words)) {
                let mut first = kernel_error.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert_with(|| format!("its kernel reported: {}", text.trim()));
            }
            line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Trial {
        folder: tempfile::TempDir,
        machine: Machine,
    }

    /// A shell instead of QEMU.
    fn trial(script: &str) -> Trial {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path()).stdin(Stdio::null());
        let machine = Machine::start(command, folder.path().to_owned(), Console::Kept).unwrap();
        Trial { folder, machine }
    }

    fn ending(machine: &mut Machine) -> Ending {
        loop {
            if let Some(ending) = machine.look().unwrap() {
                return ending;
            }
            thread::yield_now();
        }
    }

    #[test]
    fn the_exit_status_of_the_script_is_returned() {
        let mut trial = trial("echo all is well; echo 3 > status");
        assert_eq!(ending(&mut trial.machine), Ending::Done(3));
        assert_eq!(fs::read_to_string(trial.folder.path().join("console.log")).unwrap(), "all is well\n");
    }

    #[test]
    fn a_machine_that_ends_without_a_result_is_broken() {
        let mut trial = trial("echo no such device >&2");
        let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("the machine is not broken") };
        assert!(reason.contains("no such device"), "{reason}");
    }

    #[test]
    fn a_machine_with_a_kernel_error_is_stopped() {
        for words in ["Kernel panic - not syncing", "rcu: INFO: rcu_sched self-detected stall on CPU"] {
            let mut trial = trial(&format!("echo '[    1.0] {words}'; echo 0 > status; exec sleep 1000"));
            let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("{words}") };
            assert!(reason.contains(words), "{reason}");
        }
        let mut trial = trial("echo 'Kernel panic - not syncing'; echo 0 > status");
        assert!(matches!(ending(&mut trial.machine), Ending::Broken(_)), "it has ended by itself");
    }

    #[test]
    fn a_machine_without_a_heartbeat_is_stopped() {
        let mut trial = trial("exec sleep 1000");
        trial.machine.heartbeat.timeout = Some(Duration::from_millis(1));
        let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("the machine is not broken") };
        assert!(reason.contains("no heartbeat"), "{reason}");
    }

    #[test]
    fn only_a_new_heartbeat_counts() {
        let folder = tempfile::tempdir().unwrap();
        let timeout = Duration::from_secs(3600);
        let long_ago = Instant::now().checked_sub(timeout * 2).unwrap();
        let mut heartbeat = Heartbeat { content: b"1".to_vec(), since: long_ago, timeout: Some(timeout) };
        fs::write(folder.path().join("alive"), "2").unwrap();
        assert_eq!(heartbeat.look(folder.path()), None);
        heartbeat.since = long_ago;
        assert!(heartbeat.look(folder.path()).is_some(), "the same heartbeat counts once");
    }
}
