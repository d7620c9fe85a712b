//! Programs that continue after their call was answered, as defined by the extension `io.modelcontextprotocol/tasks`
//! (SEP-2663): the client gets a task in place of the result and polls it until it has ended. Questions to a person are
//! delivered the same way.
//!
//! Only clients that declare support for tasks get one, and a program in a task has no more time, places or rights than
//! any other.

mod entry;
mod records;
mod store;

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{
    ErrorData, RoleServer,
    model::{CreateTaskResult, DetailedTask, InputResponses},
    service::RequestContext,
};
use tokio::{sync::oneshot, time::Instant};

pub(super) use self::store::Tasks;
use self::{entry::SavedQuestion, store::object};
use super::{
    Shared,
    approval::{self, Way},
    control::{Question, Saved},
    parked::after,
    running::{Caller, Ended, Event, Running},
    state::{Finished, Program, Record, State, Subject, TaskFacts, TaskStage},
};

impl Shared {
    pub(super) fn offers_tasks(&self) -> bool {
        self.limits.tasks > 0
    }

    pub(super) fn offers_tasks_to(&self, context: &RequestContext<RoleServer>) -> bool {
        self.offers_tasks() && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks())
    }

    /// Continues a program as a task. Returns the program if there is no room for another task.
    pub(super) async fn go_on_as_task(
        self: &Arc<Self>,
        mut running: Running,
        way: Way,
    ) -> Result<CreateTaskResult, Box<Running>> {
        let longest = running.longest();
        let Some((id, created, cancel)) = self.tasks.begin(longest) else { return Err(Box::new(running)) };
        running.go_on_unheard();
        // The client knows the task from here on. It may have taken the room of others.
        self.record_task(&id).await;
        self.sweep_tasks().await;
        self.see_through(id, running, way != Way::None, cancel, None);
        Ok(created)
    }

    /// Continues a task of an earlier process whose program waits for a decision.
    pub(super) async fn take_over_task(
        self: &Arc<Self>,
        id: String,
        mut facts: TaskFacts,
        (until, program): (SystemTime, Program),
    ) {
        // The program asks the same again, under the same name.
        facts.questions = facts.questions.saturating_sub(1);
        let Some(cancel) = self.tasks.begin_again(&id, facts) else {
            self.forget(&program.origin).await;
            return;
        };
        let mut running = self.run_program_again(program);
        // The question comes before any client can answer it. A program that cannot ask ends at once.
        let first = match running.next(&Caller::until_cancelled(cancel.clone())).await {
            Event::Asked(question) => {
                let remaining = until.duration_since(SystemTime::now()).unwrap_or_default();
                self.pose(&id, *question, Some(remaining), running.longest()).await
            }
            Event::Ended(ended) => {
                running.put_back(*ended);
                None
            }
        };
        self.see_through(id, running, true, cancel, first);
    }

    /// Takes a task of an earlier process over that has ended, or whose program has ended with that process.
    pub(super) async fn take_over_end(self: &Arc<Self>, id: &str, facts: TaskFacts, end: Option<(Finished, bool)>) {
        let lost = "the server ended while the program ran; it is not known how far it came";
        let is_lost = end.is_none();
        let failed = || (Finished::Failed(object(&ErrorData::internal_error(lost, None))), false);
        let (end, fetched) = end.unwrap_or_else(failed);
        self.tasks.end_again(id, facts, end, fetched);
        if is_lost {
            self.record_task(id).await;
        }
    }

    /// Drops results of an earlier process for which there is no room.
    pub(super) async fn make_room_for_tasks(&self) {
        for id in self.tasks.make_room() {
            self.record_task(&id).await;
        }
    }

    /// Returns the state of a task.
    pub(super) async fn task(&self, id: &str) -> Result<DetailedTask, ErrorData> {
        let (task, is_first) = match self.state() {
            // A client sees nothing that another process would not know.
            Some(state) => state.settled(|| self.tasks.get(id)).await,
            None => self.tasks.get(id),
        }?;
        if is_first {
            self.record_task(id).await;
        }
        Ok(task)
    }

    /// Passes answers to the pending question of a task. Once this returns, no other process asks it again.
    pub(super) async fn update_task(&self, id: &str, responses: &InputResponses) -> Result<(), ErrorData> {
        if let (Some(state), Some(facts)) = (self.state(), self.tasks.answerable(id, responses)?) {
            let subject = Subject::Task { facts, stage: TaskStage::Working };
            let written = state.write(|| Some(Record { name: id.to_owned(), subject })).await;
            written.map_err(|error| {
                ErrorData::internal_error(
                    format!("the server cannot record the answer, and still waits: {error}"),
                    None,
                )
            })?;
        }
        self.tasks.update(id, responses)
    }

    /// Writes the record of a task, for another process.
    async fn record_task(&self, id: &str) {
        self.change_task(id, || {}).await;
    }

    /// Changes a task, and writes its record for another process before a client sees the change.
    async fn change_task<T: Default>(&self, id: &str, change: impl FnOnce() -> T) -> T {
        let Some(state) = self.state() else { return change() };
        let mut done = T::default();
        let record = || {
            done = change();
            let (facts, stage) = self.tasks.stage(id)?;
            Some(Record { name: id.to_owned(), subject: Subject::Task { facts, stage } })
        };
        // The task goes on here in any case.
        let _ = state.write(record).await;
        done
    }

    /// Continues the program of a task to its end, in the background. `posed` is a question to begin with.
    fn see_through(
        self: &Arc<Self>,
        id: String,
        running: Running,
        can_ask: bool,
        cancel: CancellationToken,
        posed: Option<Posed>,
    ) {
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let caller = Caller::until_cancelled(cancel);
            let ended = shared.to_its_end(&id, running, can_ask, &caller, posed).await;
            let _changing = shared.state().map(State::change);
            for changed in shared.change_task(&id, || shared.tasks.end(&id, ended)).await {
                shared.record_task(&changed).await;
            }
            shared.sweep_tasks().await;
        });
    }

    async fn to_its_end(
        &self,
        id: &str,
        mut running: Running,
        can_ask: bool,
        caller: &Caller,
        mut posed: Option<Posed>,
    ) -> Result<Ended, ErrorData> {
        let longest = running.longest();
        let mut until = Instant::now() + longest;
        loop {
            let event = match posed.take() {
                None => tokio::time::timeout_at(until, running.next(caller)).await,
                // The program waits in a file, which takes none of its time.
                Some(posed) if posed.is_saved => {
                    let answered = self.answer(id, posed, &mut running, caller).await;
                    until = Instant::now() + longest;
                    match answered {
                        Some(event) => Ok(event),
                        None => continue,
                    }
                }
                Some(posed) => {
                    match tokio::time::timeout_at(until, self.answer(id, posed, &mut running, caller)).await {
                        Ok(Some(event)) => Ok(event),
                        Ok(None) => continue,
                        Err(elapsed) => Err(elapsed),
                    }
                }
            };
            let question = match event {
                Ok(Event::Ended(ended)) => return Ok(*ended),
                Ok(Event::Asked(question)) => *question,
                Err(_) => {
                    tokio::spawn(running.end());
                    let why = format!("the program was ended: it may take {} s altogether", longest.as_secs());
                    return Err(ErrorData::internal_error(why, None));
                }
            };
            if can_ask {
                posed = self.pose(id, question, None, longest).await;
            } else {
                approval::deny_unasked(question);
            }
        }
    }

    /// Makes a question available to clients that poll the task. `remaining` is the rest of its time if it was asked before.
    /// `None` if the task no longer exists.
    async fn pose(
        &self,
        id: &str,
        mut question: Question,
        remaining: Option<Duration>,
        longest: Duration,
    ) -> Option<Posed> {
        let request = approval::question(&question.request, &self.redaction);
        let timeout = remaining.unwrap_or_else(|| self.approval_timeout(&question));
        let (saved, changing) = question.saved.take().map(|Saved { program, changing }| (program, changing)).unzip();
        let is_saved = saved.is_some();
        let saved = saved.map(|program| SavedQuestion { program, until: after(timeout) });
        // One that was asked before has its time already.
        let more = if remaining.is_some() { Duration::ZERO } else { timeout.saturating_add(longest) };
        let decision = self.change_task(id, || self.tasks.ask(id, request, saved, more)).await?;
        drop(changing);
        Some(Posed { question, decision, timeout, is_saved })
    }

    /// Waits for the answer to a question and passes it to the program, unless the program ends first.
    async fn answer(&self, id: &str, posed: Posed, running: &mut Running, caller: &Caller) -> Option<Event> {
        let Posed { question, decision, timeout, is_saved } = posed;
        let answer = running.meanwhile(caller, tokio::time::timeout(timeout, decision)).await;
        self.tasks.go_on(id);
        if is_saved && !matches!(answer, Ok(Ok(Ok(_)))) {
            // An answer is on record before it comes here.
            self.record_task(id).await;
        }
        match answer {
            Err(event) => Some(event),
            Ok(answer) => {
                let decision = match answer {
                    Ok(Ok(decision)) => decision,
                    _ => Decision::deny("the approver did not answer in time"),
                };
                let _ = question.answer.send(decision);
                None
            }
        }
    }
}

/// A question that clients can see, and the answer to come.
struct Posed {
    question: Question,
    decision: oneshot::Receiver<Decision>,
    timeout: Duration,
    /// Whether the program waits in a file.
    is_saved: bool,
}
