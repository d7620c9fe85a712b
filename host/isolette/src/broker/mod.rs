//! The broker, the host's side of the host call ABI: it decodes the calls of a guest, counts them, applies the policy,
//! calls a capability, and keeps the record.
//!
//! It trusts no byte of a message: a message that the project's guests cannot send ends the guest. The broker applies
//! the policy for tools, custom interfaces, budgets and approval; the HTTP and file capabilities apply it to each hop
//! and each path.

mod any_call;
mod asked;
mod call_error;
mod calls;
mod capabilities;
mod capability_call;
mod decisions;
mod deferred_approval;
mod files;
mod guard;
mod http;
mod in_flight;
mod open_call;
mod pause;
mod rate;
mod record;
mod replay;
mod saved;
mod scope;
#[cfg(test)]
mod tests;
mod tickets;
mod tool_call;
mod tools;
mod transfers;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod trial;
mod waits;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use isolette_abi::{
    Call, MESSAGE_LIMIT,
    console::{Output, Stream},
    decode, encode, system, transfer,
};

use isolette_deadline::{Deadline, Stop};
use isolette_engine::HostCall;
use isolette_policy::{Limits, Policy};
use isolette_types::{LimitHit, LimitName};
use isolette_work as work;

use self::{capability_call::Notes, in_flight::InFlight, pause::Pause, rate::Rate, scope::Scope, transfers::Transfers};
pub(crate) use self::{open_call::CallRecording, record::Record, saved::SavedBroker};
use crate::{capabilities::Capabilities, guest_context::GuestContext, options::OutputCallback, oversight::Oversight};

/// The host's side of one run.
pub(crate) struct Broker {
    scope: Arc<Scope>,
    rate: Rate,
    transfers: Transfers,
    in_flight: InFlight,
    pause: Pause,
    on_output: Option<OutputCallback>,
}

impl fmt::Debug for Broker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Broker").field("deadline", &self.scope.deadline).finish_non_exhaustive()
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
        let in_flight = InFlight::new(policy.limits.parallel_calls);
        let notes = Arc::new(Notes(Arc::downgrade(&record)));
        let interrupt = Arc::new(deadline.clone());
        let deferrals = Arc::default();
        let scope = Scope {
            capabilities,
            guest,
            policy,
            oversight,
            deadline,
            interrupt,
            record,
            notes,
            can_pause: false,
            deferrals,
        };
        Self { scope: Arc::new(scope), rate, transfers, in_flight, pause: Pause::default(), on_output }
    }

    /// Permits that the program is paused until the embedder has answered calls.
    pub(crate) fn pausable(mut self) -> Self {
        // There is no other reference to it yet.
        if let Some(scope) = Arc::get_mut(&mut self.scope) {
            scope.can_pause = true;
        }
        self
    }

    fn limits(&self) -> &Limits {
        self.scope.limits()
    }

    /// Keeps output of the program and passes it to the embedder's callback.
    pub(crate) fn output(&mut self, output: Output<'_>) {
        let mut record = self.scope.record();
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

    /// Returns a payload that the guest has sent.
    pub(crate) fn take<'a>(&mut self, payload: isolette_abi::Payload<'a>) -> Result<std::borrow::Cow<'a, [u8]>, Stop> {
        self.transfers.take(payload)
    }

    /// Keeps a payload until the guest fetches it, unless it is short enough for the message. `Err` is the number of
    /// bytes that there is room for.
    pub(crate) fn provide<'a>(&mut self, bytes: &'a [u8], inline: usize) -> Result<isolette_abi::Payload<'a>, u64> {
        self.transfers.provide(bytes, inline)
    }

    /// Ends the calls that are in flight, since the guest has ended. What remains of them is no longer waited for.
    pub(crate) fn end_calls(&mut self) {
        self.in_flight.end();
        self.end_recording(None);
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.scope.record()
    }

    fn end_recording(&self, stop: Option<Stop>) {
        if let Some(recording) = &self.scope.oversight.recording {
            recording.end(stop);
        }
    }

    /// Records that a payload of this length exceeds the `room` bytes that remain.
    fn no_room(&self, length: u64, room: u64) {
        let limit = self.limits().payload;
        let used = limit.saturating_sub(room).saturating_add(length);
        self.record().reached(LimitHit::new(LimitName::Payload, limit, used.max(limit.saturating_add(1))));
    }

    fn system(&self, call: system::Call) -> Result<Vec<u8>, Stop> {
        Ok(match call {
            system::Call::WallClock => encode(&self.scope.guest.system.wall_clock()),
            system::Call::MonotonicClock => encode(&self.scope.guest.system.monotonic_clock()),
            system::Call::RandomSeed => encode(&self.scope.guest.system.random_seed()),
            system::Call::DeadlineRemaining => {
                encode(&u64::try_from(self.scope.deadline.remaining().as_nanos()).unwrap_or(u64::MAX))
            }
            system::Call::Sleep(nanoseconds) => {
                let asked = Duration::from_nanos(nanoseconds);
                let (before, limit) = (self.record().slept, self.limits().sleep);
                let room = limit.saturating_sub(before);
                if self.scope.guest.system.sleeps(asked.min(room)) {
                    self.record().slept = before + asked.min(room);
                } else {
                    let began = Instant::now();
                    // The timer must be created on the runtime, not only awaited there.
                    let slept = self.scope.wait(async { tokio::time::sleep(asked.min(room)).await });
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

    /// Waits until the call can be recorded. Ends the run if the audit has failed.
    fn room_on_record(&self) -> Result<(), Stop> {
        let Some(audit) = &self.scope.oversight.audit else { return Ok(()) };
        if !audit.has_room() {
            self.scope.wait(audit.room())?;
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
        self.scope.deadline.check()?;
        self.room_on_record()?;
        let call = decode(message).map_err(|_| Stop::Malformed)?;
        // Binds work for the call to the deadline of the run, and releases reserved memory when the call ends.
        let reply = work::Call::of(Arc::clone(&self.scope.interrupt)).within(|| self.dispatch(call))?;
        // A request that was aborted at the deadline must not be reported to the program as an ordinary error.
        self.scope.deadline.check()?;
        Ok(reply)
    }

    fn dispatch(&mut self, call: Call<'_>) -> Result<Vec<u8>, Stop> {
        match call {
            Call::Tools(_) | Call::Http(_) | Call::Capabilities(_) | Call::Tickets(_)
                if self.record().recording.is_full() =>
            {
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
            Call::Tickets(exchange) => self.tickets(&exchange),
        }
    }
}

impl Broker {
    /// Ends what is pending, since the guest ends for this reason.
    fn stopped(&mut self, stop: Stop) {
        if stop == Stop::Paused {
            return;
        }
        self.in_flight.end();
        self.scope.record().cut_off(stop);
        self.end_recording(Some(stop));
    }
}

impl HostCall for Broker {
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        // A guest that is paused waits for the reply to its last call.
        if self.pause.waits_for().is_some() {
            self.stopped(Stop::Malformed);
            return Err(Stop::Malformed);
        }
        self.record().usage.host_calls += 1;
        // The caller may have dropped the run; the end of the call is recorded nevertheless.
        self.answer(message).inspect_err(|stop| self.stopped(*stop))
    }

    fn resume(&mut self) -> Result<Vec<u8>, Stop> {
        // What is approved is performed now, and has to be recorded as any call.
        let can_go_on = self.scope.deadline.check().and_then(|()| self.room_on_record()).and_then(|()| {
            let is_full = self.record().recording.is_full();
            if is_full { Err(Stop::AuditBytes) } else { Ok(()) }
        });
        let reply = can_go_on.and_then(|()| self.reply_after_pause());
        reply.and_then(|reply| self.scope.deadline.check().map(|()| reply)).inspect_err(|stop| self.stopped(*stop))
    }
}
