//! The lines of `runs.jsonl`: the runs of a recording, and in which order each got the results of the calls that it submitted.
//!
//! Every message in which a guest submits calls or waits for them is a *wait*, and has a number in its run. A line tells
//! which calls completed at a wait; waits without a line had none. So the file is at most as long as there are calls.

use isolette_deadline::Stop;
use serde::{Deserialize, Serialize};

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The number of the run, from 1, in the order in which runs began.
    pub(super) run: u64,
    #[serde(flatten)]
    pub(super) event: Event,
}

/// What happened to the run.
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
