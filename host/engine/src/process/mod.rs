//! Runs guests in processes of their own, which can do nothing but talk to this one.
//!
//! For each image there is one process that has loaded it, the fork server. It starts a copy of itself for each guest, and
//! the copy is locked in by a filter of system calls before the guest runs: it can read and write one socket, and make memory
//! of its own accessible. So a guest starts in the state that the image was built with, and shares the pages that it does
//! not write to.
//!
//! Data from a process is as untrusted as data from a guest: a program that escapes from WebAssembly controls the
//! runtime from then on. So every frame is checked, and after anything unexpected the process is killed.

mod ahead;
mod calls;
mod fork_server;
mod frames;
mod handle;
mod instance;
mod large_pages;
mod loaded;
mod mapped;
mod memory;
mod pages;
mod placement;
mod pool;
mod portable;
mod processors;
mod provided_memory;
mod sealing;
mod shared_memory;
mod spinning;
mod starter;

use std::{
    io::{self, Read, Write},
    path::Path,
    sync::Arc,
};

use isolette_instance::GUEST_STACK;

use self::{
    ahead::Ahead,
    fork_server::Files,
    frames::Process,
    instance::ProcessInstance,
    memory::Memory,
    pool::{Pool, RestoreError},
    portable::Base,
};
use super::{Engine, EngineError, GuestState, Instance, Missing, WarmUp, running::Running, state::SavedState};

/// Memory in bytes that a process may write to in addition to the guest's: a stack, and 92 MiB for the heap of the runtime, tables
/// and what else it maps.
const OVERHEAD: u64 = GUEST_STACK as u64 + (96 << 20);

/// An image that a process has loaded.
#[derive(Debug)]
pub struct ProcessImage {
    pool: Arc<Pool>,
    running: Arc<Running>,
    initial: Option<GuestState>,
}

impl ProcessImage {
    /// Loads the image in a process, and starts a first guest, which shows that this system permits it. Each file comes with its
    /// digest, which has been compared with the manifest.
    pub fn new(code: (&Path, &str), runtime: (&Path, &str), warm_up: WarmUp) -> Result<Self, Missing> {
        let start = || Pool::new(Files::open(code, runtime)?, warm_up);
        let pool = start().map_err(|reason: String| Missing {
            reason,
            hint: "permit this program to start processes and to filter their system calls (seccomp); or use `wasm`",
        })?;
        Ok(Self { pool: Arc::new(pool), running: Arc::default(), initial: None })
    }

    /// Has guests start in a state. Processes that are ready start in it, too.
    #[must_use]
    pub fn start_in(self, state: GuestState) -> Self {
        self.pool.start_in(state.clone());
        Self { initial: Some(state), ..self }
    }

    /// Makes an instance of a process, once the process is locked in.
    fn instance(
        &self,
        started: Result<Process, String>,
        memory_limit: u64,
        origin: Option<GuestState>,
    ) -> Result<Box<dyn Instance>, EngineError> {
        let mut process = started
            .map_err(|reason| EngineError::NoCapacity(format!("the system refused one more process: {reason}")))?;
        // The process sets a limit of its own before it is ready, which would be above this one.
        if let Err(broken) = process.wait_until_ready() {
            return Err(EngineError::NoCapacity(format!("a process cannot be locked in: {broken:?}")));
        }
        if let Err(error) = process.handle.limit_memory(memory_limit.saturating_add(OVERHEAD)) {
            return Err(EngineError::NoCapacity(format!("the memory of a process cannot be limited: {error}")));
        }
        Ok(Box::new(ProcessInstance {
            process: Some(process),
            pool: Arc::clone(&self.pool),
            running: Arc::clone(&self.running),
            memory_limit,
            memory_peak: 0,
            origin,
        }))
    }
}

impl Engine for ProcessImage {
    fn instantiate(&self, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let process = self.pool.take();
        Pool::refill_in_advance(&self.pool);
        self.instance(process, memory_limit, None)
    }

    fn restore(&self, state: &GuestState, memory_limit: u64) -> Result<Box<dyn Instance>, EngineError> {
        let Some(saved) = state.saved::<SavedProcess>() else {
            return Err(EngineError::NotRestored(of_another_isolation().reason));
        };
        let (limit, used) = (memory_limit.saturating_add(OVERHEAD), saved.memory.accessible_bytes());
        if used > limit {
            return Err(EngineError::NotRestored(format!(
                "the state has {used} bytes of memory, and the limit leaves {limit}, with what the runtime needs"
            )));
        }
        if self.initial.as_ref().is_some_and(|initial| initial.is(state)) {
            let ready = self.pool.take_ready();
            Pool::refill_in_advance(&self.pool);
            if let Some(process) = ready {
                return self.instance(Ok(process), memory_limit, Some(state.clone()));
            }
        }
        let started = if self.pool.is_own() { saved.ahead.take() } else { None };
        ahead::fill(&self.pool, state);
        let restored = || self.pool.restore(&saved.memory, &saved.base, limit);
        let process = match started.map_or_else(restored, Ok) {
            Ok(process) => Ok(process),
            Err(RestoreError::Refused(reason)) => Err(reason),
            Err(RestoreError::OtherBase) => return Err(EngineError::NotRestored(OTHER_BASE.into())),
            Err(RestoreError::Unreadable(error)) => return Err(EngineError::NotRestored(unreadable(&error).reason)),
        };
        self.instance(process, memory_limit, Some(state.clone()))
    }

    fn initial_state(&self) -> Option<&GuestState> {
        self.initial.as_ref()
    }

    fn export(&self, state: &GuestState, out: &mut dyn Write) -> Result<(), Missing> {
        let saved = state.saved::<SavedProcess>().ok_or_else(of_another_isolation)?;
        let write = |base: &Base| {
            if base.digest == saved.base { base.write(&saved.memory, out) } else { Err(io::Error::other(OTHER_BASE)) }
        };
        let written = self.pool.with_base(write).and_then(|written| written);
        written.map_err(|error| Missing {
            reason: format!("the state cannot be written: {error}"),
            hint: "save it again from a session",
        })
    }

    fn import(&self, input: &mut dyn Read, memory_limit: u64, _: bool) -> Result<GuestState, EngineError> {
        let limit = memory_limit.saturating_add(OVERHEAD);
        let read = self.pool.with_base(|base| base.read(input, limit).map(|memory| (memory, base.digest)));
        let (memory, base) = read
            .map_err(|error| EngineError::NotRestored(unreadable(&error).reason))?
            .map_err(EngineError::NotRestored)?;
        Ok(GuestState::new(SavedProcess { memory, base, ahead: Ahead::default() }))
    }

    fn keep_ready(&self, _: u64, count: usize) {
        self.pool.wanted.add(count);
    }

    fn release_ready(&self, _: u64, count: usize) {
        self.pool.wanted.remove(count);
        self.pool.trim();
    }

    fn fill(&self, _: u64) {
        self.pool.fill();
    }

    fn ready(&self, _: u64) -> usize {
        self.pool.ready()
    }

    fn announce(&self, state: &GuestState, count: usize) {
        if let Some(saved) = state.saved::<SavedProcess>() {
            saved.ahead.announce(count);
            ahead::fill(&self.pool, state);
        }
    }

    fn retract(&self, state: &GuestState) {
        // A copy of this process does not end processes of its own original.
        if let Some(saved) = state.saved::<SavedProcess>().filter(|_| self.pool.is_own()) {
            saved.ahead.retract();
        }
    }

    fn wake(&self) {
        self.running.end_late();
    }
}

/// The reason why a state cannot be used here.
const OTHER_BASE: &str = "it was saved from a process with another image, runtime or kind of processor";

fn of_another_isolation() -> Missing {
    Missing { reason: "the state was saved from another isolation than `process`".into(), hint: "use that isolation" }
}

/// The saved state of a process.
#[derive(Debug)]
struct SavedProcess {
    memory: Memory,
    /// The digest of the memory in which the process began.
    base: [u8; 32],
    ahead: Ahead,
}

impl SavedState for SavedProcess {
    fn bytes(&self) -> u64 {
        self.memory.bytes()
    }
}

fn unreadable(error: &io::Error) -> Missing {
    Missing {
        reason: format!("the memory of a process cannot be read: {error}"),
        hint: "permit this program to read the memory of its own processes (`/proc`, and ptrace rights of this user)",
    }
}
