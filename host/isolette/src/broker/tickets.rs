//! Host calls that submit calls, cancel them, and wait for their replies.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::{
    MESSAGE_LIMIT, encode,
    tickets::{Completion, Exchange, OPEN_LIMIT, Submission, Submitted, Wait},
};
use isolette_deadline::{runtime, wait_until};
use isolette_types::CallOutcome;
use isolette_work as work;
use tokio::sync::oneshot;

use super::{
    Broker, Scope, Stop,
    call_error::SubmittedError as _,
    capability_call::{CapabilityCall, Given},
    guard::{Admitted, Output as _, Performed, Submittable},
    in_flight::{Board, Finish, Turn},
    open_call::CallNumber,
    tool_call::ToolCall,
};

/// More bytes than a completion takes in a message beside its reply.
const FRAME: usize = 16;

/// A call whose result is longer, in bytes, keeps its place until the guest gets the result. So a guest that never waits
/// makes the host keep only a few long results.
const SHORT: usize = 16 << 10;

/// A reply waits for further completions this part of the time that it has waited for the first: calls that take equally
/// long complete one shortly after the other, and each message costs the guest some microseconds.
const PATIENCE: u32 = 64;

/// The longest such time.
const LONGEST_PATIENCE: Duration = Duration::from_millis(1);

impl Broker {
    pub(super) fn tickets(&mut self, exchange: &Exchange<'_>) -> Result<Vec<u8>, Stop> {
        for submission in &exchange.submit {
            self.submit(submission)?;
        }
        for ticket in &exchange.cancel {
            if let Some(call) = self.in_flight.close(*ticket) {
                self.record().end_call(call, CallOutcome::Cancelled, 0);
            }
        }
        match &exchange.wait {
            Some(wait) => self.wait_for_replies(wait)?,
            None => self.spawn_jobs()?,
        }
        Ok(self.completions())
    }

    fn submit(&mut self, submission: &Submission<'_>) -> Result<(), Stop> {
        self.in_flight.accept(submission.ticket)?;
        if !self.rate.take() {
            return Err(Stop::HostCalls);
        }
        if self.record().recording.is_full() {
            return Err(Stop::AuditBytes);
        }
        let ticket = submission.ticket;
        let capabilities = Arc::clone(&self.scope.capabilities);
        match &submission.call {
            Submitted::Tool { name, arguments } => {
                let arguments = self.take(*arguments)?.into_owned();
                let (length, arguments) = (arguments.len(), arguments.into());
                self.begin(ticket, length, ToolCall { capabilities, name: (*name).to_owned().into(), arguments })
            }
            Submitted::Http(request) => {
                let turn = self.in_flight.turn();
                let call = self.http_call(request, Some(turn))?;
                self.begin(ticket, call.body_length(), call)
            }
            Submitted::Capability { interface, function, arguments } => {
                let arguments = self.take(*arguments)?.into_owned();
                let (length, arguments) = (arguments.len(), arguments.into());
                let (interface, function) = ((*interface).to_owned().into(), (*function).to_owned().into());
                let given = Given::new(&self.scope.guest.resources);
                self.begin(ticket, length, CapabilityCall { capabilities, interface, function, arguments, given })
            }
        }
    }

    /// Decides about a call with arguments of `length` bytes, and begins it.
    fn begin<C: Submittable + Send + 'static>(&mut self, ticket: u32, length: usize, call: C) -> Result<(), Stop> {
        // The memory that is reserved for the call is released with the job.
        let memory = work::Call::new(self.scope.deadline.clone());
        let room = self.limits().payload.saturating_sub(self.in_flight.held());
        let length = (length + FRAME) as u64;
        let (number, admitted) = if length <= room {
            memory.within(|| self.admit(&call))?
        } else {
            self.no_room(length, room);
            let number = call.begin(&mut self.record(), self.limits());
            (number, Err(C::Error::budget(too_much(room))))
        };
        let (scope, call) = (Arc::clone(&self.scope), Arc::new(call));
        let turn = call.turn().cloned().unwrap_or_else(|| self.in_flight.turn());
        let board = Arc::clone(self.in_flight.board());
        let job = async move {
            let result = match admitted {
                Err(error) => Err(error),
                Ok(admitted) => perform(&call, (number, ticket), admitted, &scope, &turn, &board).await,
            };
            if result.as_ref().map_or(0, |output| output.bytes().len()) <= SHORT {
                turn.give_back();
            }
            let finish: Finish = Box::new(move |broker| {
                turn.give_back();
                C::reply(&broker.complete(&*call, number, result))
            });
            finish
        };
        let job = memory.within(|| work::Call::along(job));
        let _inside = runtime().map_err(|_| Stop::Deadline)?.enter();
        self.in_flight.begin(ticket, number, length, Box::pin(job));
        Ok(())
    }

    fn spawn_jobs(&mut self) -> Result<(), Stop> {
        self.in_flight.spawn(&self.scope.capabilities.threads, &self.scope.deadline)
    }

    fn wait_for_replies(&mut self, wait: &Wait) -> Result<(), Stop> {
        let mut condition = self.condition(wait)?;
        if wait.timeout.is_none() && !condition.is_met(self) {
            self.perform_here()?;
        }
        self.spawn_jobs()?;
        let began = Instant::now();
        let timeout = wait.timeout.map(Duration::from_nanos);
        let scope = Arc::clone(&self.scope);
        let board = Arc::clone(self.in_flight.board());
        while !condition.is_met(self) {
            if let Some((_, function)) = board.next_blocking() {
                scope.deadline.cpu().exclude(function);
                continue;
            }
            let remaining = timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));
            if let (Some(Duration::ZERO), Some(timeout)) = (remaining, timeout) {
                scope.guest.system.sleeps(timeout);
                return Ok(());
            }
            scope.wait(async {
                match remaining {
                    None => board.changed().await,
                    Some(remaining) => {
                        // The next turn of the loop finds out which of the two it was.
                        let _ = tokio::time::timeout(remaining, board.changed()).await;
                    }
                }
            })?;
        }
        let until = Instant::now() + (began.elapsed() / PATIENCE).min(LONGEST_PATIENCE);
        while self.in_flight.is_working() && wait_until(until, board.changed()).is_some() {}
        Ok(())
    }

    /// Performs the only open call on this thread, as if the program had not submitted it.
    fn perform_here(&mut self) -> Result<(), Stop> {
        let Some((ticket, job)) = self.in_flight.take_only_job() else { return Ok(()) };
        let board = Arc::clone(self.in_flight.board());
        if let Some((_, function)) = board.next_blocking() {
            self.scope.deadline.cpu().exclude(function);
        }
        // After a question, the function is called while this thread waits for the job.
        board.start_blocking(&self.scope.capabilities.threads);
        let finish = self.scope.wait(job)?;
        board.finish(ticket, finish);
        Ok(())
    }

    fn condition(&self, wait: &Wait) -> Result<Condition, Stop> {
        match (wait.tickets.as_slice(), wait.all) {
            (tickets, _) if tickets.len() > OPEN_LIMIT => Err(Stop::Malformed),
            ([], false) => Ok(Condition::AnyReply),
            ([], true) => Ok(Condition::All(self.in_flight.tickets().collect())),
            (tickets, false) => Ok(Condition::Any(tickets.to_vec())),
            (tickets, true) => Ok(Condition::All(tickets.to_vec())),
        }
    }

    /// The replies that there are, as many as fit the message.
    fn completions(&mut self) -> Vec<u8> {
        let mut replies: Vec<(u32, Vec<u8>)> = Vec::new();
        let mut room = MESSAGE_LIMIT - FRAME;
        loop {
            let next = self.in_flight.next_reply().or_else(|| {
                let (ticket, finish) = self.in_flight.next_finished()?;
                Some((ticket, finish(self)))
            });
            let Some((ticket, reply)) = next else { break };
            let length = reply.len().saturating_add(FRAME);
            if length > room && !replies.is_empty() {
                self.in_flight.keep_reply(ticket, reply);
                break;
            }
            room = room.saturating_sub(length);
            replies.push((ticket, reply));
        }
        let completions: Vec<_> = replies.iter().map(|(ticket, reply)| Completion { ticket: *ticket, reply }).collect();
        encode(&completions)
    }
}

fn too_much(room: u64) -> String {
    format!(
        "the arguments of the calls that are pending are more than the host keeps for a run ({room} bytes left)\nhint: wait \
         for some of the calls first"
    )
}

/// When the reply to a wait is due.
enum Condition {
    /// When there is a reply to any ticket.
    AnyReply,
    /// When one of these tickets has completed.
    Any(Vec<u32>),
    /// When all of these have.
    All(Vec<u32>),
}

impl Condition {
    fn is_met(&mut self, broker: &Broker) -> bool {
        let in_flight = &broker.in_flight;
        let is_complete = |ticket: u32| !in_flight.is_open(ticket) || in_flight.has_reply(ticket);
        match self {
            Self::AnyReply => in_flight.is_empty() || in_flight.has_replies(),
            Self::Any(_) | Self::All(_) if in_flight.is_congested() => true,
            Self::Any(tickets) => tickets.iter().any(|ticket| is_complete(*ticket)),
            Self::All(tickets) => {
                // What is complete stays so, and need not be looked at again.
                while tickets.pop_if(|ticket| is_complete(*ticket)).is_some() {}
                tickets.is_empty()
            }
        }
    }
}

/// Waits for the decision about a call and for its turn, and performs it.
async fn perform<C: Submittable + Send + 'static>(
    call: &Arc<C>,
    (number, ticket): (CallNumber, u32),
    Admitted { checked, question }: Admitted<C::Checked>,
    scope: &Arc<Scope>,
    turn: &Turn,
    board: &Board,
) -> Result<C::Output, C::Error> {
    if let Some(question) = question
        && let Err(reason) = question.answer().await
    {
        return Err(call.refused(number, reason, scope));
    }
    if call.turn().is_none() {
        turn.taken().await;
    }
    // Both may have taken longer than the run may last; after the deadline no call is made.
    scope.deadline.check().map_err(|stop| C::Error::failed(stop.to_string()))?;
    let panicked = || C::Error::failed("the call panicked".into());
    if !call.blocks(&checked) {
        let performed = std::panic::catch_unwind(AssertUnwindSafe(|| call.perform(number, checked, scope)));
        return match performed {
            Ok(Performed::Now(result)) => result,
            Ok(Performed::Later(future)) => future.await,
            Err(_) => Err(panicked()),
        };
    }
    let (sender, receiver) = oneshot::channel();
    let (memory, own, scope) = (work::Call::current(), Arc::clone(call), Arc::clone(scope));
    let threads = Arc::clone(&scope.capabilities);
    let function = move || {
        let perform = || match own.perform(number, checked, &scope) {
            Performed::Now(result) => Some(result),
            // It has said that it blocks, so there is no task in which a future could be awaited.
            Performed::Later(future) => runtime().ok().map(|runtime| runtime.block_on(future)),
        };
        let performed = std::panic::catch_unwind(AssertUnwindSafe(|| match &memory {
            Some(memory) => memory.within(perform),
            None => perform(),
        }));
        // Nobody receives the result of a call that was cancelled.
        let _ = sender.send(performed.ok().flatten());
    };
    board.call_blocking(ticket, Box::new(function), &threads.threads);
    receiver.await.ok().flatten().unwrap_or_else(|| Err(panicked()))
}
