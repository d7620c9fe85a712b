//! A run that is replayed: the waits of the recorded run of the same program.

use std::{
    collections::{HashMap, VecDeque},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use isolette_abi::tickets::OPEN_LIMIT;
use isolette_deadline::Stop;
use isolette_types::Error;
use isolette_work::values::Reservation;

use super::{
    lines,
    run_lines::{Completed, Ended, Event, Line},
};

/// The recorded runs that were not replayed yet.
#[derive(Debug, Default)]
pub(crate) struct Replays {
    /// By program, in the order in which they began.
    runs: Mutex<HashMap<String, VecDeque<Recorded>>>,
    _room: Option<Reservation>,
}

#[derive(Clone, Debug, Default)]
struct Recorded {
    number: u64,
    completed: VecDeque<Completed>,
    ended: Ended,
}

impl Recorded {
    fn add(&mut self, completed: Completed) -> Result<(), String> {
        if completed.tickets.len() > OPEN_LIMIT {
            return Err(format!("more than {OPEN_LIMIT} calls completed at once"));
        }
        if completed.wait <= self.ended.waits {
            return Err(format!("the wait {} comes after {}", completed.wait, self.ended.waits));
        }
        // A run that the host's process did not survive has no line about its end.
        self.ended.waits = completed.wait;
        self.completed.push_back(completed);
        Ok(())
    }
}

impl Replays {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let mut rooms: Option<Reservation> = None;
        let mut began: Vec<(String, Recorded)> = Vec::new();
        let mut places: HashMap<u64, usize> = HashMap::new();
        lines::read(path, |line: Line, room| {
            match &mut rooms {
                Some(rooms) => rooms.absorb(room),
                None => rooms = Some(room),
            }
            let run = places.get(&line.run).and_then(|place| began.get_mut(*place)).map(|(_, run)| run);
            match (line.event, run) {
                (Event::Began(program), None) => {
                    places.insert(line.run, began.len());
                    began.push((program, Recorded { number: line.run, ..Recorded::default() }));
                    Ok(())
                }
                (Event::Began(_), Some(_)) => Err(format!("the run {} began before", line.run)),
                (_, None) => Err(format!("the run {} has not begun", line.run)),
                (Event::Completed(completed), Some(run)) => run.add(completed),
                (Event::Ended(ended), Some(run)) => {
                    run.ended = Ended { waits: ended.waits.max(run.ended.waits), ..ended };
                    Ok(())
                }
            }
        })?;
        let mut runs: HashMap<String, VecDeque<Recorded>> = HashMap::new();
        for (program, run) in began {
            runs.entry(program).or_default().push_back(run);
        }
        Ok(Self { runs: Mutex::new(runs), _room: rooms })
    }

    /// Begins a run of a program. It is the recorded run of the same program that began first, or an unknown one.
    pub(super) fn begin(&self, program: &str) -> ReplayedRun {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let recorded = runs.get_mut(program).and_then(VecDeque::pop_front);
        ReplayedRun(Mutex::new(State { waits: 0, recorded }))
    }
}

/// The waits of a run that is replayed.
#[derive(Debug)]
pub(crate) struct ReplayedRun(Mutex<State>);

#[derive(Debug)]
struct State {
    waits: u64,
    /// `None` for a run that was not recorded, or that has left the recording.
    recorded: Option<Recorded>,
}

/// What the recording says about a wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RecordedWait {
    /// These calls completed, which may be none.
    Completed(Completed),
    /// The host ended the run.
    Stopped(Stop),
    /// Nothing.
    Unknown,
}

impl ReplayedRun {
    pub(super) fn number(&self) -> Option<u64> {
        self.state().recorded.as_ref().map(|recorded| recorded.number)
    }

    /// Begins the next wait. Returns what the recording says about it.
    pub(crate) fn next_wait(&self) -> RecordedWait {
        let mut state = self.state();
        state.waits += 1;
        let wait = state.waits;
        let Some(recorded) = &mut state.recorded else { return RecordedWait::Unknown };
        if wait > recorded.ended.waits {
            return recorded
                .ended
                .stopped
                .map_or(RecordedWait::Unknown, |stopped| RecordedWait::Stopped(stopped.stop()));
        }
        let is_next = recorded.completed.front().is_some_and(|completed| completed.wait == wait);
        let completed = if is_next { recorded.completed.pop_front() } else { None };
        let none = || Completed { wait, tickets: Vec::new(), timed_out: false };
        RecordedWait::Completed(completed.unwrap_or_else(none))
    }

    /// The program waits differently than the recorded one: the recording says nothing more about it.
    pub(crate) fn leave(&self) {
        self.state().recorded = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
