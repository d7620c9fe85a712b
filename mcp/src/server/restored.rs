//! The state of an earlier process of the server.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use isolette::{CancellationToken, Error};

use super::{
    Shared,
    running::{Caller, Event},
    state::{Program, Record, State, Subject, TaskStage},
};

impl Shared {
    /// Takes over what an earlier process has left.
    pub(super) async fn take_over(self: &Arc<Self>, records: Vec<Record>) {
        for Record { name, subject } in records {
            match subject {
                Subject::Parked { until, program } => self.take_over_parked(name, until, program).await,
                Subject::Task { facts, stage: TaskStage::Asked(program) } => {
                    self.take_over_task(name, facts, program).await;
                }
                Subject::Task { facts, stage: TaskStage::Working } => self.take_over_end(&name, facts, None).await,
                Subject::Task { facts, stage: TaskStage::Finished(finished) } => {
                    self.take_over_end(&name, facts, Some(finished)).await;
                }
            }
        }
        self.sweep_tasks();
    }

    async fn take_over_parked(self: &Arc<Self>, name: String, until: SystemTime, program: Program) {
        let remaining = until.duration_since(SystemTime::now()).unwrap_or(Duration::ZERO);
        let mut running = self.run_program(program, true, None);
        let question = match running.next(&Caller::until_cancelled(CancellationToken::new())).await {
            Event::Asked(question) => Some(*question),
            Event::Ended(ended) => {
                running.put_back(*ended);
                None
            }
        };
        self.keep_parked(name, running, question, remaining);
    }

    /// Removes the records of tasks that were dropped.
    pub(super) fn sweep_tasks(&self) {
        if let Some(state) = self.state() {
            state.sweep_tasks(|name| self.tasks.is_known(name));
        }
    }

    pub(super) fn keep(&self, state: State) -> Result<(), Error> {
        self.state.set(Arc::new(state)).map_err(|_| Error::InvalidArgument {
            message: "the server keeps state in a directory already".into(),
            hint: "call `keep_state` once, before the server is served".into(),
        })
    }
}
