//! A machine that can run micro-VMs, for where the real one cannot: QEMU, which emulates a processor with virtualisation.
//!
//! Everything in it is several times slower than outside, and the same otherwise. It sees the files of the real machine
//! and cannot change them; what is written goes to memory, but for one folder of results.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

use super::kernel::{self, Kernel};
use crate::{progress, project::Project};

const PROGRAM: &str = "qemu-system-x86_64";

/// An AMD processor with what QEMU 7 and later emulate of it.
const PROCESSOR: &str = "EPYC,+svm,+npt";

/// Enough for the largest tests, and for what they write.
const MEMORY: &str = "6G";

/// How often one looks whether the machine has ended.
const LOOK_AROUND: Duration = Duration::from_millis(200);

/// What is to be done in the machine.
#[derive(Debug)]
pub(crate) struct Errand<'a> {
    /// For `sh`, which runs as root in the file system of the real machine.
    pub(crate) script: &'a str,
    /// With the terminal, and without a limit.
    pub(crate) interactive: bool,
    /// When to give up.
    pub(crate) limit: Duration,
}

/// The machine, ready to be switched on.
#[derive(Debug)]
pub(crate) struct Harness {
    kernel: Kernel,
    results: PathBuf,
}

impl Harness {
    /// Gets what it boots. The caller holds the lock.
    pub(crate) fn prepare(project: &Project) -> Result<Self> {
        Ok(Self { kernel: kernel::prepare(project)?, results: project.microvm().join("results") })
    }

    /// Switches it on, and returns the script's exit status when it is off again.
    pub(crate) fn run(&self, errand: &Errand<'_>) -> Result<i32> {
        if self.results.exists() {
            fs::remove_dir_all(&self.results)?;
        }
        fs::create_dir_all(&self.results)?;
        fs::write(self.results.join("run.sh"), errand.script)?;
        if errand.interactive {
            fs::write(self.results.join("interactive"), "")?;
        }
        let complaints = self.results.join("qemu.log");
        progress::note("booting a machine with emulated virtualisation; it sees your files and cannot change them");
        let child = self
            .command(errand)
            .stderr(File::create(&complaints)?)
            .spawn()
            .with_context(|| format!("cannot start {PROGRAM}\nhint: `cargo xtask setup` installs it"))?;
        let ended = wait(child, (!errand.interactive).then_some(errand.limit))?;
        if !ended {
            bail!(
                "the machine was switched off after {} minutes\nhint: what it did is above; `cargo xtask microvm shell` \
                 is a way to look around in it",
                errand.limit.as_secs() / 60
            );
        }
        let status = fs::read_to_string(self.results.join("status")).unwrap_or_default();
        status.trim().parse().with_context(|| {
            let log = fs::read_to_string(&complaints).unwrap_or_default();
            format!("the machine ended without a result; QEMU said:\n{log}")
        })
    }

    fn command(&self, errand: &Errand<'_>) -> Command {
        let share = |path: &Path, tag: &str, more: &str| {
            format!("local,path={},mount_tag={tag},security_model=none,multidevs=remap{more}", path.display())
        };
        let mut command = Command::new(PROGRAM);
        command
            // One processor: with two, the kernel in it was found stalled, or its memory overwritten.
            .args(["-accel", "tcg", "-cpu", PROCESSOR, "-smp", "1", "-m", MEMORY])
            .args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"])
            .args(["-serial", if errand.interactive { "mon:stdio" } else { "stdio" }])
            .arg("-kernel")
            .arg(&self.kernel.image)
            .arg("-initrd")
            .arg(&self.kernel.files)
            .args(["-append", "console=ttyS0 panic=-1 quiet"])
            .args(["-virtfs", &share(Path::new("/"), "files", ",readonly=on")])
            .args(["-virtfs", &share(&self.results, "results", "")]);
        if !errand.interactive {
            command.stdin(Stdio::null());
        }
        command
    }
}

/// Whether it ended by itself.
fn wait(mut child: Child, limit: Option<Duration>) -> Result<bool> {
    let started = Instant::now();
    loop {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        if limit.is_some_and(|limit| started.elapsed() > limit) {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(LOOK_AROUND);
    }
}
