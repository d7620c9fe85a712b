//! Programs in sandboxes of their own, which may wait for approval in a file.

use std::{sync::Arc, time::Duration};

use isolette::{
    Answer, Asks, CapabilityKind, Error, ExecutionResult, PausedCall, PausedRun, RunOptions, Step,
    policy::{Approval, CallRequest, Decision},
};
use serde_json::json;

use super::{
    Shared,
    control::Control,
    outcome::Failure,
    running::Running,
    sandboxes::LanguageSandbox,
    start::within,
    state::{Kept, Origin, Program, State},
};
use crate::measured::RequestMemory;

/// Time between attempts of a program to get a place after its answer.
const AGAIN: Duration = Duration::from_millis(100);

/// The end of a program. The outer error says why it did not begin.
type Through = Result<Result<ExecutionResult, Error>, Failure>;

/// The next step of a program, in the same way.
type Next = Result<Result<Step, Error>, Failure>;

impl Shared {
    /// Sets off a program, or one that waits for an answer: that asks first. `can_ask` says whether the client can be asked.
    pub(super) fn run_program(
        self: &Arc<Self>,
        program: Program,
        can_ask: bool,
        memory: Option<RequestMemory>,
    ) -> Running {
        let shared = Arc::clone(self);
        let defers = can_ask && self.state().is_some();
        Running::start(&self.redaction, self.longest(program.timeout), defers, move |control| {
            Box::pin(async move {
                // The program outlives the request if that is answered with a question or a task.
                let _memory = memory;
                match shared.through(program, &control).await {
                    Ok(result) => shared.ended(result),
                    Err(failure) => shared.not_begun(failure, control.cancel.is_cancelled()),
                }
            })
        })
    }

    async fn through(self: &Arc<Self>, mut program: Program, control: &Control) -> Through {
        let entry = self.sandboxes().choose(Some(program.language.name()))?;
        let mut next = match std::mem::replace(&mut program.origin, Origin::Code(String::new())) {
            Origin::Code(code) => self.begin_program(&program, code, &entry, control).await?,
            Origin::File(file) => self.ask_and_continue(&program, file, None, &entry, control).await?,
        };
        loop {
            match next {
                Ok(Step::Done(result)) => return Ok(Ok(result)),
                Ok(Step::Paused(paused)) => next = self.pause(&program, paused, &entry, control).await?,
                Ok(_) => {
                    return Err(Failure::new("Internal", "the program has come to an unknown step", "report this"));
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    async fn begin_program(
        self: &Arc<Self>,
        program: &Program,
        code: String,
        entry: &LanguageSandbox,
        control: &Control,
    ) -> Next {
        if !control.defers() {
            let options = self.turn_of(program, control).await?;
            return Ok(entry.sandbox.run_async(&code, options).await.map(Step::Done));
        }
        let mut control = control.clone();
        if entry.explanation.policy.approval == Approval::Always {
            // Asked here and not by the sandbox: the program then needs no place meanwhile.
            let saved = Program { origin: Origin::Code(code.clone()), ..program.clone() };
            match control.ask(whole(program, &code), Some(saved)).await {
                _ if control.cancel.is_cancelled() => return Ok(Err(Error::Cancelled { partial: Box::default() })),
                Decision::Deny(message) => return Ok(Err(Error::NotApproved { message })),
                _ => {}
            }
            control = control.of_approved_program();
        }
        let options = self.turn_of(program, &control).await?;
        Ok(entry.sandbox.start_async(&code, options).await)
    }

    /// Waits for the decision about a call, in a file if possible, and continues.
    async fn pause(
        self: &Arc<Self>,
        program: &Program,
        mut paused: PausedRun,
        entry: &LanguageSandbox,
        control: &Control,
    ) -> Next {
        let (state, call) = (self.open_state()?, first(paused.calls())?);
        if call.asks == Asks::Result {
            let message = format!("nobody answers calls of the deferred tool `{}` here", call.target);
            return Ok(paused.resume_async(vec![(call.id, Answer::Error(message))]).await);
        }
        match state.save(paused).await {
            Some(Kept::File(file)) => self.ask_and_continue(program, file, Some(call), entry, control).await,
            Some(Kept::Here(mut paused)) => {
                let decision = control.ask(request_of(&call), None).await;
                Ok(paused.resume_async(vec![(call.id, answer(decision))]).await)
            }
            None => Err(Failure::new("Stopping", "the server is stopping", "call again when it is back")),
        }
    }

    /// Asks about a call of a program that waits in a file, and continues it with the answer.
    async fn ask_and_continue(
        self: &Arc<Self>,
        program: &Program,
        file: String,
        call: Option<PausedCall>,
        entry: &LanguageSandbox,
        control: &Control,
    ) -> Next {
        let state = self.open_state()?;
        let call = match call {
            Some(call) => call,
            None => match state.load(&file).await {
                Ok(saved) => first(&saved.calls())?,
                Err(error) => return Ok(Err(error)),
            },
        };
        let saved = Program { origin: Origin::File(file.clone()), ..program.clone() };
        let decision = control.ask(request_of(&call), Some(saved)).await;
        let options = match self.turn_to_continue(program, control).await {
            Some(options) => options,
            // A program that was cancelled only ends.
            None => within(control.options(), self.budget.clone()),
        };
        let saved = match state.take(&file).await {
            Ok(saved) => saved,
            Err(error) => return Ok(Err(error)),
        };
        let options = options.timeout(program.timeout);
        let mut paused = match entry.sandbox.paused_from(&saved, options) {
            Ok(paused) => paused,
            Err(error) => return Ok(Err(error)),
        };
        drop(saved);
        Ok(paused.resume_async(vec![(call.id, answer(decision))]).await)
    }

    /// The options of a run of this program, once it is its turn.
    async fn turn_of(&self, program: &Program, control: &Control) -> Result<RunOptions, Failure> {
        let (_, place) = self.turn(None, program.client.clone(), &control.cancel).await?;
        let options = within(control.options(), self.budget.clone());
        // The place is released when all work of the run has ended, which may be later than its result.
        Ok(options.timeout(program.timeout).label("client", program.address.clone()).hold(place))
    }

    /// The same for a program that has its answer, which is not lost because others take all places. `None` if it was cancelled.
    async fn turn_to_continue(&self, program: &Program, control: &Control) -> Option<RunOptions> {
        while !control.cancel.is_cancelled() {
            match self.turn_of(program, control).await {
                Ok(options) => return Some(options),
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        }
        None
    }

    fn open_state(&self) -> Result<&Arc<State>, Failure> {
        self.state()
            .ok_or_else(|| Failure::new("Internal", "a program waits, and the server keeps no state", "report this"))
    }
}

/// The question about a program as a whole.
fn whole(program: &Program, code: &str) -> CallRequest {
    let name = program.language.filename();
    CallRequest::new(CapabilityKind::Program, "run", name, json!({ "code": code }))
        .reason("every program needs approval")
}

/// The question about a call that waits.
fn request_of(call: &PausedCall) -> CallRequest {
    let PausedCall { capability, operation, target, arguments, reason, .. } = call;
    CallRequest::new(*capability, operation, target, arguments.clone()).reason(reason)
}

fn first(calls: &[PausedCall]) -> Result<PausedCall, Failure> {
    let none = || Failure::new("Internal", "a program waits for no call", "report this");
    calls.first().cloned().ok_or_else(none)
}

fn answer(decision: Decision) -> Answer {
    match decision {
        Decision::Allow => Answer::Approve,
        Decision::Deny(message) => Answer::Deny(message),
        Decision::Defer => Answer::Deny("the approver did not decide".into()),
    }
}
