//! One micro-VM: how it is made, and the calls that the host makes into it.

use std::{fs, path::PathBuf, sync::Arc};

use hyperlight_host::{
    HostFunctions, HyperlightError, Result, Sandbox, SandboxBuilder, func::Registerable, hypervisor::InterruptHandle,
    sandbox::snapshot::Snapshot,
};
use tracing::level_filters::LevelFilter;

use super::{Exchange, Failure};
use crate::WarmUp;

/// Where the image's code lies in the micro-VM: behind everything that Hyperlight puts there itself.
const CODE_ADDRESS: u64 = 0x1_0000_0000;

/// What the runtime needs for itself. All of it is part of a snapshot.
const HEAP_SIZE: u64 = 16 << 20;

/// A message or its reply, and what they are wrapped in.
const BUFFER_SIZE: usize = 1 << 20;

const PAGE_SIZE: usize = 4096;

/// Two buffers in each direction. What the host sends takes one, and Hyperlight wants another to spare; what the guest sends
/// is a call and room for its reply.
const BUFFER_PAGES: usize = 2 * BUFFER_SIZE / PAGE_SIZE;

/// Hyperlight keeps a page of small buffers for what the guest sends.
const SMALL_BUFFER_PAGES: usize = 1;

/// What a guest may make the micro-VM need on top of its linear memory: a stack (32 MiB), tables, copies of what the
/// runtime writes to, and page tables.
const OVERHEAD: u64 = 64 << 20;

/// Everything above, and the version of what takes snapshots: a snapshot made with others is another one.
pub(super) fn settings() -> String {
    format!(
        "hyperlight 0.18.0, code at {CODE_ADDRESS:#x}, heap {HEAP_SIZE}, buffers {BUFFER_SIZE}, overhead {OVERHEAD}"
    )
}

/// Who made the processor: a snapshot holds registers of its kind.
pub(super) fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let vendor = text.lines().find_map(|line| line.strip_prefix("vendor_id")?.split_once(':'));
    vendor.map_or_else(String::new, |(_, vendor)| vendor.trim().to_owned())
}

/// What a micro-VM is made from.
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
    /// Starts a micro-VM and loads the image. It has room for guests with this much linear memory.
    pub(super) fn cold(files: &Files, memory: u64) -> Result<Self> {
        let exchange = Arc::<Exchange>::default();
        let mut sandbox = builder(files.runtime.path.clone(), HEAP_SIZE)
            .scratch_size(usize::try_from(memory.saturating_add(OVERHEAD))?)
            .host_functions(functions(&exchange)?)
            .mapped_file_cow(&files.code.path, CODE_ADDRESS)
            .build()?;
        let length = fs::metadata(&files.code.path)?.len();
        sandbox.call::<()>("load", (CODE_ADDRESS, length))?;
        Ok(Self { sandbox, exchange })
    }

    /// Starts a micro-VM in the state that a snapshot has.
    pub(super) fn from_snapshot(snapshot: &Arc<Snapshot>) -> Result<Self> {
        let exchange = Arc::<Exchange>::default();
        let sandbox = Sandbox::from_snapshot(Arc::clone(snapshot), functions(&exchange)?, None)?;
        Ok(Self { sandbox, exchange })
    }

    /// Runs a program and returns which pages it has written to since the last restore.
    pub(super) fn warm_up(&mut self, warm_up: &WarmUp) -> std::result::Result<Vec<u8>, Failure> {
        self.exchange.begin((warm_up.host)());
        let reply = self.run(&warm_up.message, u64::MAX);
        self.exchange.end();
        reply?;
        self.sandbox.call("touched", ()).map_err(Failure::Hyperlight)
    }

    /// Has the micro-VM note pages that [`Machine::touch`] will touch.
    pub(super) fn remember(&mut self, pages: Vec<u8>) -> Result<()> {
        self.sandbox.call("remember", (pages,))
    }

    /// Has the micro-VM copy what the next run is likely to write to, which otherwise that run would wait for.
    pub(super) fn touch(&mut self) -> Result<()> {
        self.sandbox.call("touch", ())
    }

    pub(super) fn snapshot(&mut self) -> Result<Arc<Snapshot>> {
        self.sandbox.snapshot()
    }

    /// Forgets everything since the snapshot, even if the micro-VM did not come to an end.
    pub(super) fn restore(&mut self, snapshot: &Arc<Snapshot>) -> Result<()> {
        self.sandbox.restore(Arc::clone(snapshot))
    }

    pub(super) fn interrupt(&self) -> Arc<dyn InterruptHandle> {
        self.sandbox.interrupt_handle()
    }

    pub(super) fn run(&mut self, message: &[u8], memory_limit: u64) -> std::result::Result<Vec<u8>, Failure> {
        self.sandbox.call("run", (message.to_vec(), memory_limit)).map_err(Failure::Hyperlight)
    }
}

/// A micro-VM that keeps its thoughts to itself: what the runtime would log is for its own developers.
pub(super) fn builder(runtime: PathBuf, heap: u64) -> SandboxBuilder {
    SandboxBuilder::from_file(runtime)
        .heap_size(heap)
        .h2g_buffer_size(BUFFER_SIZE)
        .g2h_buffer_size(BUFFER_SIZE)
        .h2g_pool_pages(BUFFER_PAGES)
        .g2h_pool_pages(BUFFER_PAGES + SMALL_BUFFER_PAGES)
        .guest_log_level(LevelFilter::OFF)
}

/// The one function that a micro-VM can call, and one that Hyperlight lends to all and that must not print here.
fn functions(exchange: &Arc<Exchange>) -> Result<HostFunctions> {
    let exchange = Arc::clone(exchange);
    let mut functions = HostFunctions::empty();
    functions
        .register_host_function("call", move |message: Vec<u8>| Ok::<_, HyperlightError>(exchange.answer(&message)))?;
    functions.register_host_function("HostPrint", |_: String| Ok::<_, HyperlightError>(0_i32))?;
    Ok(functions)
}
