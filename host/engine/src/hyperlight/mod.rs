//! Runs guests with Hyperlight: every instance in a micro-VM of its own.
//!
//! A micro-VM has no operating system, no devices and one exit: the host function `call`. Inside it runs the runtime of
//! the image, which runs the image's code. Starting all this takes long, so it is done once; then the memory is saved
//! as a snapshot, and every instance starts from it and shares the pages that it does not write to.
//!
//! Output of a micro-VM is as untrusted as output of a guest: a program that escapes from WebAssembly controls the
//! runtime from then on. So every reply is checked, and after anything unexpected the micro-VM's state is not used
//! again.

mod machine;
mod pool;
mod probe;
mod saved;

use std::{
    io::{Read, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::ThreadId,
};

use hyperlight_host::{HyperlightError, hypervisor::InterruptHandle};

pub(crate) use self::probe::{Proof, probe};
use self::{
    machine::{File, Files, Machine},
    pool::{Pools, Slot},
    saved::SavedMachine,
};
use super::{
    Engine, EngineError, GuestState, Instance, Missing, Progress, SharedHost, WarmUp,
    engine::is_out_of_memory,
    running::{Interrupt, Running},
};
use isolette_abi::runtime::{HostReply, RunReply};
use isolette_deadline::{Deadline, Stop};

/// An image that is ready to be started in micro-VMs.
#[derive(Debug)]
pub struct HyperlightImage {
    pools: Arc<Pools>,
    running: Arc<Running>,
    initial: Option<GuestState>,
}

impl HyperlightImage {
    /// Records the code and the runtime, each with its path and digest. No micro-VM is started yet.
    pub fn new(_: Proof, code: (&Path, &str), runtime: (&Path, &str), warm_up: WarmUp) -> Self {
        let file = |(path, sha256): (&Path, &str)| File { path: path.to_owned(), sha256: sha256.to_owned() };
        let files = Files { code: file(code), runtime: file(runtime) };
        Self { pools: Arc::new(Pools::new(files, warm_up)), running: Arc::default(), initial: None }
    }

    /// Has guests start in a state.
    #[must_use]
    pub fn start_in(self, state: GuestState) -> Self {
        Self { initial: Some(state), ..self }
    }

    /// `size` is the memory limit that the micro-VM was made for.
    fn instance(&self, machine: Machine, memory_limit: u64, size: u64) -> Box<dyn Instance> {
        Box::new(HyperlightInstance {
            machine: Some(machine),
            slot: None,
            pools: Arc::clone(&self.pools),
            running: Arc::clone(&self.running),
            memory_limit,
            size,
            memory_peak: 0,
        })
    }
}

impl Engine for HyperlightImage {
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let machine = self.pools.take(memory_limit).map_err(|error| {
            tracing::debug!(%error, "a micro-VM cannot be started");
            EngineError::NoCapacity(format!("the hypervisor refused one more micro-VM: {error}"))
        })?;
        Pools::refill_in_advance(&self.pools, memory_limit);
        Ok(self.instance(machine, memory_limit, memory_limit))
    }

    fn restore(&self, state: &GuestState, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let Some(saved) = state.saved::<SavedMachine>() else {
            return Err(EngineError::NotRestored(saved::of_another_isolation().reason));
        };
        if saved.key != self.pools.key(saved.memory_limit) {
            return Err(EngineError::NotRestored(saved::OTHER_MACHINE.into()));
        }
        let machine = Machine::from_snapshot(&saved.snapshot).map_err(|error| {
            tracing::debug!(%error, "a micro-VM cannot be started from the state of a guest");
            EngineError::NoCapacity(format!("the hypervisor refused one more micro-VM: {error}"))
        })?;
        // Its memory has the size that it was saved with.
        Ok(self.instance(machine, memory_limit.min(saved.memory_limit), saved.memory_limit))
    }

    fn initial_state(&self) -> Option<&GuestState> {
        self.initial.as_ref()
    }

    fn export(&self, state: &GuestState, out: &mut dyn Write) -> Result<(), Missing> {
        let saved = state.saved::<SavedMachine>().ok_or_else(saved::of_another_isolation)?;
        saved.write(out).map_err(|reason| Missing {
            reason: format!("the state of the micro-VM cannot be written: {reason}"),
            hint: "make room for temporary files",
        })
    }

    fn import(&self, input: &mut dyn Read, _: u64, is_trusted: bool) -> Result<GuestState, EngineError> {
        if !is_trusted {
            let reason = "it is of a micro-VM, whose whole state would be trusted, and its origin is not known";
            return Err(EngineError::NotRestored(reason.into()));
        }
        let machine = SavedMachine::read(input, |memory_limit| self.pools.key(memory_limit));
        machine.map(GuestState::new).map_err(EngineError::NotRestored)
    }

    fn threads(&self, memory_limit: u64) -> Vec<ThreadId> {
        self.pools.threads(memory_limit)
    }

    fn keep_ready(&self, memory_limit: u64, count: usize) {
        // Micro-VMs that are ready are in the state of the image as it was built.
        if self.initial.is_none() {
            self.pools.keep_ready(memory_limit, count);
        }
    }

    fn release_ready(&self, memory_limit: u64, count: usize) {
        if self.initial.is_none() {
            self.pools.release_ready(memory_limit, count);
        }
    }

    fn fill(&self, memory_limit: u64) {
        self.pools.fill(memory_limit);
    }

    fn ready(&self, memory_limit: u64) -> usize {
        self.pools.ready(memory_limit)
    }

    fn wake(&self) {
        self.running.end_late();
    }
}

struct HyperlightInstance {
    /// `Some` until the end, unless the host's own code panicked while the micro-VM was running.
    machine: Option<Machine>,
    /// The slot in the pool to which the micro-VM returns.
    slot: Option<Slot>,
    pools: Arc<Pools>,
    running: Arc<Running>,
    memory_limit: u64,
    /// The memory limit that the micro-VM was made for.
    size: u64,
    memory_peak: u64,
}

impl HyperlightInstance {
    /// Continues the micro-VM until its program ends or is paused.
    fn advance(
        &mut self,
        host: SharedHost,
        deadline: &Deadline,
        call: impl FnOnce(&mut Machine) -> Result<Vec<u8>, Failure>,
    ) -> Result<Progress, EngineError> {
        let mut machine = self.machine.take().ok_or_else(|| EngineError::Crashed("the micro-VM is gone".into()))?;
        machine.exchange.begin(host);
        let run = self.running.enter(machine.interrupt(), deadline.clone());
        // A search for late runs before this run was listed did not find it.
        let reply = match deadline.check() {
            Ok(()) => call(&mut machine),
            Err(stop) => Err(Failure::Stopped(stop)),
        };
        drop(run);
        let (is_paused, stop) = match machine.exchange.end() {
            Some(Stop::Paused) => (true, None),
            stop => (false, stop),
        };
        let outcome = reply.map_err(|failure| failure.classify(stop, deadline)).and_then(|reply| {
            if reply.is_empty() && is_paused {
                return Ok(Progress::Paused);
            }
            let reply = RunReply::decode(reply).map_err(|_| EngineError::Stopped(Stop::Malformed))?;
            self.memory_peak = reply.memory_peak;
            reply.result.map(Progress::Ended).map_err(|failure| EngineError::new(failure, stop))
        });
        // After a failure that no ordinary guest causes, the micro-VM is not restored for another guest.
        if !matches!(outcome, Err(EngineError::Crashed(_) | EngineError::Stopped(Stop::Malformed))) {
            self.machine = Some(machine);
        }
        outcome
    }
}

impl Instance for HyperlightInstance {
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError> {
        let memory_limit = self.memory_limit;
        self.advance(host, &deadline, |machine| machine.run(message, memory_limit))
    }

    fn resume(&mut self, host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError> {
        let reply = lock(&host).resume();
        let memory_limit = self.memory_limit;
        match reply {
            Ok(reply) => self.advance(host, &deadline, |machine| machine.resume(&reply, memory_limit)),
            Err(Stop::Paused) => Ok(Progress::Paused),
            Err(stop) => Err(EngineError::Stopped(stop)),
        }
    }

    fn save(&mut self) -> Result<GuestState, Missing> {
        let unusable = |reason: String| Missing { reason, hint: "start another guest" };
        let machine = self.machine.as_mut().ok_or_else(|| unusable("the micro-VM has ended".into()))?;
        let snapshot =
            machine.snapshot().map_err(|error| unusable(format!("the micro-VM cannot be saved: {error}")))?;
        let (memory_limit, key) = (self.size, self.pools.key(self.size));
        Ok(GuestState::new(SavedMachine { snapshot, memory_limit, key }))
    }

    fn memory_peak(&self) -> u64 {
        self.memory_peak
    }

    fn retire(&mut self) {
        self.slot = self.machine.as_ref().and_then(|_| self.pools.reserve(self.size));
    }
}

impl Drop for HyperlightInstance {
    fn drop(&mut self) {
        let Some(machine) = self.machine.take() else { return };
        let slot = self.slot.take().or_else(|| self.pools.reserve(self.size));
        if let Some(slot) = slot {
            slot.put_back(machine);
        }
    }
}

/// Interrupts one micro-VM.
struct MachineInterrupt {
    processor: Arc<dyn InterruptHandle>,
    exchange: Arc<Exchange>,
}

impl std::fmt::Debug for MachineInterrupt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MachineInterrupt").field("exchange", &self.exchange).finish_non_exhaustive()
    }
}

impl Interrupt for MachineInterrupt {
    fn is_in_call(&self) -> bool {
        self.exchange.in_call.load(Ordering::Acquire)
    }

    fn interrupt(&self) -> bool {
        self.processor.kill()
    }
}

/// The reason why there is no reply.
enum Failure {
    Stopped(Stop),
    Hyperlight(HyperlightError),
}

impl Failure {
    fn classify(self, stop: Option<Stop>, deadline: &Deadline) -> EngineError {
        let error = match self {
            Self::Stopped(stop) => return EngineError::Stopped(stop),
            Self::Hyperlight(error) => error,
        };
        tracing::debug!(%error, "a micro-VM ended");
        match error {
            HyperlightError::ExecutionCanceledByHost() => {
                EngineError::Stopped(stop.or_else(|| deadline.check().err()).unwrap_or(Stop::Deadline))
            }
            // The runtime found no memory, for pages or for itself.
            HyperlightError::GuestAborted(_, text)
                if text.contains("Out of physical memory") || is_out_of_memory(&text) =>
            {
                EngineError::OutOfMemory
            }
            HyperlightError::GuestAborted(..) => {
                EngineError::Crashed("the runtime inside the micro-VM ended unexpectedly".into())
            }
            _ => EngineError::Crashed("the micro-VM ended unexpectedly, or sent an invalid reply".into()),
        }
    }
}

/// The host's side of one micro-VM: the current handler of its host calls.
#[derive(Default)]
struct Exchange {
    host: std::sync::Mutex<Option<SharedHost>>,
    stop: std::sync::Mutex<Option<Stop>>,
    /// Whether the micro-VM is waiting for the host.
    in_call: AtomicBool,
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Exchange").field("in_call", &self.in_call).finish_non_exhaustive()
    }
}

fn lock<T: ?Sized>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Exchange {
    fn begin(&self, host: SharedHost) {
        *lock(&self.host) = Some(host);
        *lock(&self.stop) = None;
    }

    /// Returns why the host ended the run, if it did.
    fn end(&self) -> Option<Stop> {
        *lock(&self.host) = None;
        lock(&self.stop).take()
    }

    /// Handles a message and returns the encoded [`HostReply`].
    fn answer(&self, message: &[u8]) -> Vec<u8> {
        // A runtime that makes a host call while no run is active has no handler.
        let Some(host) = lock(&self.host).clone() else { return HostReply::<&[u8]>::Stop.encode() };
        self.in_call.store(true, Ordering::Release);
        let result = lock(&host).call(message);
        self.in_call.store(false, Ordering::Release);
        match result {
            Ok(reply) => HostReply::Reply(reply),
            Err(stop) => {
                *lock(&self.stop) = Some(stop);
                if stop == Stop::Paused { HostReply::Pause } else { HostReply::Stop }
            }
        }
        .encode()
    }
}
