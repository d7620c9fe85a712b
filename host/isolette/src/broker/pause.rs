//! Calls of tools that are answered later, calls whose approval was deferred, and programs that wait for those.
//!
//! Such a call takes the same steps as any other, up to its performance. A program that waits for it, while nothing else can
//! go on, is paused: the guest gets no reply. Once the embedder has answered, the reply is made as if the tool had returned
//! just then.

use std::{collections::BTreeMap, sync::Arc};

use isolette_abi::{tickets::Wait, tools::ToolError};
use isolette_types::{Answer, Asks, Error, LimitHit, LimitName, PausedCall};
use isolette_work::{self as work, values::value_bytes};
use serde_json::Value;

use super::{
    Broker, Scope, Stop,
    asked::{Asked, Deferred},
    guard::{Admitted, GuardedCall as _, Submittable as _},
    in_flight::Finish,
    open_call::CallNumber,
    tool_call::{ToolCall, compared},
};

/// The calls of a run that are answered later.
#[derive(Default)]
pub(super) struct Pause {
    calls: BTreeMap<CallNumber, Deferred>,
    /// Submitted calls whose approval has been decided, to be made or refused when the guest goes on.
    pub(super) decided: Vec<(u32, CallNumber, Asked, Answer)>,
    /// What the guest waits for, while it is paused.
    waits_for: Option<WaitsFor>,
}

/// What a paused guest waits for.
pub(super) enum WaitsFor {
    /// The result of one call, which has an answer once the embedder has given one.
    Call(CallNumber, Option<Box<(Asked, Answer)>>),
    /// Replies to what it has submitted.
    Replies(Option<Wait>),
}

impl Pause {
    /// The calls that have no answer.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&CallNumber, &Deferred)> {
        self.calls.iter()
    }

    /// Bytes of their arguments as values.
    fn bytes(&self) -> u64 {
        self.calls.values().map(|call| call.bytes).sum()
    }

    pub(super) fn add(&mut self, number: CallNumber, call: Deferred) {
        self.calls.insert(number, call);
    }

    /// What the guest waits for, if it is paused.
    pub(super) fn waits_for(&self) -> Option<&WaitsFor> {
        self.waits_for.as_ref()
    }

    pub(super) fn wait(&mut self, waits_for: WaitsFor) {
        self.waits_for = Some(waits_for);
    }
}

impl Broker {
    /// Makes a call that is answered later, for which the guest waits.
    pub(super) fn wait_for_answer(&mut self, call: &ToolCall<'_>) -> Result<Vec<u8>, Stop> {
        let memory = work::Call::of(Arc::clone(&self.scope.interrupt));
        let (number, admitted) = memory.within(|| self.admit(call))?;
        let scope = Arc::clone(&self.scope);
        self.finish_other_calls()?;
        let refused = match admitted.and_then(|admitted| self.keep_arguments(&call.arguments).map(|()| admitted)) {
            Err(error) => error,
            Ok(Admitted { checked, question }) => match scope.answer(question)? {
                Err(reason) => match scope.deferrals.take(number) {
                    Some(question) => {
                        let asked = Asked::approval(question, call.submitted(), true);
                        return Err(self.wait_for_approval(number, asked, memory));
                    }
                    None => call.refused(number, reason, &scope),
                },
                Ok(()) => {
                    let name = call.name.clone().into_owned();
                    let arguments = checked.into_arguments(&memory);
                    self.pause.add(number, Deferred::new(Asked::Result { name, arguments }, memory, None));
                    self.pause.wait(WaitsFor::Call(number, None));
                    return Err(Stop::Paused);
                }
            },
        };
        Ok(ToolCall::reply(&self.complete(call, number, Err(refused))))
    }

    /// Waits until all calls that are in flight have completed, but for those that are answered later: in a pause nothing goes
    /// on.
    pub(super) fn finish_other_calls(&mut self) -> Result<(), Stop> {
        self.spawn_jobs()?;
        let (scope, board) = (Arc::clone(&self.scope), Arc::clone(self.in_flight.board()));
        // Calls that wait for places of results are not performed before the program has got these.
        loop {
            self.take_deferrals()?;
            if self.in_flight.unfinished() <= self.deferred_tickets() || self.in_flight.is_congested() {
                return Ok(());
            }
            match board.next_blocking() {
                Some((_, function)) => scope.deadline.cpu().exclude(function),
                None => scope.wait(board.changed())?,
            }
        }
    }

    /// Counts the arguments of a call that is answered later. They are kept as long as the program is paused, so all of a run
    /// together are limited.
    pub(super) fn keep_arguments(&mut self, arguments: &[u8]) -> Result<(), ToolError> {
        let (limit, used) = self.arguments_with(arguments);
        if used > limit {
            self.record().reached(LimitHit::new(LimitName::Payload, limit, used));
            return Err(ToolError::Budget(format!(
                "the arguments of the calls that wait for answers would take {used} bytes in the host, which keeps {limit} for \
                 a run\nhint: wait for some of the calls first"
            )));
        }
        Ok(())
    }

    /// The limit on the arguments of all calls that are answered later, and their bytes with those of one more.
    pub(super) fn arguments_with(&self, arguments: &[u8]) -> (u64, u64) {
        (self.limits().payload, value_bytes(arguments).saturating_add(self.pause.bytes()))
    }

    fn deferred_tickets(&self) -> usize {
        self.pause.calls.values().filter(|call| call.ticket.is_some()).count()
    }

    /// Notes a submitted call that is answered later.
    pub(super) fn defer(
        &mut self,
        (number, ticket): (CallNumber, u32),
        call: &ToolCall<'_>,
        arguments: Value,
        memory: Arc<work::Call>,
    ) {
        let name = call.name.clone().into_owned();
        self.pause.add(number, Deferred::new(Asked::Result { name, arguments }, memory, Some(ticket)));
    }

    /// Forgets a call that the guest does not want any more.
    pub(super) fn forget(&mut self, call: CallNumber) {
        self.pause.calls.remove(&call);
    }

    /// Whether all calls that have not completed are answered later, so that waiting for them would take too long.
    pub(super) fn waits_for_answers_only(&self) -> bool {
        let deferred = self.deferred_tickets();
        deferred > 0 && self.in_flight.unfinished() == deferred
    }

    /// Waits for replies, and notes what the guest waits for if it is paused meanwhile.
    pub(super) fn replies_or_pause(&mut self, wait: Option<&Wait>) -> Result<Vec<u8>, Stop> {
        let replies = self.replies(wait);
        if replies == Err(Stop::Paused) {
            self.pause.wait(WaitsFor::Replies(wait.cloned()));
        }
        replies
    }

    /// The calls for whose answers the program waits.
    pub(crate) fn paused_calls(&self) -> Vec<PausedCall> {
        self.pause.calls.iter().map(|(number, call)| call.asked.shown(*number)).collect()
    }

    /// Takes answers, before the program is resumed. It changes nothing if one is for no call.
    pub(crate) fn take_answers(&mut self, answers: Vec<(u64, Answer)>) -> Result<(), Error> {
        let mut calls: BTreeMap<_, _> =
            self.pause.calls.iter().map(|(number, call)| (number.0, call.asked.asks())).collect();
        for (id, answer) in &answers {
            let Some(asks) = calls.remove(id) else {
                return Err(Error::invalid(
                    format!("there is no call {id} that waits for an answer"),
                    "answer the calls that wait, each once and by its `id`",
                ));
            };
            if asks != answer.answers() {
                let (waits, hint) = match asks {
                    Asks::Approval => ("approval", "answer with `Answer::Approve` or `Answer::Deny`"),
                    _ => ("the result of a deferred tool", "answer with `Answer::Value` or `Answer::Error`"),
                };
                return Err(Error::invalid(format!("call {id} waits for {waits}"), hint));
            }
        }
        for (id, given) in answers {
            let number = CallNumber(id);
            let Some(Deferred { asked, ticket, .. }) = self.pause.calls.remove(&number) else { continue };
            match (ticket, asked) {
                (Some(ticket), Asked::Result { name, .. }) => {
                    let finish: Finish = Box::new(move |broker| broker.reply_with(number, &name, given));
                    self.in_flight.board().finish(ticket, finish);
                }
                // It is made on the guest's thread, as any call.
                (Some(ticket), asked) => self.pause.decided.push((ticket, number, asked, given)),
                (None, asked) => {
                    if let Some(WaitsFor::Call(waiting, answer)) = &mut self.pause.waits_for
                        && *waiting == number
                    {
                        *answer = Some(Box::new((asked, given)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the reply that a paused guest waits for, or finds that it has to wait for further answers.
    pub(super) fn reply_after_pause(&mut self) -> Result<Vec<u8>, Stop> {
        for (ticket, number, asked, answer) in std::mem::take(&mut self.pause.decided) {
            self.make_decided(ticket, number, asked, answer)?;
        }
        self.spawn_jobs()?;
        match self.pause.waits_for.take() {
            Some(WaitsFor::Call(number, Some(answered))) => match *answered {
                (Asked::Result { name, .. }, answer) => Ok(self.reply_with(number, &name, answer)),
                (Asked::Approval { what, submitted, .. }, answer) => {
                    self.reply_to_decided(number, &what, &submitted, answer)
                }
            },
            Some(unanswered @ WaitsFor::Call(..)) => {
                self.finish_other_calls()?;
                self.pause.wait(unanswered);
                Err(Stop::Paused)
            }
            Some(WaitsFor::Replies(wait)) => self.replies_or_pause(wait.as_ref()),
            None => Err(Stop::Malformed),
        }
    }

    /// The reply with the answer to a call, whose end is recorded.
    fn reply_with(&mut self, number: CallNumber, name: &str, answer: Answer) -> Vec<u8> {
        let capabilities = Arc::clone(&self.scope.capabilities);
        let call = ToolCall { capabilities, name: name.to_owned().into(), arguments: Vec::new().into(), line: 0 };
        let scope = Arc::clone(&self.scope);
        let result = answered(&call, number, answer, &scope);
        ToolCall::reply(&self.complete(&call, number, result))
    }
}

fn answered(call: &ToolCall<'_>, number: CallNumber, answer: Answer, scope: &Scope) -> Result<Vec<u8>, ToolError> {
    match answer {
        Answer::Value(value) => {
            compared(scope, number, call.tool()?, value).map(|value| value.to_string().into_bytes())
        }
        Answer::Error(message) => Err(ToolError::Failed(message)),
        Answer::Approve | Answer::Deny(_) => Err(ToolError::Failed("the answer is of another kind".into())),
    }
}
