//! Host calls that submit calls, cancel them, and wait for their replies.

use std::{panic::AssertUnwindSafe, sync::Arc};

use isolette_abi::{
    encode,
    tickets::{Completion, Exchange, Submission},
    tools::ToolError,
};
use isolette_deadline::runtime;
use isolette_types::CallOutcome;
use isolette_work as work;
use tokio::sync::oneshot;

use super::{
    Broker, Scope, Stop,
    any_call::AnyCall,
    asked::Asked,
    call_error::SubmittedError as _,
    guard::{Admission, Admitted, GuardedCall as _, Output as _, Performed, Submittable},
    in_flight::{Board, Deferral, Finish, Job, Turn},
    open_call::CallNumber,
    tool_call::ToolCall,
};

/// More bytes than a completion takes in a message beside its reply.
pub(super) const FRAME: usize = 16;

/// A call whose result is longer, in bytes, keeps its place until the guest gets the result. So a guest that never waits
/// makes the host keep only a few long results.
const SHORT: usize = 16 << 10;

impl Broker {
    pub(super) fn tickets(&mut self, exchange: &Exchange<'_>) -> Result<Vec<u8>, Stop> {
        let waits = self.waits_for_its_only_call(exchange);
        for submission in &exchange.submit {
            if let Some(reply) = self.submit(submission, waits)? {
                return Ok(encode(&vec![Completion { ticket: submission.ticket, reply: &reply }]));
            }
        }
        for ticket in &exchange.cancel {
            if let Some(call) = self.in_flight.close(*ticket) {
                self.forget(call);
                self.record().end_call(call, CallOutcome::Cancelled, 0);
            }
        }
        self.replies_or_pause(exchange.wait.as_ref())
    }

    /// Whether the guest submits a call and waits for it, while no other is open: then it is performed on the guest's thread,
    /// like a call that is not submitted.
    fn waits_for_its_only_call(&self, exchange: &Exchange<'_>) -> bool {
        let ([submission], Some(wait)) = (exchange.submit.as_slice(), &exchange.wait) else { return false };
        // A call whose approval is deferred needs its ticket.
        if self.scope.can_pause && self.scope.oversight.approver.is_some() {
            return false;
        }
        // A recording has the order of completions.
        wait.timeout.is_none()
            && (wait.tickets.is_empty() || wait.tickets == [submission.ticket])
            && exchange.cancel.is_empty()
            && self.in_flight.is_empty()
            && self.scope.oversight.recording.is_none()
    }

    /// Begins a call, or performs it if the guest waits for it, and returns the reply.
    fn submit(&mut self, submission: &Submission<'_>, waits: bool) -> Result<Option<Vec<u8>>, Stop> {
        self.in_flight.accept(submission.ticket)?;
        if !self.rate.take() {
            return Err(Stop::HostCalls);
        }
        if self.record().recording.is_full() {
            return Err(Stop::AuditBytes);
        }
        let ticket = submission.ticket;
        let turn = (!waits).then(|| self.in_flight.turn());
        match self.any_call(&submission.call, turn)? {
            AnyCall::Tool(call) if self.scope.can_pause && call.is_deferred() => {
                self.submit_deferred(ticket, call.arguments.len(), call).map(|()| None)
            }
            AnyCall::Tool(call) => self.begin(ticket, call.arguments.len(), call, waits),
            AnyCall::Http(call) => self.begin(ticket, call.body_length(), call, waits),
            AnyCall::Capability(call) => self.begin(ticket, call.arguments.len(), call, waits),
        }
    }

    /// Decides about a call that is answered later. An approver is asked first, while the program waits.
    fn submit_deferred(&mut self, ticket: u32, length: usize, call: ToolCall<'static>) -> Result<(), Stop> {
        let room = self.limits().payload.saturating_sub(self.in_flight.held());
        let length = length + FRAME;
        let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
        let (number, admitted) = if length as u64 <= room {
            memory.within(|| self.admit(&call))?
        } else {
            self.no_room(length as u64, room);
            let number = call.begin(&mut self.record(), self.limits());
            (number, Err(ToolError::budget(too_much(room))))
        };
        let scope = Arc::clone(&self.scope);
        let result = match admitted {
            Err(error) => Err(error),
            Ok(Admitted { checked, question }) => match scope.answer(question)? {
                Err(reason) => Err(call.refused(number, reason, &scope)),
                Ok(()) => self.keep_arguments(&call.arguments).map(|()| checked.into_arguments(&memory)),
            },
        };
        self.in_flight.begin_deferred(ticket, number, length as u64);
        match (result, scope.deferrals.take(number)) {
            (_, Some(question)) => {
                let asked = Asked::approval(question, call.submitted(), true);
                self.in_flight.board().defer(Deferral { ticket, number, asked, memory });
            }
            (Ok(arguments), None) => self.defer((number, ticket), &call, arguments, memory),
            (Err(error), None) => self.finish_with(ticket, number, call, error),
        }
        Ok(())
    }

    /// Ends a submitted call of a tool with an error.
    pub(super) fn finish_with(&self, ticket: u32, number: CallNumber, call: ToolCall<'static>, error: ToolError) {
        let finish: Finish = Box::new(move |broker| ToolCall::reply(&broker.complete(&call, number, Err(error))));
        self.in_flight.board().finish(ticket, finish);
    }

    /// Decides about a call with arguments of `length` bytes, and begins or performs it.
    fn begin<C: Submittable + Send + 'static>(
        &mut self,
        ticket: u32,
        length: usize,
        call: C,
        waits: bool,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let room = self.limits().payload.saturating_sub(self.in_flight.held());
        let length = (length + FRAME) as u64;
        if waits && length <= room {
            return self.guard_or_pause(&call).map(Some);
        }
        // The memory that is reserved for the call is released with the job.
        let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
        let (number, admitted) = if length <= room {
            memory.within(|| self.admit(&call))?
        } else {
            self.no_room(length, room);
            let number = call.begin(&mut self.record(), self.limits());
            (number, Err(C::Error::budget(too_much(room))))
        };
        let job = self.job((number, ticket), call, admitted, &memory);
        let _inside = runtime().map_err(|_| Stop::Deadline)?.enter();
        self.in_flight.begin(ticket, number, length, job);
        Ok(None)
    }

    /// The task that waits for the decision about a call and for its turn, and performs it. `memory` is what is reserved for it.
    pub(super) fn job<C: Submittable + Send + 'static>(
        &self,
        (number, ticket): (CallNumber, u32),
        call: C,
        admitted: Admission<C>,
        memory: &Arc<work::Call>,
    ) -> Job {
        let (scope, call) = (Arc::clone(&self.scope), Arc::new(call));
        // In a replay, the results that have places could be those that the recorded run got last.
        let is_replay = scope.oversight.recording.as_ref().is_some_and(|recording| recording.is_replay());
        let turn = call.turn().cloned().unwrap_or_else(|| self.in_flight.turn());
        let (board, own) = (Arc::clone(self.in_flight.board()), Arc::clone(memory));
        let job = async move {
            let result = match admitted {
                Err(error) => Err(error),
                Ok(admitted) => perform(&call, (number, ticket), admitted, &scope, &turn, &board).await,
            };
            turn.leave_process();
            if result.is_err()
                && let Some(question) = scope.deferrals.take(number)
            {
                turn.give_back();
                let asked = Asked::approval(question, call.submitted(), false);
                board.defer(Deferral { ticket, number, asked, memory: own });
                return None;
            }
            if is_replay || result.as_ref().map_or(0, |output| output.bytes().len()) <= SHORT {
                turn.give_back();
            }
            let finish: Finish = Box::new(move |broker| {
                turn.give_back();
                C::reply(&broker.complete(&*call, number, result))
            });
            Some(finish)
        };
        Box::pin(memory.within(|| work::Call::along(job)))
    }
}

fn too_much(room: u64) -> String {
    format!(
        "the arguments of the calls that are pending are more than the host keeps for a run ({room} bytes left)\nhint: wait \
         for some of the calls first"
    )
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
        let perform = || scope.perform_as(Some(ticket), || call.perform(number, checked, scope));
        let performed = std::panic::catch_unwind(AssertUnwindSafe(perform));
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
        // The result of a call that was cancelled is dropped.
        let _ = sender.send(performed.ok().flatten());
    };
    board.call_blocking(ticket, Box::new(function), &threads.threads);
    receiver.await.ok().flatten().unwrap_or_else(|| Err(panicked()))
}
