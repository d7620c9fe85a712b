//! A guest in a process.

use std::sync::{Arc, PoisonError};

use isolette_abi::{frames::Kind, runtime::HostReply};
use isolette_deadline::{Deadline, ProcessClock, Stop};

use super::{
    OVERHEAD, SavedProcess,
    ahead::Ahead,
    calls::{Advanced, until_ended},
    frames::{Broken, Process},
    memory::Memory,
    pool::Pool,
    processors::RunningGuest,
    unreadable,
};
use crate::{
    EngineError, GuestState, Instance, Missing, Progress, SharedHost, engine::is_out_of_memory, running::Running,
};

pub(super) struct ProcessInstance {
    /// `Some` until something unexpected happens.
    pub(super) process: Option<Process>,
    pub(super) pool: Arc<Pool>,
    pub(super) running: Arc<Running>,
    pub(super) memory_limit: u64,
    pub(super) memory_peak: u64,
    /// The state from which the process continued.
    pub(super) origin: Option<GuestState>,
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
        process.rests();
        drop(run);
        if process.handle.was_killed() {
            // Its run may have been over at that moment, but it has no next run.
            return Err(EngineError::Stopped(stop.or_else(|| deadline.check().err()).unwrap_or(Stop::Deadline)));
        }
        match advanced {
            Ok(Advanced::Paused) => {
                // It is neither measured nor ended until it is resumed.
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
            .and_then(|memory| Ok(SavedProcess { memory, base: self.pool.base()?, ahead: Ahead::default() }));
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
        self.pool.use_large_pages();
    }
}

fn classify(broken: Broken, stop: Option<Stop>, deadline: &Deadline) -> EngineError {
    tracing::debug!(?broken, "the process of a guest ended");
    match broken {
        Broken::Malformed => EngineError::Stopped(Stop::Malformed),
        Broken::Gone => match stop.or_else(|| deadline.check().err()) {
            Some(stop) if stop != Stop::Gone => EngineError::Stopped(stop),
            _ => EngineError::Crashed("the process of the guest ended unexpectedly".into()),
        },
        Broken::Failed(text) if is_out_of_memory(&text) => EngineError::OutOfMemory,
        Broken::Failed(_) => EngineError::Crashed("the runtime in the process of the guest ended unexpectedly".into()),
    }
}
