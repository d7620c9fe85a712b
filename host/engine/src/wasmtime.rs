//! Runs guests with Wasmtime, in this process.
//!
//! Images are compiled ahead of time and mapped from disk; instances share their memory image copy-on-write and come
//! from a pool. This is the only module with `unsafe` code: loading machine code relies on trust, which types cannot
//! express.

#![expect(
    unsafe_code,
    reason = "ahead-of-time code is trusted like a binary; the image was checked before it is loaded"
)]

use std::{
    path::Path,
    sync::{OnceLock, PoisonError},
};

use ::wasmtime::{
    Config, Engine as WasmtimeEngine, InstanceAllocationStrategy, PoolingAllocationConfig, ResourceLimiter, Store,
    StoreContext, Trap, UpdateDeadline,
    component::{Component, InstancePre, Linker, TypedFunc, WasmList},
};
use isolette_abi::{HANDLE_LIMIT, MESSAGE_LIMIT};

use crate::{Engine, EngineError, Instance, SharedHost, stack::GUEST_STACK};
use isolette_deadline::{Deadline, Stop};

/// Maximum number of concurrent instances in this process. Each reserves address space (4 GiB per memory), not memory.
const INSTANCES: u32 = 512;

/// A CPython image has some twenty core instances: the interpreter's shared libraries, the adapter, the entry point,
/// and those that the composition adds between them.
const CORE_INSTANCES_PER_INSTANCE: u32 = 60;
const MEMORIES_PER_INSTANCE: u32 = 6;
const TABLES_PER_INSTANCE: u32 = 16;

/// Returns the settings that code compiled ahead of time and the engine that loads it must share.
///
/// Public for the tool that builds images; not part of the interface of this crate.
pub fn compilation_settings() -> Config {
    let mut config = Config::new();
    config.wasm_component_model(true);
    config.epoch_interruption(true);
    // Native backtraces of a guest are not used, and the tables for them are a fifth of the file.
    config.generate_address_map(false);
    config.native_unwind_info(false);
    config.wasm_backtrace(false);
    // By default an environment variable decides, and code would only load where it has the same value.
    config.wasm_backtrace_details(::wasmtime::WasmBacktraceDetails::Disable);
    config.max_wasm_stack(GUEST_STACK);
    config
}

fn engine() -> Result<&'static WasmtimeEngine, String> {
    static ENGINE: OnceLock<Result<WasmtimeEngine, String>> = OnceLock::new();
    ENGINE
        .get_or_init(|| {
            let mut pool = PoolingAllocationConfig::new();
            pool.total_component_instances(INSTANCES)
                .total_core_instances(INSTANCES * CORE_INSTANCES_PER_INSTANCE)
                .total_memories(INSTANCES * MEMORIES_PER_INSTANCE)
                .total_tables(INSTANCES * TABLES_PER_INSTANCE)
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
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// A loaded image.
pub struct WasmtimeImage {
    engine: WasmtimeEngine,
    prepared: InstancePre<State>,
}

impl std::fmt::Debug for WasmtimeImage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WasmtimeImage").finish_non_exhaustive()
    }
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
        let component = unsafe { Component::deserialize_file(engine, path) }.map_err(|error| format!("{error:#}"))?;
        let mut linker = Linker::<State>::new(engine);
        let prepared = (|| {
            linker.instance("isolette:waist/host@0.1.0")?.func_wrap("call", |store, (message,): (WasmList<u8>,)| {
                // An image that makes a host call while it is instantiated has no handler.
                let host = store.data().host.as_ref().ok_or(Stop::Malformed)?;
                let mut host = host.lock().unwrap_or_else(PoisonError::into_inner);
                Ok((host.call(within_limit(&message, &store)?)?,))
            })?;
            linker.instantiate_pre(&component)
        })()
        .map_err(|error| format!("{error:#}"))?;
        Ok(Self { engine: engine.clone(), prepared })
    }
}

impl Engine for WasmtimeImage {
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let mut store = Store::new(&self.engine, State::new(memory_limit));
        store.limiter(|state| &mut state.memory);
        store.set_max_component_handles(HANDLE_LIMIT);
        // One tick triggers the callback, which decides.
        store.set_epoch_deadline(1);
        let check = |deadline: &Deadline| {
            deadline.look();
            deadline.check()
        };
        store.epoch_deadline_callback(move |store| match store.data().deadline.as_ref().map(check) {
            Some(Err(stop)) => Err(stop.into()),
            _ => Ok(UpdateDeadline::Continue(1)),
        });
        let instance = self.prepared.instantiate(&mut store).map_err(|error| classify(&error, &store))?;
        let run = (|| {
            let interface = instance.get_export_index(&mut store, None, "isolette:waist/guest@0.1.0")?;
            let function = instance.get_export_index(&mut store, Some(&interface), "run")?;
            instance.get_typed_func(&mut store, function).ok()
        })()
        .ok_or_else(|| EngineError::Crashed("the image does not export isolette:waist/guest.run".into()))?;
        Ok(Box::new(WasmtimeInstance { store, run }))
    }

    fn wake(&self) {
        self.engine.increment_epoch();
    }
}

struct WasmtimeInstance {
    store: Store<State>,
    run: TypedFunc<(Vec<u8>,), (WasmList<u8>,)>,
}

impl Instance for WasmtimeInstance {
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Vec<u8>, EngineError> {
        let state = self.store.data_mut();
        state.host = Some(host);
        state.deadline = Some(deadline.clone());
        self.store.set_epoch_deadline(1);
        deadline.look();
        // An earlier call of `wake` did not affect this run, because it had not started.
        let result = deadline.check().map_err(Into::into).and_then(|()| {
            let (reply,) = self.run.call(&mut self.store, (message.to_vec(),))?;
            let reply = within_limit(&reply, &self.store)?.to_vec();
            self.run.post_return(&mut self.store).map(|()| reply)
        });
        let state = self.store.data_mut();
        state.host = None;
        state.deadline = None;
        result.map_err(|error| classify(&error, &self.store))
    }

    fn memory_peak(&self) -> u64 {
        self.store.data().memory.peak
    }
}

/// Reads a message of the guest's. The length is checked first: a guest could pass all of its memory, again and again.
fn within_limit<'a>(message: &'a WasmList<u8>, store: impl Into<StoreContext<'a, State>>) -> Result<&'a [u8], Stop> {
    if message.len() > MESSAGE_LIMIT {
        return Err(Stop::Malformed);
    }
    Ok(message.as_le_slice(store))
}

/// The store data of an instance.
struct State {
    host: Option<SharedHost>,
    deadline: Option<Deadline>,
    memory: Memory,
}

impl State {
    fn new(limit: u64) -> Self {
        Self { host: None, deadline: None, memory: Memory { limit, used: 0, peak: 0, refused: false } }
    }
}

/// All linear memories of an instance together, in bytes.
struct Memory {
    limit: u64,
    used: u64,
    peak: u64,
    refused: bool,
}

impl ResourceLimiter for Memory {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> ::wasmtime::Result<bool> {
        let used = self.used + (desired.saturating_sub(current)) as u64;
        if used > self.limit {
            self.refused = true;
            return Ok(false);
        }
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> ::wasmtime::Result<bool> {
        Ok(maximum.is_none_or(|maximum| desired <= maximum))
    }
}

fn classify(error: &::wasmtime::Error, store: &Store<State>) -> EngineError {
    if let Some(stop) = error.downcast_ref::<Stop>() {
        return EngineError::Stopped(*stop);
    }
    if error.is::<::wasmtime::PoolConcurrencyLimitError>() {
        return EngineError::NoCapacity(format!("{error:#}"));
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => EngineError::StackOverflow,
        // An interpreter that gets no memory and cannot report it in its own language aborts.
        _ if store.data().memory.refused => EngineError::OutOfMemory,
        // The stack that C code keeps in linear memory is at its bottom, so an overflow ends here and does not reach
        // other data.
        Some(Trap::MemoryOutOfBounds) => {
            EngineError::Crashed("memory access out of bounds, as when calls are nested too deeply".into())
        }
        Some(trap) => EngineError::Crashed(trap.to_string()),
        None => EngineError::Crashed(format!("{error:#}")),
    }
}
