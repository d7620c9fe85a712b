//! A machine that can run micro-VMs, for where the real one cannot: QEMU, which emulates a processor with virtualisation.
//!
//! Everything in it is several times slower than outside, and the same otherwise. It sees the files of the real machine
//! and cannot change them; what is written goes to memory, but for one folder of results.

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

/// An AMD processor with what QEMU 7 and later emulate of it.
const PROCESSOR: &str = "EPYC,+svm,+npt";

/// Enough for the largest tests, and for what they write.
const MEMORY: &str = "6G";

/// The kernel ends where it cannot go on. It is not quick to say so: its processor may be shared with others.
const KERNEL_ARGUMENTS: &str = "console=ttyS0 quiet panic=-1 rcupdate.rcu_cpu_stall_timeout=60";

/// What is to be done in a machine.
#[derive(Debug)]
pub(crate) struct Errand<'a> {
    /// The machine's name, and that of its folder among the results.
    pub(crate) name: &'a str,
    /// For `sh`, which runs as root in the file system of the real machine. `/results` is the folder of all results.
    pub(crate) script: &'a str,
    /// What happens to its console.
    pub(crate) console: Console,
}

/// All that machines are made of, and where they leave results.
#[derive(Debug)]
pub(crate) struct Harness {
    kernel: Kernel,
    results: PathBuf,
    _lock: Lock,
}

impl Harness {
    /// Gets what machines boot, and empties the folder of results.
    pub(crate) fn prepare(project: &Project) -> Result<Self> {
        // First, since whoever holds it may take long, and others want to build meanwhile.
        let lock = lock::emulate(project)?;
        let _building = lock::acquire(project)?;
        install::programs(&tools::FOR_HARNESS)?;
        let kernel = kernel::prepare(project)?;
        Ok(Self { kernel, results: results::empty(project)?, _lock: lock })
    }

    /// The folder that all machines see as `/results`.
    pub(crate) fn results(&self) -> &Path {
        &self.results
    }

    /// Switches a machine on.
    pub(crate) fn boot(&self, errand: &Errand<'_>) -> Result<Machine> {
        let folder = self.results.join(errand.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        fs::write(folder.join("run.sh"), errand.script)?;
        if errand.console == Console::Terminal {
            fs::write(folder.join("interactive"), "")?;
        }
        Machine::switch_on(self.command(errand), folder, errand.console)
            .with_context(|| format!("cannot start {PROGRAM}\nhint: `cargo xtask setup` installs it"))
    }

    fn command(&self, errand: &Errand<'_>) -> Command {
        let share = |path: &Path, tag: &str, more: &str| {
            format!("local,path={},mount_tag={tag},security_model=none,multidevs=remap{more}", path.display())
        };
        let terminal = errand.console == Console::Terminal;
        let mut command = Command::new(PROGRAM);
        command
            // One processor: with two, the kernel in it was found stalled, or its memory overwritten.
            .args(["-accel", "tcg", "-cpu", PROCESSOR, "-smp", "1", "-m", MEMORY])
            .args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"])
            .args(["-serial", if terminal { "mon:stdio" } else { "stdio" }])
            .arg("-kernel")
            .arg(&self.kernel.image)
            .arg("-initrd")
            .arg(&self.kernel.files)
            // What the kernel does not know it hands to the first program as a variable.
            .arg("-append")
            .arg(format!("{KERNEL_ARGUMENTS} MACHINE={}", errand.name))
            .args(["-virtfs", &share(Path::new("/"), "files", ",readonly=on")])
            .args(["-virtfs", &share(&self.results, "results", "")]);
        if !terminal {
            command.stdin(Stdio::null());
        }
        command
    }
}
