//! Runs guests in processes of their own, which can do nothing but talk to this one.
//!
//! For each image there is one process that has loaded it, the fork server. It starts a copy of itself for each guest, and
//! the copy is locked in by a filter of system calls before the guest runs: it can read and write one socket, and make memory
//! of its own accessible. So a guest starts in the state that the image was built with, and shares the pages that it does
//! not write to.
//!
//! What comes from a process is as untrusted as what comes from a guest: a program that escapes from WebAssembly controls the
//! runtime from then on. So every frame is checked, and after anything unexpected the process is killed.

mod fork_server;
mod frames;
mod handle;
mod memory;
mod pages;
mod pool;
mod portable;
mod shared_memory;
mod spinning;
mod starter;

use std::{
    io::{self, Read, Write},
    path::Path,
    sync::{Arc, PoisonError},
};

use isolette_abi::{
    frames::Kind,
    runtime::{HostReply, RunReply},
};
use isolette_deadline::{Deadline, ProcessClock, Stop};
use isolette_instance::GUEST_STACK;

use self::{
    fork_server::Files,
    frames::{Broken, Process},
    memory::Memory,
    pool::{Pool, RestoreError},
    portable::Base,
    spinning::RunningGuest,
};
use super::{
    Engine, EngineError, GuestState, Instance, Missing, Progress, SharedHost, WarmUp, running::Running,
    state::SavedState,
};

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
    /// Loads the image in a process, and starts a first guest, which shows that this system permits it. The contents of both
    /// files have been compared with the manifest.
    pub fn new(code: &Path, runtime: &Path, warm_up: WarmUp) -> Result<Self, Missing> {
        let start = || Pool::new(Files::open(code, runtime)?, warm_up);
        let pool = start().map_err(|reason: String| Missing {
            reason,
            hint: "permit this program to start processes and to filter their system calls (seccomp); or use `wasm`",
        })?;
        Ok(Self { pool: Arc::new(pool), running: Arc::default(), initial: None })
    }

    /// Has guests start in a state. Processes that are ready start in it, too.
    pub fn start_in(&mut self, state: GuestState) {
        self.pool.start_in(state.clone());
        self.initial = Some(state);
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
        let ready =
            if self.initial.as_ref().is_some_and(|initial| initial.is(state)) { self.pool.take_ready() } else { None };
        if let Some(process) = ready {
            Pool::refill_in_advance(&self.pool);
            return self.instance(Ok(process), memory_limit, Some(state.clone()));
        }
        let process = match self.pool.restore(&saved.memory, &saved.base, limit) {
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
        Ok(GuestState::new(SavedProcess { memory, base }))
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

    fn wake(&self) {
        self.running.end_late();
    }
}

/// Why a state is of no use here.
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

struct ProcessInstance {
    /// `Some` until something unexpected happens.
    process: Option<Process>,
    pool: Arc<Pool>,
    running: Arc<Running>,
    memory_limit: u64,
    memory_peak: u64,
    /// The state from which the process continued.
    origin: Option<GuestState>,
}

impl ProcessInstance {
    /// Sends a frame and handles calls until the program ends or is paused.
    fn advance(
        &mut self,
        kind: Kind,
        contents: &[u8],
        host: &SharedHost,
        deadline: &Deadline,
    ) -> Result<Progress, EngineError> {
        let mut process = self.process.take().ok_or_else(|| EngineError::Crashed("the process is gone".into()))?;
        let run = self.running.enter(process.handle.clone(), deadline.clone());
        let _running = RunningGuest::begin();
        // A search for late runs before this run was listed did not find it.
        deadline.check().map_err(EngineError::Stopped)?;
        let mut stop = None;
        let advanced =
            process.send(kind, contents).and_then(|()| until_ended(&mut process, host, Some(deadline), &mut stop));
        drop(run);
        if process.handle.was_killed() {
            // It may have been done at that moment, but has no next run.
            return Err(EngineError::Stopped(stop.or_else(|| deadline.check().err()).unwrap_or(Stop::Deadline)));
        }
        match advanced {
            Ok(Advanced::Paused) => {
                // Nobody measures or ends it until it is resumed.
                process.handle.stop();
                self.process = Some(process);
                Ok(Progress::Paused)
            }
            Ok(Advanced::Ended(reply)) => {
                self.memory_peak = reply.memory_peak;
                let result = reply.result.map_err(|failure| EngineError::new(failure, stop))?;
                self.process = Some(process);
                Ok(Progress::Ended(result))
            }
            Err(broken) => Err(classify(broken, stop, deadline)),
        }
    }
}

impl Instance for ProcessInstance {
    fn run(&mut self, message: &[u8], host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError> {
        self.advance(Kind::Run, &[&self.memory_limit.to_le_bytes(), message].concat(), &host, &deadline)
    }

    fn resume(&mut self, host: SharedHost, deadline: Deadline) -> Result<Progress, EngineError> {
        let reply = host.lock().unwrap_or_else(PoisonError::into_inner).resume();
        match reply {
            Ok(reply) => {
                if let Some(process) = &self.process {
                    process.handle.go_on();
                }
                let reply = HostReply::ReplyAfterPause(self.memory_limit, reply).encode();
                self.advance(Kind::Reply, &reply, &host, &deadline)
            }
            Err(Stop::Paused) => Ok(Progress::Paused),
            Err(stop) => Err(EngineError::Stopped(stop)),
        }
    }

    fn save(&mut self) -> Result<GuestState, Missing> {
        let ended = || Missing { reason: "the process has ended".into(), hint: "save a state before the guest ends" };
        let process = self.process.as_ref().ok_or_else(ended)?;
        let origin = self.origin.as_ref().and_then(GuestState::saved).map(|saved: &SavedProcess| &saved.memory);
        let limit = self.memory_limit.saturating_add(OVERHEAD);
        let saved = Memory::of(process.handle.number(), origin, limit)
            .and_then(|memory| Ok(SavedProcess { memory, base: self.pool.base()? }));
        // The number may have become that of another process, of which nothing may be kept.
        if process.handle.has_ended() {
            return Err(ended());
        }
        saved.map(GuestState::new).map_err(|error| unreadable(&error))
    }

    fn memory_peak(&self) -> u64 {
        self.memory_peak
    }

    fn clock(&self) -> Option<ProcessClock> {
        self.process.as_ref().map(|process| process.handle.clock())
    }
}

impl Drop for ProcessInstance {
    fn drop(&mut self) {
        self.process = None;
        self.pool.refill();
    }
}

/// How far a process has come.
enum Advanced {
    Ended(RunReply),
    /// It waits for the reply to its last call.
    Paused,
}

/// Handles the calls of a run until it ends or is paused. Its CPU time is measured by `deadline`, if it has one. `stop` becomes
/// the host's reason to end it.
fn until_ended(
    process: &mut Process,
    host: &SharedHost,
    deadline: Option<&Deadline>,
    stop: &mut Option<Stop>,
) -> Result<Advanced, Broken> {
    loop {
        let received = process.receive();
        let waited = process.take_waited();
        if let Some(deadline) = deadline {
            deadline.cpu().exclude_wait(waited);
        }
        let (kind, contents) = received?;
        match kind {
            Kind::Call => {
                let result =
                    process.handle.in_call(|| host.lock().unwrap_or_else(PoisonError::into_inner).call(&contents));
                let reply = match &result {
                    Ok(reply) => HostReply::Reply(reply.as_slice()),
                    Err(Stop::Paused) => return Ok(Advanced::Paused),
                    Err(reason) => {
                        *stop = Some(*reason);
                        HostReply::Stop
                    }
                };
                process.send(Kind::Reply, &reply.encode())?;
            }
            Kind::Ended => return RunReply::decode(contents).map(Advanced::Ended).map_err(|_| Broken::Malformed),
            Kind::Failed => return Err(Broken::Failed(String::from_utf8_lossy(&contents).into_owned())),
            Kind::Run | Kind::Reply | Kind::Ready => return Err(Broken::Malformed),
        }
    }
}

fn classify(broken: Broken, stop: Option<Stop>, deadline: &Deadline) -> EngineError {
    tracing::debug!(?broken, "the process of a guest ended");
    match broken {
        Broken::Malformed => EngineError::Stopped(Stop::Malformed),
        Broken::Gone => match stop.or_else(|| deadline.check().err()) {
            Some(stop) => EngineError::Stopped(stop),
            None => EngineError::Crashed("the process of the guest ended unexpectedly".into()),
        },
        // What the runtime says when it finds no memory for itself.
        Broken::Failed(text) if text.contains("memory allocation of") => EngineError::OutOfMemory,
        Broken::Failed(_) => EngineError::Crashed("the runtime in the process of the guest ended unexpectedly".into()),
    }
}
