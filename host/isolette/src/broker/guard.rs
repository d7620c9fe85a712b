//! The steps of a call of a capability. Every call takes the same steps, in this order: its beginning is recorded, it
//! is counted, resolved and checked, charged to the shared budgets, approved, performed, its output is handed over, and
//! its end is recorded.
//!
//! The steps up to the question for approval are taken when the program makes the call ([`Broker::admit`]). The others
//! are taken at once if the program waits for the call ([`Broker::guard`]), or later, on another thread, if it does not
//! (`tickets.rs`).

use std::{pin::Pin, sync::Arc};

use isolette_abi::Payload;
use isolette_policy::Limits;
use isolette_types::CallOutcome;
use isolette_work as work;

use super::{
    Broker, Record, Scope, Stop,
    asked::Asked,
    call_error::{CallError, SubmittedError},
    decisions::Question,
    in_flight::Turn,
    open_call::CallNumber,
};

/// A call of one capability, as the implementation of each step. The default of a step does nothing.
pub(super) trait GuardedCall: Sync {
    /// What `check` resolves, for use in `perform`.
    type Checked: Send;
    /// The output that the program gets.
    type Output: Output + Send;
    /// The error that the program gets instead.
    type Error: CallError + Send;

    /// Records the beginning, with the digest of the arguments, and with the arguments if they are recorded. Returns the
    /// number of the call.
    fn begin(&self, record: &mut Record, limits: &Limits) -> CallNumber;

    /// Counts the call against the limit of the run.
    fn count(&self, _: &Scope) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Resolves what is called, checks the arguments, and applies the rules of the policy.
    fn check(&self, call: CallNumber, scope: &Scope) -> Result<Result<Self::Checked, Self::Error>, Stop>;

    /// Charges the shared budgets.
    fn charge(&self, _: &Scope) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Applies the checks and starts the approval. The inner error is the reason of a refusal.
    fn agree(&self, call: CallNumber, checked: &Self::Checked, scope: &Scope) -> Result<Agreed, Stop>;

    /// The error for a refused call.
    fn refused(&self, _: CallNumber, reason: String, _: &Scope) -> Self::Error {
        Self::Error::denied(reason)
    }

    /// Whether `perform` blocks the thread for as long as the call takes.
    fn blocks(&self, _: &Self::Checked) -> bool {
        false
    }

    /// Performs the call, or starts it. Called inside the runtime, unless it blocks.
    fn perform<'a>(
        &'a self,
        call: CallNumber,
        checked: Self::Checked,
        scope: &'a Scope,
    ) -> Performed<'a, Result<Self::Output, Self::Error>>;

    /// Called when the program gets the output.
    fn handed_over(&self) {}

    /// The error for an output that is longer than the `room` bytes that remain for payloads.
    fn no_room(&self, room: u64) -> Self::Error;

    /// Length of the result in bytes, for the record.
    fn bytes_in(&self, output: &Self::Output) -> u64 {
        output.bytes().len() as u64
    }
}

/// A call that a program can submit, and not wait for.
pub(super) trait Submittable: GuardedCall<Error: SubmittedError> {
    /// The turn of a call that waits for it in `perform`, after further decisions.
    fn turn(&self) -> Option<&Turn> {
        None
    }

    /// The call as guests submit calls.
    fn submitted(&self) -> Vec<u8>;

    /// The reply to the guest.
    fn reply(result: &Result<HandedOver<Self::Output>, Self::Error>) -> Vec<u8>;
}

/// The result of a call, now or later.
pub(super) enum Performed<'a, T> {
    Now(T),
    /// To be awaited on the runtime.
    Later(Pin<Box<dyn Future<Output = T> + Send + 'a>>),
}

/// Whether a call is admitted, as far as it was decided without the approver.
pub(super) type Admission<C> = Result<Admitted<<C as GuardedCall>::Checked>, <C as GuardedCall>::Error>;

/// The number of a call and its result.
type Attempted<C> = (CallNumber, Result<<C as GuardedCall>::Output, <C as GuardedCall>::Error>);

/// The question for the approver, if there is one, or the reason of a refusal.
pub(super) type Agreed = Result<Option<Question>, String>;

/// What remains of a call that was admitted.
pub(super) struct Admitted<Checked> {
    pub(super) checked: Checked,
    pub(super) question: Option<Question>,
}

/// The output of a call.
pub(super) trait Output {
    /// The bytes that the program gets.
    fn bytes(&self) -> &[u8];

    /// The same, if they can be too long for a message: then they are taken out and kept for the guest to fetch. `None` for
    /// an output that always fits.
    fn long(&mut self) -> Option<&mut Vec<u8>>;
}

impl Output for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn long(&mut self) -> Option<&mut Vec<u8>> {
        Some(self)
    }
}

/// An output whose bytes are in the message or kept for the guest.
pub(super) struct HandedOver<T> {
    pub(super) output: T,
    /// Handle and length.
    kept: Option<(u32, u64)>,
}

impl<T: Output> HandedOver<T> {
    /// The bytes as the message carries them.
    pub(super) fn payload(&self) -> Payload<'_> {
        match self.kept {
            Some((handle, length)) => Payload::Stored { handle, length },
            None => Payload::Inline(self.output.bytes()),
        }
    }
}

impl Broker {
    /// Takes all steps of a call.
    pub(super) fn guard<C: GuardedCall>(&mut self, call: &C) -> Result<Result<HandedOver<C::Output>, C::Error>, Stop> {
        let (number, result) = self.attempt(call)?;
        Ok(self.complete(call, number, result))
    }

    /// Takes all steps of a call and returns the reply, or pauses the program if the approval is deferred.
    pub(super) fn guard_or_pause<C: Submittable>(&mut self, call: &C) -> Result<Vec<u8>, Stop> {
        let (number, result) = self.attempt(call)?;
        if result.is_err()
            && let Some(question) = self.scope.deferrals.take(number)
        {
            self.finish_other_calls()?;
            let asked = Asked::approval(question, call.submitted(), false);
            let memory = work::Call::current().unwrap_or_else(|| work::Call::of(Arc::clone(&self.scope.interrupt)));
            return Err(self.wait_for_approval(number, asked, memory));
        }
        Ok(C::reply(&self.complete(call, number, result)))
    }

    /// Takes the steps of a call up to its result.
    fn attempt<C: GuardedCall>(&mut self, call: &C) -> Result<Attempted<C>, Stop> {
        let (number, admitted) = self.admit(call)?;
        let scope = Arc::clone(&self.scope);
        let result = match admitted {
            Err(error) => Err(error),
            Ok(Admitted { checked, question }) => match scope.answer(question)? {
                Err(reason) => Err(call.refused(number, reason, &scope)),
                Ok(()) => self.perform(call, number, checked)?,
            },
        };
        // The call may have failed because the run has ended.
        if result.is_err() {
            scope.deadline.check()?;
        }
        Ok((number, result))
    }

    /// Performs a call and waits for its result.
    pub(super) fn perform<C: GuardedCall>(
        &self,
        call: &C,
        number: CallNumber,
        checked: C::Checked,
    ) -> Result<Result<C::Output, C::Error>, Stop> {
        match self.scope.perform(call, number, checked) {
            Performed::Now(result) => Ok(result),
            Performed::Later(future) => self.scope.wait(future),
        }
    }

    /// The steps up to the question for approval.
    pub(super) fn admit<C: GuardedCall>(&mut self, call: &C) -> Result<(CallNumber, Admission<C>), Stop> {
        let scope = &*self.scope;
        let number = call.begin(&mut scope.record(), scope.limits());
        if let Err(error) = call.count(scope) {
            return Ok((number, Err(error)));
        }
        let checked = match call.check(number, scope)? {
            Ok(checked) => checked,
            Err(error) => return Ok((number, Err(error))),
        };
        if let Err(error) = call.charge(scope) {
            return Ok((number, Err(error)));
        }
        Ok((
            number,
            match call.agree(number, &checked, scope)? {
                Ok(question) => Ok(Admitted { checked, question }),
                Err(reason) => Err(call.refused(number, reason, scope)),
            },
        ))
    }

    /// The last steps: the output is handed over, and the end is recorded.
    pub(super) fn complete<C: GuardedCall>(
        &mut self,
        call: &C,
        number: CallNumber,
        result: Result<C::Output, C::Error>,
    ) -> Result<HandedOver<C::Output>, C::Error> {
        let result = result.and_then(|mut output| {
            let bytes_in = call.bytes_in(&output);
            match output.long().map_or(Ok(None), |bytes| self.hand_over(bytes)) {
                Ok(kept) => Ok((HandedOver { output, kept }, bytes_in)),
                Err(room) => Err(call.no_room(room)),
            }
        });
        let (outcome, bytes_in) = match &result {
            Ok((_, bytes_in)) => {
                call.handed_over();
                (CallOutcome::Ok, *bytes_in)
            }
            Err(error) => (error.outcome(), 0),
        };
        self.record().end_call(number, outcome, bytes_in);
        result.map(|(handed_over, _)| handed_over)
    }

    /// Keeps bytes that are too long for a message. `Err` is the number of bytes that there is room for.
    fn hand_over(&mut self, bytes: &mut Vec<u8>) -> Result<Option<(u32, u64)>, u64> {
        let length = bytes.len() as u64;
        self.transfers.keep_long(bytes).inspect_err(|room| self.no_room(length, *room))
    }
}

impl Scope {
    /// Waits for the decision about a call. The inner error is the reason of a refusal.
    pub(super) fn answer(&self, question: Option<Question>) -> Result<Result<(), String>, Stop> {
        let Some(question) = question else { return Ok(Ok(())) };
        let answer = self.wait(question.answer())?;
        // The approver may take longer than the run may last; after the deadline no call is made.
        self.deadline.check()?;
        Ok(answer)
    }

    /// Performs a call on this thread, which is the guest's.
    fn perform<'a, C: GuardedCall>(
        &'a self,
        call: &'a C,
        number: CallNumber,
        checked: C::Checked,
    ) -> Performed<'a, Result<C::Output, C::Error>> {
        if call.blocks(&checked) {
            // Time that the implementation takes on this thread is not CPU time of the program.
            self.deadline.cpu().exclude(|| self.perform_as(None, || call.perform(number, checked, self)))
        } else {
            self.perform_as(None, || call.perform(number, checked, self))
        }
    }
}
