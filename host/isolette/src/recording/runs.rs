//! The runs of a recording, and in which order each got the results of the calls that it submitted.
//!
//! Every message in which a guest submits calls or waits for them is a *wait*, and has a number in its run. A line tells
//! which calls completed at a wait; waits without a line had none. So the file is at most as long as there are calls.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use isolette_deadline::Stop;
use isolette_types::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    lines::Writer, origin::Origin, recorded_run::RecordedRun, replayed_run::ReplayedRun, replayed_run::Replays,
};

const FILE: &str = "runs.jsonl";

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The number of the run, from 1, in the order in which runs began.
    pub(super) run: u64,
    #[serde(flatten)]
    pub(super) event: Event,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Event {
    /// The run began, with this program: the SHA-256 of its code and variables, in hexadecimal.
    Began(String),
    Completed(Completed),
    Ended(Ended),
}

/// Calls that completed at a wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Completed {
    pub(super) wait: u64,
    /// In the order in which they completed.
    pub(crate) tickets: Vec<u32>,
    /// Whether the time was over that the guest had asked to wait for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) timed_out: bool,
}

/// The end of a run that submitted calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ended {
    /// The number of its waits.
    pub(super) waits: u64,
    /// Why the host ended it, if it did so during a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<Stopped>,
}

/// The reasons that depend on time, so that a replay would not repeat them by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stopped {
    Deadline,
    Cancelled,
}

impl Stopped {
    pub(super) fn of(stop: Stop) -> Option<Self> {
        match stop {
            Stop::Deadline => Some(Self::Deadline),
            Stop::Cancelled => Some(Self::Cancelled),
            _ => None,
        }
    }

    pub(super) fn stop(self) -> Stop {
        match self {
            Self::Deadline => Stop::Deadline,
            Self::Cancelled => Stop::Cancelled,
        }
    }
}

/// The runs of a sandbox that records or replays.
#[derive(Debug)]
pub(crate) enum Runs {
    Record(Arc<Writer>, Mutex<u64>),
    Replay(Replays),
}

impl Runs {
    pub(crate) fn create(directory: &Path) -> Result<Self, Error> {
        Ok(Self::Record(Arc::new(Writer::create(&directory.join(FILE))?), Mutex::default()))
    }

    /// Reads the runs of a recording. One of an earlier version has no such file, and its runs are unknown.
    pub(crate) fn open(directory: &Path) -> Result<Self, Error> {
        let path = directory.join(FILE);
        Ok(Self::Replay(if path.exists() { Replays::open(&path)? } else { Replays::default() }))
    }

    /// Begins a run of a program with these variables.
    pub(crate) fn begin(&self, code: &str, variables: &[(String, Value)]) -> RunRecording {
        let program = program(code, variables);
        match self {
            Self::Replay(replays) => RunRecording::Replay(replays.begin(&program)),
            Self::Record(writer, last) => {
                // The lines of two runs that begin at the same time are in the order of their numbers.
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                *last += 1;
                RunRecording::Record(RecordedRun::begin(Arc::clone(writer), *last, program))
            }
        }
    }
}

/// A run in a recording, or one that is replayed.
#[derive(Debug)]
pub(crate) enum RunRecording {
    Record(RecordedRun),
    Replay(ReplayedRun),
}

impl RunRecording {
    /// Returns the origin of a call of this run. `ticket` is that of a submitted call.
    pub(crate) fn origin(&self, ticket: Option<u32>) -> Origin {
        let run = match self {
            Self::Record(run) => Some(run.number()),
            Self::Replay(run) => run.number(),
        };
        Origin { run, ticket }
    }

    pub(crate) fn is_replay(&self) -> bool {
        matches!(self, Self::Replay(_))
    }

    /// Records the end of the run. `stop` is why the host ended it.
    pub(crate) fn end(&self, stop: Option<Stop>) {
        if let Self::Record(run) = self {
            run.end(stop.and_then(Stopped::of));
        }
    }

    /// Returns the error if the run could not be recorded.
    pub(crate) fn failure(&self) -> Option<Error> {
        match self {
            Self::Record(run) => run.failure(),
            Self::Replay(_) => None,
        }
    }
}

fn program(code: &str, variables: &[(String, Value)]) -> String {
    let mut hasher = Sha256::new();
    hasher.update((code.len() as u64).to_le_bytes());
    hasher.update(code);
    for (name, value) in variables {
        hasher.update(serde_json::json!([name, value]).to_string());
    }
    hex::encode(hasher.finalize())
}
