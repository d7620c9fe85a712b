//! One micro-VM: its creation, and the calls that the host makes into it.

use std::{fs, path::PathBuf, sync::Arc};

use hyperlight_host::{
    HostFunctions, HyperlightError, Result, Sandbox, SandboxBuilder, func::Registerable, sandbox::snapshot::Snapshot,
};
use isolette_abi::runtime::{HostReply, functions};
use isolette_instance::GUEST_STACK;
use tracing::level_filters::LevelFilter;

use super::{Exchange, Failure, MachineInterrupt};
use crate::{WarmUp, running::Interrupt};

/// Address of the image's code in the micro-VM, beyond everything that Hyperlight maps itself.
const CODE_ADDRESS: u64 = 0x1_0000_0000;

/// Heap size of the runtime in bytes. All of it is part of a snapshot.
const HEAP_SIZE: u64 = 16 << 20;

/// Size in bytes of a buffer for a message or its reply, with their envelope.
const BUFFER_SIZE: usize = 1 << 20;

const PAGE_SIZE: usize = 4096;

/// Two buffers in each direction. A message of the host takes one, and Hyperlight requires a spare one; the guest sends
/// a call and reserves space for its reply.
const BUFFER_PAGES: usize = 2 * BUFFER_SIZE / PAGE_SIZE;

/// Hyperlight reserves a page of small buffers for messages of the guest.
const SMALL_BUFFER_PAGES: usize = 1;

/// Memory in bytes that a guest may use in the micro-VM in addition to its linear memory: a stack, and 32 MiB for tables,
/// copies of pages that the runtime writes to, and page tables.
const OVERHEAD: u64 = GUEST_STACK as u64 + (32 << 20);

/// The most bytes of a micro-VM whose guests have this much linear memory.
pub(super) const fn size_limit(memory: u64) -> u64 {
    memory.saturating_add(OVERHEAD).saturating_add(HEAP_SIZE)
}

/// All settings above, and the version of the library that takes snapshots. They are part of the key of a snapshot.
pub(super) fn settings() -> String {
    format!(
        "hyperlight 0.18.0, code at {CODE_ADDRESS:#x}, heap {HEAP_SIZE}, buffers {BUFFER_SIZE}, overhead {OVERHEAD}"
    )
}

/// The vendor of the processor. A snapshot contains registers that depend on it.
pub(super) fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let vendor = text.lines().find_map(|line| line.strip_prefix("vendor_id")?.split_once(':'));
    vendor.map_or_else(String::new, |(_, vendor)| vendor.trim().to_owned())
}

/// The files from which a micro-VM is created.
#[derive(Debug)]
pub(super) struct Files {
    pub code: File,
    pub runtime: File,
}

/// A file of an image, and its digest in the manifest.
#[derive(Debug)]
pub(super) struct File {
    pub path: PathBuf,
    pub sha256: String,
}

/// A micro-VM with an image in it.
pub(super) struct Machine {
    sandbox: Sandbox,
    pub(super) exchange: Arc<Exchange>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Machine").field("exchange", &self.exchange).finish_non_exhaustive()
    }
}

impl Machine {
    /// Starts a micro-VM and loads the image. `memory` is the maximum linear memory of its guests in bytes.
    pub(super) fn cold(files: &Files, memory: u64) -> Result<Self> {
        let exchange = Arc::<Exchange>::default();
        let mut sandbox = builder(files.runtime.path.clone(), HEAP_SIZE)
            .scratch_size(usize::try_from(memory.saturating_add(OVERHEAD))?)
            .host_functions(host_functions(&exchange)?)
            .mapped_file_cow(&files.code.path, CODE_ADDRESS)
            .build()?;
        let length = fs::metadata(&files.code.path)?.len();
        sandbox.call::<()>(functions::LOAD, (CODE_ADDRESS, length))?;
        Ok(Self { sandbox, exchange })
    }

    /// Starts a micro-VM in the state of a snapshot.
    pub(super) fn from_snapshot(snapshot: &Arc<Snapshot>) -> Result<Self> {
        let exchange = Arc::<Exchange>::default();
        let sandbox = Sandbox::from_snapshot(Arc::clone(snapshot), host_functions(&exchange)?, None)?;
        Ok(Self { sandbox, exchange })
    }

    /// Runs the warm-up and returns which pages it has written to since the last restore.
    pub(super) fn warm_up(&mut self, warm_up: &WarmUp) -> std::result::Result<Vec<u8>, Failure> {
        self.exchange.begin((warm_up.host)());
        let reply = self.run(&warm_up.message, u64::MAX);
        self.exchange.end();
        reply?;
        self.sandbox.call(functions::WRITTEN_PAGES, ()).map_err(Failure::Hyperlight)
    }

    /// Sets the pages that [`Machine::prefault`] copies.
    pub(super) fn set_prefault_pages(&mut self, pages: Vec<u8>) -> Result<()> {
        self.sandbox.call(functions::SET_PREFAULT_PAGES, (pages,))
    }

    /// Makes the micro-VM copy the pages that the next run is likely to write to, so that the run does not have to wait
    /// for it.
    pub(super) fn prefault(&mut self) -> Result<()> {
        self.sandbox.call(functions::PREFAULT, ())
    }

    pub(super) fn snapshot(&mut self) -> Result<Arc<Snapshot>> {
        self.sandbox.snapshot()
    }

    /// Discards all state since the snapshot, even if the micro-VM did not end normally.
    pub(super) fn restore(&mut self, snapshot: &Arc<Snapshot>) -> Result<()> {
        self.sandbox.restore(Arc::clone(snapshot))
    }

    pub(super) fn interrupt(&self) -> Arc<dyn Interrupt> {
        let (processor, exchange) = (self.sandbox.interrupt_handle(), Arc::clone(&self.exchange));
        Arc::new(MachineInterrupt { processor, exchange })
    }

    /// Continues the program that is paused with the reply for which it waits.
    pub(super) fn resume(&mut self, reply: &[u8], memory_limit: u64) -> std::result::Result<Vec<u8>, Failure> {
        let reply = HostReply::ReplyAfterPause(memory_limit, reply).encode();
        self.sandbox.call(functions::RESUME, (reply,)).map_err(Failure::Hyperlight)
    }

    pub(super) fn run(&mut self, message: &[u8], memory_limit: u64) -> std::result::Result<Vec<u8>, Failure> {
        self.sandbox.call(functions::RUN, (message.to_vec(), memory_limit)).map_err(Failure::Hyperlight)
    }
}

/// A builder of micro-VMs with guest logging disabled: the runtime's log is for its own developers.
pub(super) fn builder(runtime: PathBuf, heap: u64) -> SandboxBuilder {
    SandboxBuilder::from_file(runtime)
        .heap_size(heap)
        .h2g_buffer_size(BUFFER_SIZE)
        .g2h_buffer_size(BUFFER_SIZE)
        .h2g_pool_pages(BUFFER_PAGES)
        .g2h_pool_pages(BUFFER_PAGES + SMALL_BUFFER_PAGES)
        .guest_log_level(LevelFilter::OFF)
}

/// The one function that a micro-VM can call, and one that Hyperlight registers for all micro-VMs and that must not
/// print here.
fn host_functions(exchange: &Arc<Exchange>) -> Result<HostFunctions> {
    let exchange = Arc::clone(exchange);
    let answer = move |message: Vec<u8>| Ok::<_, HyperlightError>(exchange.answer(&message));
    let mut host = HostFunctions::empty();
    host.register_host_function(functions::CALL, answer)?;
    host.register_host_function("HostPrint", |_: String| Ok::<_, HyperlightError>(0_i32))?;
    Ok(host)
}
