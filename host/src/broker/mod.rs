//! The host's side of the wall: decodes what a guest asks, measures it, asks the policy, has a capability do it, and
//! keeps the record.
//!
//! This is the one place where policy and capabilities meet. It trusts no byte of a message: anything that a guest of
//! ours would not send ends the guest.

mod capabilities;
mod cpu;
mod deadline;
mod http;
mod rate;
mod record;
mod terms;
#[cfg(test)]
mod tests;
mod tools;
mod transfers;

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use isolette_abi::{
    Call, MESSAGE_LIMIT,
    console::{Output, Stream},
    decode, encode, system, transfer,
};

use self::transfers::Transfers;
pub(crate) use self::{
    cpu::CpuMeter,
    deadline::{Deadline, Stop},
    rate::Rate,
    record::Record,
    terms::Terms,
};
use crate::{
    capability::Capabilities,
    engine::HostCall,
    outcome::Usage,
    policy::{Breach, LimitName, Limits},
    runtime::runtime,
    sandbox::Surroundings,
};

/// Gets what a program writes, while it runs.
pub(crate) type OutputCallback = Box<dyn FnMut(crate::Stream, &[u8]) + Send>;

/// The host's side of one run.
pub(crate) struct Broker {
    capabilities: Arc<Capabilities>,
    surroundings: Surroundings,
    limits: Arc<Limits>,
    deadline: Deadline,
    rate: Rate,
    transfers: Transfers,
    record: Arc<Mutex<Record>>,
    on_output: Option<OutputCallback>,
    terms: Terms,
    /// No two runs of a process have the same.
    run: u64,
}

impl fmt::Debug for Broker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Broker").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl Broker {
    pub(crate) fn new(
        capabilities: Arc<Capabilities>,
        surroundings: Surroundings,
        limits: Arc<Limits>,
        deadline: Deadline,
        record: Arc<Mutex<Record>>,
        on_output: Option<OutputCallback>,
        terms: Terms,
    ) -> Self {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        let transfers = Transfers::new(limits.payload);
        let rate = Rate::new(limits.host_calls_per_second);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        Self { capabilities, surroundings, limits, deadline, rate, transfers, record, on_output, terms, run }
    }

    /// Keeps what the program wrote and passes it on.
    pub(crate) fn output(&mut self, output: Output<'_>) {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = record.write(&self.limits, output.stream, output.bytes);
        drop(record);
        if let (Some(on_output), false) = (&mut self.on_output, fits.is_empty()) {
            on_output(
                match output.stream {
                    Stream::Stdout => crate::Stream::Stdout,
                    Stream::Stderr => crate::Stream::Stderr,
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
    pub(crate) fn lend<'a>(&mut self, bytes: &'a [u8], inline: usize) -> Result<isolette_abi::Payload<'a>, u64> {
        self.transfers.lend(bytes, inline)
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
            record.reached(Breach::new(name, limit, used));
        }
        used <= limit
    }

    /// Waits for a future, but not beyond the deadline.
    fn wait<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        // Without a runtime nothing can be waited for; `Sandbox` has one before it starts a guest.
        runtime().map_err(|_| Stop::Deadline)?.block_on(self.deadline.bound(future))
    }

    fn system(&self, call: system::Call) -> Result<Vec<u8>, Stop> {
        Ok(match call {
            system::Call::WallClock => encode(&crate::capability::system::wall_clock()),
            system::Call::MonotonicClock => encode(&crate::capability::system::monotonic_clock()),
            system::Call::RandomSeed => encode(&crate::capability::system::random_seed()),
            system::Call::DeadlineLeft => encode(&u64::try_from(self.deadline.left().as_nanos()).unwrap_or(u64::MAX)),
            system::Call::Sleep(nanoseconds) => {
                let asked = Duration::from_nanos(nanoseconds);
                let (before, limit) = (self.record().slept, self.limits.sleep);
                let room = limit.saturating_sub(before);
                let began = Instant::now();
                // The timer must be made on the runtime, not merely waited for there.
                let slept = self.wait(async { tokio::time::sleep(asked.min(room)).await });
                self.record().slept = before + began.elapsed().min(asked);
                slept?;
                if asked > room {
                    return Err(Stop::Sleep);
                }
                encode(&())
            }
        })
    }

    fn files(&self, call: &isolette_abi::files::Call<'_>) -> Vec<u8> {
        let mut quota = self.surroundings.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = self.surroundings.files.answer(call, &mut quota);
        if let Some(breach) = quota.breach() {
            self.record().reached(breach);
        }
        reply
    }

    fn transfer(&mut self, call: &transfer::Call<'_>) -> Result<Vec<u8>, Stop> {
        Ok(match *call {
            transfer::Call::Append { handle, bytes } => encode(&self.transfers.append(handle, bytes)?),
            transfer::Call::Read { handle, offset, length } => {
                encode(&transfer::Chunk(self.transfers.read(handle, offset, length)?))
            }
            transfer::Call::Release { handle } => encode(&self.transfers.release(handle)),
        })
    }
}

impl HostCall for Broker {
    fn call(&mut self, message: &[u8]) -> Result<Vec<u8>, Stop> {
        self.record().usage.host_calls += 1;
        if !self.rate.take() {
            return Err(Stop::HostCalls);
        }
        if message.len() > MESSAGE_LIMIT {
            return Err(Stop::Malformed);
        }
        self.deadline.check()?;
        let reply = match decode(message).map_err(|_| Stop::Malformed)? {
            Call::Tools(call) => self.tools(&call),
            Call::Http(request) => self.http(&request),
            Call::Files(call) => Ok(self.files(&call)),
            Call::Console(output) => {
                self.output(output);
                Ok(encode(&()))
            }
            Call::System(call) => self.system(call),
            Call::Transfer(call) => self.transfer(&call),
            Call::Capabilities(call) => self.capabilities(&call),
        }?;
        // A request that was given up at the deadline is not one that the program may answer to.
        self.deadline.check()?;
        Ok(reply)
    }
}
