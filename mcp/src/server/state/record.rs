//! The contents of records.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use isolette::Language;
use rmcp::model::JsonObject;
use serde::{Deserialize, Serialize};

use crate::server::client::Client;

/// A program or a task that clients know by a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct Record {
    /// The unguessable name, which grants access.
    pub(in crate::server) name: String,
    pub(in crate::server) subject: Subject,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::server) enum Subject {
    /// A program whose question is in the response to a call.
    Parked {
        until: SystemTime,
        program: Program,
    },
    Task {
        facts: TaskFacts,
        stage: TaskStage,
    },
}

/// A program without a sandbox of its own that has not ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct Program {
    pub(in crate::server) language: Language,
    /// Its time to run, pauses not counted.
    pub(in crate::server) timeout: Duration,
    /// The client that has started it, and its address for logs.
    pub(in crate::server) client: Client,
    pub(in crate::server) address: String,
    pub(in crate::server) origin: Origin,
}

/// The code or the file that a program starts from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::server) enum Origin {
    /// Its code: it has not begun. By the name it is counted while it waits.
    Code { name: String, code: Arc<str> },
    /// A file, in which it waits for the decision about a call.
    File(String),
}

/// The facts about a task that stay the same, or grow.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct TaskFacts {
    pub(in crate::server) created: SystemTime,
    /// The same and the time of the last change, as clients see them.
    pub(in crate::server) created_at: String,
    pub(in crate::server) updated_at: String,
    /// Time from its creation until it is removed.
    pub(in crate::server) lifetime: Duration,
    /// Number of questions so far.
    pub(in crate::server) questions: usize,
}

/// The stage of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::server) enum TaskStage {
    /// The program runs, or waits in a process. It cannot be continued by another one.
    Working,
    /// The program waits for a decision, until a moment.
    Asked { until: SystemTime, program: Program },
    /// Its program has ended. `fetched` says whether a client has got the result.
    Finished { end: Finished, fetched: bool },
}

/// The end of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::server) enum Finished {
    Completed(JsonObject),
    Failed(JsonObject),
    Cancelled,
}

impl Record {
    /// The program that waits.
    pub(super) fn program(&self) -> Option<&Program> {
        self.subject.waiting().map(|(_, program)| program)
    }

    pub(super) fn is_task(&self) -> bool {
        matches!(self.subject, Subject::Task { .. })
    }
}

impl Subject {
    /// The program that waits, and until when.
    pub(in crate::server) fn waiting(&self) -> Option<(&SystemTime, &Program)> {
        match self {
            Self::Parked { until, program } | Self::Task { stage: TaskStage::Asked { until, program }, .. } => {
                Some((until, program))
            }
            Self::Task { .. } => None,
        }
    }
}
