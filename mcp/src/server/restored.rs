//! The state of an earlier process of the server.

use std::{sync::Arc, time::SystemTime};

use isolette::{CancellationToken, Error};

use super::{
    Shared,
    control::Question,
    running::{Caller, Event},
    state::{Origin, Program, Record, State, Subject, TaskStage},
};

impl Shared {
    /// Takes over the records of an earlier process. Returns why programs cannot be taken over: their records stay until their time
    /// is up.
    pub(super) async fn take_over(self: &Arc<Self>, records: Vec<Record>) -> Vec<String> {
        let mut refused = Vec::new();
        for Record { name, subject } in records {
            if let Some((until, program)) = subject.waiting()
                && *until > SystemTime::now()
                && let Err(reason) = self.check(program).await
            {
                refused.push(format!("a program that waits for approval cannot be taken over: {reason}"));
                if let Some(state) = self.state() {
                    state.leave(&name);
                }
                continue;
            }
            match subject {
                Subject::Parked { until, program } => self.take_over_parked(name, until, program).await,
                Subject::Task { facts, stage: TaskStage::Asked { until, program } } => {
                    self.take_over_task(name, facts, (until, program)).await;
                }
                Subject::Task { facts, stage: TaskStage::Working } => self.take_over_end(&name, facts, None).await,
                Subject::Task { facts, stage: TaskStage::Finished { end, fetched } } => {
                    self.take_over_end(&name, facts, Some((end, fetched))).await;
                }
            }
        }
        self.make_room_for_tasks().await;
        if let Some(state) = self.state() {
            state.set_taken_over();
        }
        self.sweep_tasks().await;
        refused
    }

    /// Checks that a program can be continued here, as far as that is known before.
    async fn check(&self, program: &Program) -> Result<(), String> {
        self.sandboxes().choose(Some(program.language.name())).map_err(|failure| failure.message)?;
        match (&program.origin, self.state()) {
            (Origin::File(file), Some(state)) => state.load(file).await.map(drop).map_err(|error| error.to_string()),
            _ => Ok(()),
        }
    }

    async fn take_over_parked(self: &Arc<Self>, name: String, until: SystemTime, program: Program) {
        let Ok(remaining) = until.duration_since(SystemTime::now()) else {
            self.forget(&program.origin).await;
            self.remove_record(&name).await;
            return;
        };
        let mut running = self.run_program_again(program);
        let question = match running.next(&Caller::until_cancelled(CancellationToken::new())).await {
            // It is on record.
            Event::Asked(question) => Some(Question { saved: None, ..*question }),
            Event::Ended(ended) => {
                running.put_back(*ended);
                None
            }
        };
        self.keep_parked(name, running, question, remaining);
    }

    /// Removes the records of tasks that were dropped.
    pub(super) async fn sweep_tasks(&self) {
        if let Some(state) = self.state() {
            state.sweep_tasks(|name| self.tasks.is_known(name)).await;
        }
    }

    pub(super) fn keep(&self, state: State) -> Result<(), Error> {
        self.state.set(Arc::new(state)).map_err(|_| Error::InvalidArgument {
            message: "the server keeps state in a directory already".into(),
            hint: "call `keep_state` once, before the server is served".into(),
        })
    }
}
