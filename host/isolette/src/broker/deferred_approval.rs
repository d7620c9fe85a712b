//! Calls whose approval the approver has deferred.
//!
//! Such a call has been counted, checked and charged, and nothing of it has been performed. It waits as the guest submitted it,
//! and once it is approved it is checked again, with the rights of that moment, and performed. So it can also be approved in another
//! process, whose host has made none of these steps.

use std::sync::Arc;

use isolette_abi::{decode, tickets::Submitted};
use isolette_types::{Answer, ApprovalOutcome, LimitHit, LimitName};
use isolette_work as work;

use super::{
    Broker, Stop,
    any_call::AnyCall,
    asked::{Asked, Deferred},
    call_error::SubmittedError as _,
    decisions::refusal,
    guard::{Admitted, Submittable},
    in_flight::{Deferral, Turn},
    open_call::CallNumber,
    pause::WaitsFor,
    tool_call::ToolCall,
};

impl Broker {
    /// Keeps a call for which the guest waits, until its approval is decided.
    pub(super) fn wait_for_approval(&mut self, number: CallNumber, asked: Asked, memory: Arc<work::Call>) -> Stop {
        self.pause.add(number, Deferred::new(asked, memory, None));
        self.pause.wait(WaitsFor::Call(number, None));
        Stop::Paused
    }

    /// Keeps the submitted calls whose approval has been deferred. One that is too much to keep is refused.
    pub(super) fn take_deferrals(&mut self) -> Result<(), Stop> {
        let board = Arc::clone(self.in_flight.board());
        while let Some(Deferral { ticket, number, asked, memory }) = board.next_deferral() {
            if !self.in_flight.is_open(ticket) {
                continue;
            }
            let (limit, used) = self.arguments_with(asked.arguments().to_string().as_bytes());
            if used > limit {
                self.record().reached(LimitHit::new(LimitName::Payload, limit, used));
                let message = format!(
                    "the arguments of the calls that wait for approval would take {used} bytes in the host, which keeps {limit} \
                     for a run\nhint: wait for some of the calls first"
                );
                self.make_decided(ticket, number, asked, Answer::Error(message))?;
            } else {
                self.pause.add(number, Deferred::new(asked, memory, Some(ticket)));
            }
        }
        Ok(())
    }

    /// Makes or refuses a call for which the guest waits, and returns the reply.
    pub(super) fn reply_to_decided(
        &mut self,
        number: CallNumber,
        what: &str,
        submitted: &[u8],
        answer: Answer,
    ) -> Result<Vec<u8>, Stop> {
        let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
        Arc::clone(&memory).within(|| match self.submitted_again(submitted, None)? {
            AnyCall::Tool(call) if answer == Answer::Approve && call.is_deferred() => {
                match self.decide(&call, number, what, answer)? {
                    Ok(checked) => {
                        let asked = result_of(&call, checked.into_arguments(&memory));
                        self.finish_other_calls()?;
                        self.pause.add(number, Deferred::new(asked, Arc::clone(&memory), None));
                        self.pause.wait(WaitsFor::Call(number, None));
                        Err(Stop::Paused)
                    }
                    Err(error) => Ok(ToolCall::reply(&self.complete(&call, number, Err(error)))),
                }
            }
            AnyCall::Tool(call) => self.decided(number, &call, what, answer),
            AnyCall::Http(call) => self.decided(number, &call, what, answer),
            AnyCall::Capability(call) => self.decided(number, &call, what, answer),
        })
    }

    fn decided<C: Submittable>(
        &mut self,
        number: CallNumber,
        call: &C,
        what: &str,
        answer: Answer,
    ) -> Result<Vec<u8>, Stop> {
        let result = match self.decide(call, number, what, answer)? {
            Ok(checked) => self.perform(call, number, checked)?,
            Err(error) => Err(error),
        };
        if result.is_err() {
            self.scope.deadline.check()?;
        }
        Ok(C::reply(&self.complete(call, number, result)))
    }

    /// Makes or refuses a submitted call. What comes of it is a reply like any other.
    pub(super) fn make_decided(
        &mut self,
        ticket: u32,
        number: CallNumber,
        asked: Asked,
        answer: Answer,
    ) -> Result<(), Stop> {
        let Asked::Approval { what, submitted, .. } = asked else { return Ok(()) };
        let turn = self.in_flight.turn();
        match self.submitted_again(&submitted, Some(turn))? {
            AnyCall::Tool(call) if answer == Answer::Approve && call.is_deferred() => {
                let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
                match memory.within(|| self.decide(&call, number, &what, answer))? {
                    Ok(checked) => {
                        let asked = result_of(&call, checked.into_arguments(&memory));
                        self.pause.add(number, Deferred::new(asked, memory, Some(ticket)));
                    }
                    Err(error) => self.finish_with(ticket, number, call, error),
                }
                Ok(())
            }
            AnyCall::Tool(call) => self.begin_decided((number, ticket), call, &what, answer),
            AnyCall::Http(call) => self.begin_decided((number, ticket), call, &what, answer),
            AnyCall::Capability(call) => self.begin_decided((number, ticket), call, &what, answer),
        }
    }

    fn begin_decided<C: Submittable + Send + 'static>(
        &mut self,
        (number, ticket): (CallNumber, u32),
        call: C,
        what: &str,
        answer: Answer,
    ) -> Result<(), Stop> {
        let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
        let decided = memory.within(|| self.decide(&call, number, what, answer))?;
        let admitted = decided.map(|checked| Admitted { checked, question: None });
        let job = self.job((number, ticket), call, admitted, &memory);
        self.in_flight.begin_again(ticket, job)
    }

    /// Records the decision about a call. If it is approved, it is checked again: the rights may be others by now. An error
    /// instead of a decision means that it was too much to keep.
    fn decide<C: Submittable>(
        &self,
        call: &C,
        number: CallNumber,
        what: &str,
        answer: Answer,
    ) -> Result<Result<C::Checked, C::Error>, Stop> {
        let scope = &*self.scope;
        match answer {
            Answer::Approve => {
                scope.record().approval(number, ApprovalOutcome::Approved);
                scope.deferrals.approve(number);
                let checked = match call.check(number, scope)? {
                    Ok(checked) => checked,
                    Err(error) => return Ok(Err(error)),
                };
                Ok(match call.agree(number, &checked, scope)? {
                    Ok(_) => Ok(checked),
                    Err(reason) => Err(call.refused(number, reason, scope)),
                })
            }
            Answer::Error(message) => Ok(Err(C::Error::budget(message))),
            Answer::Deny(message) => {
                scope.record().approval(number, ApprovalOutcome::Refused);
                Ok(Err(call.refused(number, refusal(what, &message), scope)))
            }
            Answer::Value(_) => Err(Stop::Malformed),
        }
    }

    /// The call that was kept in the form in which guests submit calls.
    fn submitted_again(&mut self, submitted: &[u8], turn: Option<Turn>) -> Result<AnyCall, Stop> {
        let submitted: Submitted<'_> = decode(submitted).map_err(|_| Stop::Malformed)?;
        self.any_call(&submitted, turn)
    }
}

/// A deferred tool whose call is approved waits for its result next.
fn result_of(call: &ToolCall<'_>, arguments: serde_json::Value) -> Asked {
    Asked::Result { name: call.name.clone().into_owned(), arguments }
}
