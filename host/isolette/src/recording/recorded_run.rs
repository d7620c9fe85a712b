//! A run that is recorded.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette_types::Error;

use super::{
    lines::Writer,
    run_lines::{Completed, Ended, Event, Line, Stopped},
};

/// Records the waits of a run.
#[derive(Debug)]
pub(crate) struct RecordedRun {
    writer: Arc<Writer>,
    run: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waits: u64,
    has_ended: bool,
    failure: Option<io::Error>,
}

impl RecordedRun {
    pub(super) fn begin(writer: Arc<Writer>, number: u64, program: String) -> Self {
        let run = Self { writer, run: number, state: Mutex::default() };
        run.add(run.state(), Event::Began(program));
        run
    }

    pub(super) fn number(&self) -> u64 {
        self.run
    }

    /// Records a wait, and the calls that completed at it.
    pub(crate) fn waited(&self, tickets: Vec<u32>, timed_out: bool) {
        let mut state = self.state();
        state.waits += 1;
        if !tickets.is_empty() {
            let completed = Completed { wait: state.waits, tickets, timed_out };
            self.add(state, Event::Completed(completed));
        }
    }

    /// Records the end of the run, once. A run that never waited has no such line.
    pub(super) fn end(&self, stopped: Option<Stopped>) {
        let mut state = self.state();
        let ended = Ended { waits: state.waits, stopped };
        if !std::mem::replace(&mut state.has_ended, true) && ended != Ended::default() {
            self.add(state, Event::Ended(ended));
        }
    }

    /// A gap in the recording would otherwise only be noticed in a replay, when it can no longer be fixed. A run that never
    /// waited has none.
    pub(super) fn failure(&self) -> Option<Error> {
        let mut state = self.state();
        let error = if state.waits > 0 { state.failure.take() } else { None }?;
        Some(Error::io("the run has ended, and the order of its calls could not be recorded", error))
    }

    fn add(&self, mut state: MutexGuard<'_, State>, event: Event) {
        if let Err(error) = self.writer.add(&Line { run: self.run, event }) {
            state.failure.get_or_insert(error);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
