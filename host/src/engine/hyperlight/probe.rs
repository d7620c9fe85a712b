//! Whether this machine can run micro-VMs.
//!
//! That a device is there proves nothing: there are machines on which it opens and then cannot run a processor. So the
//! probe runs a real micro-VM, with nothing but the runtime in it. That it has worked is kept until the machine starts
//! anew; that it has not is found out again each time.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

use super::{lock, machine};
use crate::user_cache;

const DEVICE: &str = "/dev/kvm";

/// Enough for the runtime to come up.
const HEAP_SIZE: u64 = 1 << 20;
const SCRATCH_SIZE: usize = 8 << 20;

/// Why there are no micro-VMs here, and what to do about it.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    pub(crate) reason: String,
    pub(crate) hint: &'static str,
}

/// That a micro-VM has run here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof(());

/// Tries it, once a process.
pub(crate) fn probe(runtime: &Path) -> Result<Proof, Missing> {
    static VERDICT: OnceLock<Result<Proof, Missing>> = OnceLock::new();
    // Whoever asks at the same time waits for the same answer.
    static ASKING: Mutex<()> = Mutex::new(());
    let _asking = lock(&ASKING);
    VERDICT.get_or_init(|| tracing::debug_span!("probe").in_scope(|| device().and_then(|()| run(runtime)))).clone()
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
                   virtual machine, have its host permit nested virtualisation; or use `wasm`",
        },
        io::ErrorKind::PermissionDenied => Missing {
            reason: format!("this user may not open `{DEVICE}`"),
            hint: "add the user to the group that owns the device (`kvm` on most systems) and log in anew; or use `wasm`",
        },
        _ => Missing { reason: format!("`{DEVICE}` cannot be opened: {error}"), hint: "use `wasm`" },
    })
}

/// The file that is there if it has worked since the machine was started.
fn kept() -> Option<PathBuf> {
    let start = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(user_cache::folder("probe")?.join(start.trim()))
}

fn run(runtime: &Path) -> Result<Proof, Missing> {
    let kept = kept();
    if kept.as_ref().is_some_and(|path| path.exists()) {
        return Ok(Proof(()));
    }
    let machine = machine::builder(runtime.to_owned(), HEAP_SIZE).scratch_size(SCRATCH_SIZE).build();
    if let (Ok(_), Some(path)) = (&machine, kept) {
        // Whoever cannot write there tries again the next time.
        let _ = user_cache::make_private(path.parent().unwrap_or(&path)).and_then(|()| fs::write(&path, ""));
    }
    machine.map(|_| Proof(())).map_err(|error| {
        tracing::debug!(%error, "the probe failed");
        Missing {
            reason: format!("`{DEVICE}` is there, but cannot run a micro-VM: {error}"),
            hint: "in a virtual machine, have its host permit nested virtualisation; or use `wasm`",
        }
    })
}
