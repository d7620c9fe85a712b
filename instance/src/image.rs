//! An image that is connected to the host, and its instances.

use alloc::{format, vec::Vec};
use core::fmt;

use isolette_abi::{GUEST_INTERFACE, HANDLE_LIMIT, HOST_INTERFACE, MESSAGE_LIMIT};
use wasmtime::{
    AsContextMut as _, Error, Result, Store,
    component::{Component, InstancePre, Linker, TypedFunc, WasmList},
};

use crate::{Failed, MemoryLimiter};

/// The host's side of an instance.
pub trait Host: 'static {
    /// Handles a message of the guest's and returns the reply.
    ///
    /// # Errors
    /// The reason why the guest has to end; [`Failed::error`] contains the same error.
    fn call(&self, message: &[u8]) -> Result<Vec<u8>>;

    /// The memory limit in bytes that has come with the last reply, if one has. Default: none.
    fn new_memory_limit(&self) -> Option<u64> {
        None
    }
}

/// The data of an instance's store.
#[derive(Debug)]
pub struct State<H> {
    /// The host's side.
    pub host: H,
    memory: MemoryLimiter,
}

/// The function `run` of an image.
type Run = TypedFunc<(Vec<u8>,), (Vec<u8>,)>;

/// An image that is ready to be instantiated.
pub struct Image<H: 'static>(InstancePre<State<H>>);

impl<H: Host> Image<H> {
    /// Connects an image to the host.
    ///
    /// # Errors
    /// If the image imports anything but the host call ABI.
    pub fn new(component: &Component) -> Result<Self> {
        let mut linker = Linker::<State<H>>::new(component.engine());
        linker.instance(HOST_INTERFACE)?.func_wrap("call", |mut store, (message,): (WasmList<u8>,)| {
            let host = &store.data().host;
            let reply = host.call(message.as_le_slice(&store))?;
            if let Some(limit) = host.new_memory_limit() {
                store.data_mut().memory.set_within(limit)?;
            }
            Ok((reply,))
        })?;
        linker.instantiate_pre(component).map(Self)
    }

    /// Creates the store of an instance, which the engine can configure before it passes it to [`Image::instantiate`].
    /// `memory_limit` is in bytes.
    pub fn store(&self, host: H, memory_limit: u64) -> Store<State<H>> {
        let state = State { host, memory: MemoryLimiter::new(memory_limit) };
        let mut store = Store::new(self.0.engine(), state);
        store.limiter(|state| &mut state.memory);
        store.set_max_component_handles(HANDLE_LIMIT);
        // Checked before anything is copied or read: a guest could pass all of its memory, again and again.
        store.set_hostcall_fuel(MESSAGE_LIMIT);
        store
    }

    /// Creates an instance with the state that the image was built with.
    ///
    /// # Errors
    /// If the instance cannot be created, or does not export the function `run`.
    pub fn instantiate(&self, mut store: Store<State<H>>) -> Result<Instance<H>, Failed> {
        match self.run(&mut store) {
            Ok(run) => Ok(Instance { store, run }),
            Err(error) => Err(failed(error, &store)),
        }
    }

    fn run(&self, store: &mut Store<State<H>>) -> Result<Run> {
        let instance = self.0.instantiate(store.as_context_mut())?;
        let function = instance
            .get_export_index(store.as_context_mut(), None, GUEST_INTERFACE)
            .and_then(|interface| instance.get_export_index(store.as_context_mut(), Some(&interface), "run"))
            .ok_or_else(|| Error::msg(format!("the image does not export the function `run` of {GUEST_INTERFACE}")))?;
        instance.get_typed_func(store, function)
    }
}

impl<H> fmt::Debug for Image<H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Image").finish_non_exhaustive()
    }
}

/// A live guest.
pub struct Instance<H: 'static> {
    /// The store of the instance.
    pub store: Store<State<H>>,
    run: Run,
}

impl<H: Host> Instance<H> {
    /// Runs one program to its end and returns the guest's reply.
    ///
    /// # Errors
    /// If the guest ended without a reply.
    pub fn run(&mut self, message: Vec<u8>) -> Result<Vec<u8>, Failed> {
        let Self { store, run } = self;
        run.call(&mut *store, (message,)).map(|(reply,)| reply).map_err(|error| failed(error, store))
    }

    /// Sets the memory limit in bytes, and returns whether the memory in use is within it.
    pub fn set_memory_limit(&mut self, limit: u64) -> bool {
        self.store.data_mut().memory.set(limit)
    }

    /// The peak memory so far, in bytes.
    pub fn memory_peak(&self) -> u64 {
        self.store.data().memory.peak()
    }
}

impl<H: fmt::Debug> fmt::Debug for Instance<H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Instance").field("host", &self.store.data().host).finish_non_exhaustive()
    }
}

fn failed<H>(error: Error, store: &Store<State<H>>) -> Failed {
    Failed { error, memory_refused: store.data().memory.has_refused() }
}
