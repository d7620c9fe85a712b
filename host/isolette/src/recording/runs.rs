//! The runs of a sandbox that records or replays.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use isolette_deadline::Stop;
use isolette_types::Error;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    lines::Writer,
    origin::Origin,
    recorded_run::RecordedRun,
    replayed_run::{ReplayedRun, Replays},
    run_lines::Stopped,
};

const FILE: &str = "runs.jsonl";

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
