//! The state of an earlier process of the server.

use std::{sync::Arc, time::SystemTime};

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
        self.sweep_tasks();
    }

    async fn take_over_parked(self: &Arc<Self>, name: String, until: SystemTime, program: Program) {
        let Ok(remaining) = until.duration_since(SystemTime::now()) else {
            self.forget(&program.origin);
            self.remove_record(&name);
            return;
        };
        let mut running = self.run_program_again(program);
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
