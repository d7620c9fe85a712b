//! Programs in sandboxes of their own, which may wait for approval in a file.

use std::{sync::Arc, time::Duration};

use isolette::{
    Answer, Asks, CancellationToken, Error, ExecutionResult, PausedCall, PausedRun, RunOptions, Step, Unit,
    policy::{Approval, CallRequest, Decision},
};

use super::{
    Shared,
    control::{Control, Saved},
    outcome::Failure,
    running::Running,
    sandboxes::LanguageSandbox,
    start::within,
    state::{Changing, Origin, Paused, Program, State},
};
use crate::measured::RequestMemory;

/// Time between attempts of a program to get a place after its answer.
const AGAIN: Duration = Duration::from_millis(100);

/// The end of a program. The outer error says why it did not begin.
type Through = Result<Result<ExecutionResult, Error>, Failure>;

/// The next step of a program, in the same form.
type Next = Result<Result<Step, Error>, Failure>;

/// A program, from its beginning to its end in this process.
struct ProgramRun {
    program: Program,
    entry: Arc<LanguageSandbox>,
    control: Control,
    /// For the text of the program, as long as that is kept.
    memory: Option<RequestMemory>,
}

impl Shared {
    /// Starts a program that a client has sent. `can_ask` says whether the client can be asked.
    pub(super) fn run_program(
        self: &Arc<Self>,
        program: Program,
        can_ask: bool,
        memory: Option<RequestMemory>,
    ) -> Running {
        self.set_off(program, can_ask && self.state().is_some(), false, memory)
    }

    /// Starts a program that waited in another process: whatever the policy is now, it asks first, and waits for the answer.
    pub(super) fn run_program_again(self: &Arc<Self>, program: Program) -> Running {
        self.set_off(program, true, true, None)
    }

    fn set_off(
        self: &Arc<Self>,
        program: Program,
        defers: bool,
        asks_first: bool,
        memory: Option<RequestMemory>,
    ) -> Running {
        let shared = Arc::clone(self);
        Running::start(&self.redaction, self.longest(program.timeout), defers, move |control| {
            Box::pin(async move {
                let cancel = control.cancel.clone();
                match shared.through(program, asks_first, control, memory).await {
                    Ok(result) => shared.ended(result),
                    Err(failure) => shared.not_begun(failure, cancel.is_cancelled()),
                }
            })
        })
    }

    async fn through(
        self: &Arc<Self>,
        program: Program,
        asks_first: bool,
        control: Control,
        memory: Option<RequestMemory>,
    ) -> Through {
        let origin = program.origin.clone();
        let entry = match self.sandboxes().choose(Some(program.language.name())) {
            Ok(entry) => entry,
            Err(failure) => {
                self.forget(&origin).await;
                return Err(failure);
            }
        };
        let mut run = ProgramRun { program, entry, control, memory };
        let mut next = match origin {
            Origin::Code { name, code } => self.begin_program(&mut run, &name, &code, asks_first).await?,
            Origin::File(file) => {
                let state = self.open_state()?;
                let calls = state.load(&file).await.map_err(|error| Failure::of(&error));
                match calls.and_then(|saved| first(&saved.calls())) {
                    Ok(call) => self.ask_and_continue(&run, file, call, state.change()).await?,
                    Err(failure) => {
                        self.forget(&run.program.origin).await;
                        return Err(failure);
                    }
                }
            }
        };
        loop {
            match next {
                Ok(Step::Done(result)) => return Ok(Ok(result)),
                Ok(Step::Paused(paused)) => next = self.pause(&mut run, paused).await?,
                Ok(_) => {
                    return Err(Failure::new("Internal", "the program has come to an unknown step", "report this"));
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    async fn begin_program(self: &Arc<Self>, run: &mut ProgramRun, name: &str, code: &str, asks_first: bool) -> Next {
        let (sandbox, policy) = (&run.entry.sandbox, &run.entry.explanation.policy);
        if !run.control.defers() {
            let options = self.turn_of(run).await?;
            return Ok(sandbox.run_async(code, options).await.map(Step::Done));
        }
        if asks_first || policy.approval == Approval::Always {
            let limit = policy.limits.code;
            if code.len() as u64 > limit {
                self.forget(&run.program.origin).await;
                let (what, unit, used) = ("code", Unit::Bytes, code.len() as u64);
                return Ok(Err(Error::LimitExceeded { what, unit, limit, used }));
            }
            // Asked here and not by the sandbox: the program then needs no place meanwhile.
            let state = self.open_state()?;
            // One that waited in another process is counted already.
            if !asks_first && !state.admit(name, code.len() as u64) {
                return Err(Failure::new(
                    "Busy",
                    "as many programs wait for approval as there can be",
                    "have some of them approved or declined, or try again later",
                ));
            }
            let saved = Saved { program: run.program.clone(), changing: state.change() };
            let request = CallRequest::of_program(run.program.language.filename(), code);
            let decision = run.control.ask(request, Some(saved)).await;
            state.dismiss(name);
            match decision {
                _ if run.control.cancel.is_cancelled() => return Ok(Err(cancelled())),
                Decision::Allow => {}
                Decision::Deny(message) => return Ok(Err(Error::NotApproved { message })),
                Decision::Defer => {
                    return Ok(Err(Error::NotApproved { message: "the approver did not decide".into() }));
                }
            }
            run.control.approve_program();
            return Ok(match self.turn_to_continue(run, &run.control.cancel).await {
                Some(options) => run.entry.sandbox.start_async(code, options).await,
                None => Err(cancelled()),
            });
        }
        let options = self.turn_of(run).await?;
        Ok(sandbox.start_async(code, options).await)
    }

    /// Waits for the decision about a call, in a file if possible, and continues.
    async fn pause(self: &Arc<Self>, run: &mut ProgramRun, mut paused: PausedRun) -> Next {
        let (state, call) = (self.open_state()?, first(paused.calls())?);
        if call.asks == Asks::Result {
            let message = format!("this server does not answer calls of the deferred tool `{}`", call.target);
            return Ok(paused.resume_async(vec![(call.id, Answer::Error(message))]).await);
        }
        match state.save(paused).await {
            Some(Paused::File(file, change)) => {
                // What is in the file needs no memory of the request any more.
                run.memory = None;
                run.program.origin = Origin::File(file.clone());
                self.ask_and_continue(run, file, call, change).await
            }
            Some(Paused::Here(mut paused)) => {
                let decision = run.control.ask(request_of(&call), None).await;
                Ok(paused.resume_async(vec![(call.id, answer(decision))]).await)
            }
            None => Err(Failure::new("Stopping", "the server is stopping", "call again when it is back")),
        }
    }

    /// Asks about a call of a program that waits in a file, and continues it with the answer.
    async fn ask_and_continue(
        self: &Arc<Self>,
        run: &ProgramRun,
        file: String,
        call: PausedCall,
        changing: Changing,
    ) -> Next {
        let state = self.open_state()?;
        let saved = Saved { program: run.program.clone(), changing };
        let decision = run.control.ask(request_of(&call), Some(saved)).await;
        // One that was cancelled needs a place as well, to be ended.
        let options = self.turn_to_continue(run, &CancellationToken::new()).await;
        let continued = match options {
            Some(options) => Self::load_to_continue(run, state, &file, options).await,
            None => Err(cancelled()),
        };
        // It must not be possible to continue it once more, whatever happens from here on.
        match (continued, state.remove_program(&file).await) {
            (Ok(mut paused), Ok(())) => Ok(paused.resume_async(vec![(call.id, answer(decision))]).await),
            (Err(error), _) | (Ok(_), Err(error)) => Ok(Err(error)),
        }
    }

    /// Loads a program, which does not go on yet.
    async fn load_to_continue(
        run: &ProgramRun,
        state: &Arc<State>,
        file: &str,
        options: RunOptions,
    ) -> Result<PausedRun, Error> {
        let saved = state.load(file).await?;
        let entry = Arc::clone(&run.entry);
        // Its memory and its files are written, which can take a while.
        let load = move || entry.sandbox.paused_from(&saved, options);
        tokio::task::spawn_blocking(load).await.unwrap_or_else(|_| Err(cancelled()))
    }

    /// The options of a run of this program, once it is its turn.
    async fn turn_of(&self, run: &ProgramRun) -> Result<RunOptions, Failure> {
        let (_, place) = self.turn(None, run.program.client.clone(), &run.control.cancel).await?;
        // The place is released when all work of the run has ended, which may be later than its result.
        Ok(self.options(run).hold(place))
    }

    /// The same for a program that has its answer, which is not lost because others take all places. `None` once `cancel` is
    /// cancelled.
    async fn turn_to_continue(&self, run: &ProgramRun, cancel: &CancellationToken) -> Option<RunOptions> {
        while !cancel.is_cancelled() {
            match self.turn(None, run.program.client.clone(), cancel).await {
                Ok((_, place)) => return Some(self.options(run).hold(place)),
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
        }
        None
    }

    /// The time of a program that waited in another process is limited by the present policy.
    fn options(&self, run: &ProgramRun) -> RunOptions {
        let timeout = run.program.timeout.min(run.entry.explanation.policy.limits.timeout);
        within(run.control.options(), self.budget.clone()).timeout(timeout).label("client", run.program.address.clone())
    }

    /// Removes the stored origin of a program that will not continue from it.
    pub(super) async fn forget(&self, origin: &Origin) {
        let Some(state) = self.state() else { return };
        match origin {
            Origin::Code { name, .. } => state.dismiss(name),
            Origin::File(file) => {
                if let Err(error) = state.remove_program(file).await {
                    tracing::warn!("{error}");
                }
            }
        }
    }

    fn open_state(&self) -> Result<&Arc<State>, Failure> {
        self.state()
            .ok_or_else(|| Failure::new("Internal", "a program waits, and the server keeps no state", "report this"))
    }
}

fn cancelled() -> Error {
    Error::Cancelled { partial: Box::default() }
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
