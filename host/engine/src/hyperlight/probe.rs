//! Determines whether this machine can run micro-VMs.
//!
//! The existence of the device proves nothing: on some machines it opens but cannot run a processor. So the probe runs
//! a real micro-VM that contains only the runtime. The outcome, success or failure, is cached until the machine restarts.
//! Whether the device can be opened is not cached; every process checks it.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use super::machine;
use crate::{Missing, user_cache};

const DEVICE: &str = "/dev/kvm";

/// Sizes in bytes that suffice for the runtime to start.
const HEAP_SIZE: u64 = 1 << 20;
const SCRATCH_SIZE: usize = 8 << 20;

/// Proof that a micro-VM has run on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Proof(());

/// Probes once per process.
pub(crate) fn probe(runtime: &Path) -> Result<Proof, Missing> {
    static OUTCOME: OnceLock<Result<Proof, Missing>> = OnceLock::new();
    OUTCOME.get_or_init(|| tracing::debug_span!("probe").in_scope(|| device().and_then(|()| run(runtime)))).clone()
}

fn device() -> Result<(), Missing> {
    let error = match File::options().read(true).write(true).open(DEVICE) {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    Err(match error.kind() {
        io::ErrorKind::NotFound => Missing {
            reason: format!("there is no `{DEVICE}`"),
            hint: "switch virtualisation on in the firmware, load the kernel's module `kvm-intel` or `kvm-amd`, or, in a \
                   virtual machine, have its host permit nested virtualisation; or use `process`",
        },
        io::ErrorKind::PermissionDenied => Missing {
            reason: format!("this user may not open `{DEVICE}`"),
            hint: "add the user to the group that owns the device (`kvm` on most systems) and log in anew; or use `process`",
        },
        _ => Missing { reason: format!("`{DEVICE}` cannot be opened: {error}"), hint: "use `process`" },
    })
}

/// The file in which the outcome is cached until the machine restarts: empty if micro-VMs run, else the reason. It is
/// named after the boot.
fn cache_file() -> Option<PathBuf> {
    let folder = user_cache::folder("probe")?;
    user_cache::prepare(&folder).ok()?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(folder.join(boot.trim()))
}

fn run(runtime: &Path) -> Result<Proof, Missing> {
    let cache_file = cache_file();
    let cached = cache_file.as_ref().and_then(|path| fs::read_to_string(path).ok());
    let failure = cached.unwrap_or_else(|| {
        let machine = machine::builder(runtime.to_owned(), HEAP_SIZE).scratch_size(SCRATCH_SIZE).build();
        let failure = machine.map_or_else(|error| error.to_string(), |_| String::new());
        if let Some(path) = cache_file {
            // If the file cannot be written, the next process probes again.
            let _ = fs::write(path, &failure);
        }
        failure
    });
    if failure.is_empty() {
        return Ok(Proof(()));
    }
    Err(Missing {
        reason: format!("`{DEVICE}` exists, but cannot run a micro-VM: {failure}"),
        hint: "in a virtual machine, have its host permit nested virtualisation; or use `process`",
    })
}
