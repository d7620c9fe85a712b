//! Runs guests with Wasmtime, in this process.
//!
//! Images are compiled ahead of time and mapped from disk; instances share their memory image copy-on-write and come
//! from a pool. Loading machine code relies on trust, which types cannot express, so this module has `unsafe` code.

#![expect(
    unsafe_code,
    reason = "ahead-of-time code is trusted like a binary; the image was checked before it is loaded"
)]

use std::{
    path::Path,
    sync::{OnceLock, PoisonError},
};

use ::wasmtime::{
    Config, Engine as WasmtimeEngine, InstanceAllocationStrategy, PoolConcurrencyLimitError, PoolingAllocationConfig,
    UpdateDeadline, component::Component,
};
use isolette_deadline::{Deadline, Stop};
use isolette_instance::Failed;

use crate::{Engine, EngineError, Instance, Progress, SharedHost};

/// Maximum number of concurrent instances in this process, and the number where the system refuses address space for so many.
/// Each reserves address space (4 GiB per memory), not memory. More would come near to the 65,530 mappings that Linux permits a
/// process by default: a Python instance has 18, and a host without mappings has no memory for itself.
const INSTANCES: [u32; 2] = [2048, 512];

/// A CPython image has some twenty core instances: the interpreter's shared libraries, the adapter, the entry point,
/// and those that the composition adds between them.
const CORE_INSTANCES_PER_INSTANCE: u32 = 60;
const MEMORIES_PER_INSTANCE: u32 = 6;
const TABLES_PER_INSTANCE: u32 = 16;

/// Returns the settings that code compiled ahead of time and the engine that loads it must share.
///
/// Public for the tool that builds images; not part of the interface of this crate.
pub fn compilation_settings() -> Config {
    let mut config = isolette_instance::settings();
    config.epoch_interruption(true);
    // Tables for native backtraces are a fifth of the file.
    config.generate_address_map(false);
    config.native_unwind_info(false);
    // By default an environment variable decides, and code would only load where it has the same value.
    config.wasm_backtrace_details(::wasmtime::WasmBacktraceDetails::Disable);
    config
}

fn engine() -> Result<&'static WasmtimeEngine, String> {
    static ENGINE: OnceLock<Result<WasmtimeEngine, String>> = OnceLock::new();
    let [most, fewer] = INSTANCES;
    let start = || {
        engine_for(most).or_else(|reason| {
            tracing::warn!(reason, guests = fewer, "this system has no addresses for {most} guests in one process");
            engine_for(fewer)
        })
    };
    ENGINE.get_or_init(start).as_ref().map_err(Clone::clone)
}

fn engine_for(instances: u32) -> Result<WasmtimeEngine, String> {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(instances)
        .total_core_instances(instances * CORE_INSTANCES_PER_INSTANCE)
        .total_memories(instances * MEMORIES_PER_INSTANCE)
        .total_tables(instances * TABLES_PER_INSTANCE)
        .max_core_instances_per_component(CORE_INSTANCES_PER_INSTANCE)
        .max_memories_per_component(MEMORIES_PER_INSTANCE)
        .max_tables_per_component(TABLES_PER_INSTANCE)
        .max_core_instance_size(4 << 20)
        .max_component_instance_size(4 << 20)
        .table_elements(100_000)
        .max_memory_size(4 << 30)
        .linear_memory_keep_resident(0)
        .table_keep_resident(64 << 10);
    let mut config = compilation_settings();
    config.memory_init_cow(true);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    WasmtimeEngine::new(&config).map_err(|error| format!("{error:#}"))
}

/// A loaded image.
#[derive(Debug)]
pub struct WasmtimeImage {
    engine: WasmtimeEngine,
    image: isolette_instance::Image<Host>,
}

impl WasmtimeImage {
    /// Maps ahead-of-time code whose digest has been checked.
    ///
    /// # Errors
    /// A text that says why the code cannot be loaded.
    pub fn load(path: &Path) -> Result<Self, String> {
        let engine = engine()?;
        // SAFETY: the caller has compared the file with the digest in the image's manifest, and an image is trusted
        // like a binary (documented in `Image`). Wasmtime itself rejects code of another version or with other
        // settings.
        let component = unsafe { Component::deserialize_file(engine, path) };
        let image = component.and_then(|component| isolette_instance::Image::new(&component));
        Ok(Self { engine: engine.clone(), image: image.map_err(|error| format!("{error:#}"))? })
    }
}

impl Engine for WasmtimeImage {
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let mut store = self.image.store(Host::default(), memory_limit);
        // One tick triggers the callback, which decides.
        store.set_epoch_deadline(1);
        let check = |deadline: &Deadline| {
            deadline.look();
            deadline.check()
        };
        store.epoch_deadline_callback(move |store| match store.data().host.deadline.as_ref().map(check) {
            Some(Err(stop)) => Err(stop.into()),
            _ => Ok(UpdateDeadline::Continue(1)),
        });
        let instance =
            self.image.instantiate(store).map_err(|failed| refused(&failed).unwrap_or_else(|| classify(&failed)))?;
        Ok(Box::new(WasmtimeInstance(instance)))
    }

    fn wake(&self) {
        self.engine.increment_epoch();
    }
}

struct WasmtimeInstance(isolette_instance::Instance<Host>);

impl Instance for WasmtimeInstance {
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError> {
        let Self(instance) = self;
        instance.store.data_mut().host = Host { handler: Some(host), deadline: Some(deadline.clone()) };
        instance.store.set_epoch_deadline(1);
        deadline.look();
        // An earlier call of `wake` did not affect this run, because it had not started.
        let result = match deadline.check() {
            Ok(()) => instance.run(message.to_vec()).map_err(|failed| classify(&failed)),
            Err(stop) => Err(EngineError::Stopped(stop)),
        };
        instance.store.data_mut().host = Host::default();
        result.map(Progress::Ended)
    }

    fn memory_peak(&self) -> u64 {
        self.0.memory_peak()
    }
}

/// The host's side of an instance, which is set during a run.
#[derive(Default)]
struct Host {
    handler: Option<SharedHost>,
    deadline: Option<Deadline>,
}

impl isolette_instance::Host for Host {
    fn call(&self, message: &[u8]) -> ::wasmtime::Result<Vec<u8>> {
        // An image that makes a host call while it is instantiated has no handler.
        let handler = self.handler.as_ref().ok_or(Stop::Malformed)?;
        let mut handler = handler.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(handler.call(message)?)
    }
}

/// Returns why the system refused an instance, if it did. No program has run in it yet.
fn refused(failed: &Failed) -> Option<EngineError> {
    let reason = failed.error.root_cause().to_string();
    // The number of ENOMEM: there is no room for another mapping.
    reason.ends_with("(os error 12)").then(|| EngineError::NoCapacity(format!("the system refused memory: {reason}")))
}

fn classify(failed: &Failed) -> EngineError {
    let error = &failed.error;
    if let Some(stop) = error.downcast_ref::<Stop>() {
        return EngineError::Stopped(*stop);
    }
    if error.is::<PoolConcurrencyLimitError>() {
        return EngineError::NoCapacity(format!("{error:#}"));
    }
    EngineError::new(failed.classify(), None)
}
