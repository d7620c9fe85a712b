//! The host's side of the host call ABI: decodes the calls of a guest, measures them, asks the policy, has a capability do
//! them, and keeps the record.
//!
//! It trusts no byte of a message: bytes that the guests of this project do not send end the guest. Policy decides here about
//! tools, custom interfaces, budgets and approval; the HTTP and file capabilities ask it about each hop and each path.

mod calls;
mod capabilities;
mod capability_call;
mod decisions;
mod files;
mod guard;
mod http;
mod open_call;
mod rate;
mod record;
#[cfg(test)]
mod tests;
mod tool_call;
mod tools;
mod transfers;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod trial;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette_abi::{
    Call, MESSAGE_LIMIT,
    console::{Output, Stream},
    decode, encode, system, transfer,
};

use isolette_capabilities::CallNotes;
use isolette_deadline::{Deadline, Stop, runtime};
use isolette_engine::HostCall;
use isolette_policy::{CallRequest, Limits, Need, Policy};
use isolette_types::{LimitHit, LimitName, Usage};
use isolette_work as work;

use self::{capability_call::Notes, rate::Rate, transfers::Transfers};
pub(crate) use self::{open_call::CallRecording, record::Record};
use crate::{capabilities::Capabilities, guest_context::GuestContext, options::OutputCallback, oversight::Oversight};

/// The host's side of one run.
pub(crate) struct Broker {
    capabilities: Arc<Capabilities>,
    guest: GuestContext,
    policy: Arc<Policy>,
    oversight: Oversight,
    deadline: Deadline,
    rate: Rate,
    transfers: Transfers,
    record: Arc<Mutex<Record>>,
    /// For custom interfaces.
    notes: Arc<dyn CallNotes>,
    on_output: Option<OutputCallback>,
}

impl fmt::Debug for Broker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Broker").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl Broker {
    pub(crate) fn new(
        capabilities: Arc<Capabilities>,
        guest: GuestContext,
        policy: Arc<Policy>,
        oversight: Oversight,
        deadline: Deadline,
        record: Arc<Mutex<Record>>,
        on_output: Option<OutputCallback>,
    ) -> Self {
        let transfers = Transfers::new(policy.limits.payload);
        let rate = Rate::new(policy.limits.host_calls_per_second);
        let notes = Arc::new(Notes(Arc::downgrade(&record)));
        Self { capabilities, guest, policy, oversight, deadline, rate, transfers, record, notes, on_output }
    }

    fn limits(&self) -> &Limits {
        &self.policy.limits
    }

    /// Keeps what the program wrote and passes it on.
    pub(crate) fn output(&mut self, output: Output<'_>) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = record.write(self.limits(), output.stream, output.bytes);
        drop(record);
        if let (Some(on_output), false) = (&mut self.on_output, fits.is_empty()) {
            on_output(
                match output.stream {
                    Stream::Stdout => crate::options::Stream::Stdout,
                    Stream::Stderr => crate::options::Stream::Stderr,
                },
                fits,
            );
        }
    }

    /// Hands over a payload of the guest's.
    pub(crate) fn take<'a>(&mut self, payload: isolette_abi::Payload<'a>) -> Result<std::borrow::Cow<'a, [u8]>, Stop> {
        self.transfers.take(payload)
    }

    /// Keeps a payload for the guest, unless it is so short that the message itself can carry it. `Err` says how much
    /// room there is.
    pub(crate) fn provide<'a>(&mut self, bytes: &'a [u8], inline: usize) -> Result<isolette_abi::Payload<'a>, u64> {
        self.transfers.provide(bytes, inline)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one more use of what a run has a limit on. `false` if it is one too many.
    fn count(&self, name: LimitName, limit: u64, counter: impl FnOnce(&mut Usage) -> &mut u64) -> bool {
        let mut record = self.record();
        let used = counter(&mut record.usage);
        *used += 1;
        let used = *used;
        if used > limit {
            record.reached(LimitHit::new(name, limit, used));
        }
        used <= limit
    }

    /// Waits for a future, but not beyond the deadline.
    fn wait<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        // Without a runtime nothing can be waited for; `Sandbox` has one before it starts a guest.
        runtime().map_err(|_| Stop::Deadline)?.block_on(self.deadline.bound(future))
    }

    /// A payload of this length finds only so much room among those that are kept for the guest.
    fn no_room(&self, length: u64, room: u64) {
        let limit = self.limits().payload;
        let used = limit.saturating_sub(room).saturating_add(length);
        self.record().reached(LimitHit::new(LimitName::Payload, limit, used.max(limit.saturating_add(1))));
    }

    fn system(&self, call: system::Call) -> Result<Vec<u8>, Stop> {
        Ok(match call {
            system::Call::WallClock => encode(&self.guest.system.wall_clock()),
            system::Call::MonotonicClock => encode(&self.guest.system.monotonic_clock()),
            system::Call::RandomSeed => encode(&self.guest.system.random_seed()),
            system::Call::DeadlineLeft => encode(&u64::try_from(self.deadline.left().as_nanos()).unwrap_or(u64::MAX)),
            system::Call::Sleep(nanoseconds) => {
                let asked = Duration::from_nanos(nanoseconds);
                let (before, limit) = (self.record().slept, self.limits().sleep);
                let room = limit.saturating_sub(before);
                if self.guest.system.sleeps(asked.min(room)) {
                    self.record().slept = before + asked.min(room);
                } else {
                    let began = Instant::now();
                    // The timer must be made on the runtime, not merely waited for there.
                    let slept = self.wait(async { tokio::time::sleep(asked.min(room)).await });
                    self.record().slept = before + began.elapsed().min(asked);
                    slept?;
                }
                if asked > room {
                    return Err(Stop::Sleep);
                }
                encode(&())
            }
        })
    }

    fn transfer(&mut self, call: &transfer::Call<'_>) -> Result<Vec<u8>, Stop> {
        Ok(match *call {
            transfer::Call::Append { handle, bytes } => {
                let kept = self.transfers.append(handle, bytes)?;
                if kept.is_none() {
                    self.no_room(bytes.len() as u64, 0);
                }
                encode(&kept)
            }
            transfer::Call::Read { handle, offset, length } => {
                encode(&transfer::Chunk(self.transfers.read(handle, offset, length)?))
            }
            transfer::Call::Release { handle } => encode(&self.transfers.release(handle)),
        })
    }

    /// Whether a call may be made, as far as checks and approval go. The inner error is what the program gets to read.
    fn agree(
        &self,
        need: Need,
        what: impl Fn() -> String,
        request: impl FnOnce() -> CallRequest,
    ) -> Result<Result<(), String>, Stop> {
        // To look at the clock costs more than most calls.
        if !self.oversight.is_decided(&need) {
            return Ok(Ok(()));
        }
        // The time of checks is the embedder's, not the program's.
        let agreed = match self.deadline.cpu().exclude(|| self.oversight.question(need, &self.record, what, request)) {
            Ok(None) => Ok(()),
            Ok(Some(question)) => self.wait(question.answer())?,
            Err(why) => Err(why),
        };
        // Whoever decides may take longer than the run may last, and nothing happens after that.
        self.deadline.check()?;
        Ok(agreed)
    }

    /// Waits until the call can be put on record, and ends the run if it never can.
    fn room_on_record(&self) -> Result<(), Stop> {
        let Some(audit) = &self.oversight.audit else { return Ok(()) };
        if !audit.has_room() {
            self.wait(audit.room())?;
        }
        audit.failure().map_or(Ok(()), |_| Err(Stop::Unrecorded))
    }

    fn answer(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        if !self.rate.take() {
            return Err(Stop::HostCalls);
        }
        if message.len() > MESSAGE_LIMIT {
            return Err(Stop::Malformed);
        }
        self.deadline.check()?;
        self.room_on_record()?;
        let call = decode(message).map_err(|_| Stop::Malformed)?;
        // Whatever is done for it ends with the run as well, and what is set aside for it is held no longer than it lasts.
        let reply = work::Call::new(self.deadline.clone()).within(|| self.dispatch(call))?;
        // A request that was given up at the deadline is not one that the program may answer to.
        self.deadline.check()?;
        Ok(reply)
    }

    fn dispatch(&mut self, call: Call<'_>) -> Result<Vec<u8>, Stop> {
        match call {
            Call::Tools(_) | Call::Http(_) | Call::Capabilities(_) if self.record().recording.is_full() => {
                Err(Stop::AuditBytes)
            }
            Call::Tools(call) => self.tools(&call),
            Call::Http(request) => self.http(&request),
            Call::Files(call) => self.files(&call),
            Call::Console(output) => {
                self.output(output);
                Ok(encode(&()))
            }
            Call::System(call) => self.system(call),
            Call::Transfer(call) => self.transfer(&call),
            Call::Capabilities(call) => self.capabilities(&call),
        }
    }
}

impl HostCall for Broker {
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        self.record().usage.host_calls += 1;
        // Nobody may be left to hear of the end of the run, and the call is on record all the same.
        self.answer(message)
            .inspect_err(|stop| self.record.lock().unwrap_or_else(PoisonError::into_inner).cut_off(*stop))
    }
}
