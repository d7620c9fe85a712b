//! A machine that is switched on: whether it still works, and how it ended.
//!
//! An emulated kernel can stop in ways that no program in it notices. So the machine shows all the time that it is alive,
//! and its console is searched for what a kernel says in distress.

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

/// The machine writes to the file `alive` every few seconds. If it has not for so long, it never will.
const SILENCE: Duration = Duration::from_secs(90);

/// What a kernel says when it cannot go on, or not as it should.
const DISTRESS: [&str; 6] =
    ["Kernel panic", "detected stall", "soft lockup", "hard LOCKUP", "BUG: unable to handle", "Oops: "];

/// Where a machine's console is. All but the terminal's is kept with the results as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Console {
    /// The terminal, which the machine reads from, too.
    Terminal,
    /// Standard output.
    Shown,
    /// Nowhere else.
    Kept,
}

/// How a machine ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Its errand is done, with this exit status.
    Done(i32),
    /// The machine itself broke, which says nothing about the errand.
    Broken(String),
}

/// A machine, until it is dropped.
#[derive(Debug)]
pub(crate) struct Machine {
    child: Child,
    folder: PathBuf,
    console: Option<JoinHandle<io::Result<()>>>,
    distress: Arc<Mutex<Option<String>>>,
    alive: Alive,
}

/// The latest sign of life. A person at a terminal sees for himself.
#[derive(Debug)]
struct Alive {
    sign: Vec<u8>,
    since: Instant,
    patience: Option<Duration>,
}

impl Machine {
    pub(super) fn switch_on(mut command: Command, folder: PathBuf, console: Console) -> Result<Self> {
        command.stderr(File::create(folder.join("qemu.log"))?);
        if console != Console::Terminal {
            command.stdout(Stdio::piped());
        }
        let mut child = command.spawn()?;
        let distress = Arc::default();
        let reading = child.stdout.take().map(|output| {
            let (path, distress) = (folder.join("console.log"), Arc::clone(&distress));
            thread::spawn(move || keep(output, &path, console == Console::Shown, &distress))
        });
        let patience = (console != Console::Terminal).then_some(SILENCE);
        let alive = Alive { sign: Vec::new(), since: Instant::now(), patience };
        Ok(Self { child, folder, console: reading, distress, alive })
    }

    /// Where it leaves its results.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// How it ended. `None` as long as it goes on and is well. To be called several times a second.
    pub(crate) fn look(&mut self) -> Result<Option<Ending>> {
        if self.child.try_wait()?.is_some() {
            if let Some(reading) = self.console.take() {
                reading.join().ok().context("reading the console failed")??;
            }
            return Ok(Some(self.ending()));
        }
        let distress = self.distress().or_else(|| self.alive.look(&self.folder));
        Ok(distress.map(|reason| {
            self.switch_off();
            Ending::Broken(reason)
        }))
    }

    fn ending(&self) -> Ending {
        // What a kernel in distress does last is nothing to rely on.
        if let Some(distress) = self.distress() {
            return Ending::Broken(distress);
        }
        let status = fs::read_to_string(self.folder.join("status")).unwrap_or_default();
        if let Ok(status) = status.trim().parse() {
            return Ending::Done(status);
        }
        let log = fs::read_to_string(self.folder.join("qemu.log")).unwrap_or_default();
        Ending::Broken(format!("it ended without a result; QEMU said: {}", log.trim()))
    }

    /// Ends it at once.
    pub(crate) fn switch_off(&mut self) {
        // That it ended by itself in the meantime is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn distress(&self) -> Option<String> {
        self.distress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.switch_off();
    }
}

impl Alive {
    fn look(&mut self, folder: &Path) -> Option<String> {
        let patience = self.patience?;
        let sign = fs::read(folder.join("alive")).unwrap_or_default();
        if sign != self.sign {
            self.sign = sign;
            self.since = Instant::now();
        }
        (self.since.elapsed() > patience).then(|| format!("it has shown no sign of life for {} s", patience.as_secs()))
    }
}

/// Copies the console, and takes note of the first line that tells of distress.
fn keep(mut output: impl Read, path: &Path, shown: bool, distress: &Mutex<Option<String>>) -> io::Result<()> {
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
                let mut first = distress.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert_with(|| format!("its kernel said: {}", text.trim()));
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

    /// A shell in place of QEMU.
    fn trial(script: &str) -> Trial {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path()).stdin(Stdio::null());
        let machine = Machine::switch_on(command, folder.path().to_owned(), Console::Kept).unwrap();
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
    fn what_the_errand_ends_with_is_passed_on() {
        let mut trial = trial("echo all is well; echo 3 > status");
        assert_eq!(ending(&mut trial.machine), Ending::Done(3));
        assert_eq!(fs::read_to_string(trial.folder.path().join("console.log")).unwrap(), "all is well\n");
    }

    #[test]
    fn a_machine_that_ends_without_a_result_is_broken() {
        let mut trial = trial("echo no such device >&2");
        let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("it has no status") };
        assert!(reason.contains("no such device"), "{reason}");
    }

    #[test]
    fn a_kernel_in_distress_is_switched_off_whatever_it_does_next() {
        for words in ["Kernel panic - not syncing", "rcu: INFO: rcu_sched self-detected stall on CPU"] {
            let mut trial = trial(&format!("echo '[    1.0] {words}'; echo 0 > status; exec sleep 1000"));
            let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("{words}") };
            assert!(reason.contains(words), "{reason}");
        }
        let mut trial = trial("echo 'Kernel panic - not syncing'; echo 0 > status");
        assert!(matches!(ending(&mut trial.machine), Ending::Broken(_)), "it has ended by itself");
    }

    #[test]
    fn a_machine_without_a_sign_of_life_is_switched_off() {
        let mut trial = trial("exec sleep 1000");
        trial.machine.alive.patience = Some(Duration::from_millis(1));
        let Ending::Broken(reason) = ending(&mut trial.machine) else { panic!("it is silent") };
        assert!(reason.contains("no sign of life"), "{reason}");
    }

    #[test]
    fn signs_of_life_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let patience = Duration::from_secs(3600);
        let long_ago = Instant::now().checked_sub(patience * 2).unwrap();
        let mut alive = Alive { sign: b"1".to_vec(), since: long_ago, patience: Some(patience) };
        fs::write(folder.path().join("alive"), "2").unwrap();
        assert_eq!(alive.look(folder.path()), None);
        alive.since = long_ago;
        assert!(alive.look(folder.path()).is_some(), "the same sign is none");
    }
}
