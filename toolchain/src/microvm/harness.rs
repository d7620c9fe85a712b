//! A machine that can run micro-VMs, for hosts that cannot: QEMU emulates a processor with virtualisation.
//!
//! It is several times slower than the host. It sees the files of the host and cannot change them: what it writes goes to
//! memory, except for one directory of results.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result};

use super::{
    kernel::{self, Kernel},
    machine::{Console, Machine},
    results,
};
use crate::{
    install,
    lock::{self, Lock},
    project::Project,
    tools,
};

const PROGRAM: &str = "qemu-system-x86_64";

/// An AMD processor with the features that QEMU 7 and later emulate.
const PROCESSOR: &str = "EPYC,+svm,+npt";

/// Memory for the largest tests and the files that they write.
const MEMORY: &str = "6G";

/// The kernel ends if it cannot continue. It reports a stall late, because the processor may be shared.
const KERNEL_ARGUMENTS: &str = "console=ttyS0 quiet panic=-1 rcupdate.rcu_cpu_stall_timeout=60";

/// A script to run in a machine.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    /// The name of the machine and of its directory among the results.
    pub(crate) name: &'a str,
    /// The script for `sh`, which runs as root in the file system of the host. `/results` is the directory of all results.
    pub(crate) script: &'a str,
    /// Where its console goes.
    pub(crate) console: Console,
    /// What its clock counts.
    pub(crate) clock: Clock,
}

/// What the clock of a machine counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The time of the host.
    Time,
    /// Instructions: each takes a nanosecond.
    Instructions,
}

/// What machines are made of, and where they write results.
#[derive(Debug)]
pub(crate) struct Harness {
    kernel: Kernel,
    results: PathBuf,
    _lock: Lock,
}

impl Harness {
    /// Prepares what machines boot, and empties the directory of results.
    pub(crate) fn prepare(project: &Project) -> Result<Self> {
        // This lock comes first: its holder may take long, and other processes build meanwhile.
        let lock = lock::emulate(project)?;
        let _building = lock::acquire(project)?;
        install::programs(&tools::FOR_HARNESS)?;
        let kernel = kernel::prepare(project)?;
        Ok(Self { kernel, results: results::empty(project)?, _lock: lock })
    }

    /// The directory that all machines see as `/results`.
    pub(crate) fn results(&self) -> &Path {
        &self.results
    }

    /// Starts a machine.
    pub(crate) fn boot(&self, job: &Job<'_>) -> Result<Machine> {
        let folder = self.results.join(job.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(folder.join("run.sh"), job.script)?;
        if job.console == Console::Terminal {
            fs::write(folder.join("interactive"), "")?;
        }
        Machine::start(self.command(job), folder, job.console)
            .with_context(|| format!("cannot start {PROGRAM}\nhint: `cargo xtask setup` installs it"))
    }

    fn command(&self, job: &Job<'_>) -> Command {
        let share = |path: &Path, tag: &str, more: &str| {
            format!("local,path={},mount_tag={tag},security_model=none,multidevs=remap{more}", path.display())
        };
        let terminal = job.console == Console::Terminal;
        let mut command = Command::new(PROGRAM);
        command
            // One processor: with two, the kernel stalled, or its memory was overwritten.
            .args(["-accel", "tcg", "-cpu", PROCESSOR, "-smp", "1", "-m", MEMORY])
            .args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"])
            .args(["-serial", if terminal { "mon:stdio" } else { "stdio" }])
            .arg("-kernel")
            .arg(&self.kernel.image)
            .arg("-initrd")
            .arg(&self.kernel.files)
            // The kernel passes parameters that it does not know to the first program as variables.
            .arg("-append")
            .arg(format!("{KERNEL_ARGUMENTS} MACHINE={}", job.name))
            .args(["-virtfs", &share(Path::new("/"), "files", ",readonly=on")])
            .args(["-virtfs", &share(&self.results, "results", "")]);
        if job.clock == Clock::Instructions {
            command.args(["-icount", "shift=0,sleep=off"]);
        }
        if !terminal {
            command.stdin(Stdio::null());
        }
        command
    }
}
