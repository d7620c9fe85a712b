//! Collects what several sources say about runs, within limits.

use std::collections::HashMap;

use crate::{
    document::{Call, Document, Run},
    error::InspectorError,
};

/// Limits of files that are read, and of the data that a page can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a line: a result is one, with its output.
    pub(crate) line: u64,
    /// Bytes of one file.
    pub(crate) file: u64,
    /// Runs of all files.
    pub(crate) runs: usize,
    /// Calls, pauses and counts of all runs.
    pub(crate) entries: usize,
}

pub(crate) const LIMITS: Limits = Limits { line: 64 << 20, file: 1 << 30, runs: 10_000, entries: 200_000 };

/// Adds what a file says to a document.
pub(crate) struct Collector<'document> {
    pub(crate) document: &'document mut Document,
    /// The index of each run in the document.
    places: HashMap<String, usize>,
    /// Only runs whose identifiers begin with this.
    wanted: &'document str,
    entries: usize,
    limits: Limits,
}

impl<'document> Collector<'document> {
    pub(crate) fn new(document: &'document mut Document, wanted: &'document str, limits: Limits) -> Self {
        let places = document.runs.iter().enumerate().map(|(place, run)| (run.run.clone(), place)).collect();
        let entries = document.runs.iter().map(|run| run.calls.len() + run.pauses.len() + run.counted.len()).sum();
        Self { document, places, wanted, entries, limits }
    }

    /// The run with this identifier, which is added if it is new. `None` if it is not wanted.
    pub(crate) fn run(&mut self, id: &str) -> Result<Option<&mut Run>, CollectError> {
        if !id.starts_with(self.wanted) {
            return Ok(None);
        }
        let place = match self.places.get(id) {
            Some(place) => *place,
            None if self.document.runs.len() >= self.limits.runs => {
                return Err(CollectError::TooMuch("runs", self.limits.runs as u64));
            }
            None => {
                self.document.runs.push(Run { run: id.to_owned(), ..Run::default() });
                self.places.insert(id.to_owned(), self.document.runs.len() - 1);
                self.document.runs.len() - 1
            }
        };
        Ok(Some(&mut self.document.runs[place]))
    }

    /// Counts calls and the like that are about to be added to a run, if it is wanted.
    pub(crate) fn count(&mut self, id: &str, more: usize) -> Result<(), CollectError> {
        if !id.starts_with(self.wanted) {
            return Ok(());
        }
        self.entries = self.entries.saturating_add(more);
        if self.entries > self.limits.entries {
            return Err(CollectError::TooMuch("calls", self.limits.entries as u64));
        }
        Ok(())
    }

    pub(crate) fn call(&mut self, id: &str, call: Call) -> Result<(), CollectError> {
        self.count(id, 1)?;
        if let Some(run) = self.run(id)? {
            run.calls.push(call);
        }
        Ok(())
    }
}

/// The reason why a line was not added.
pub(crate) enum CollectError {
    /// The line is malformed, for this reason.
    Wrong(String),
    /// There are more of these than the limit.
    TooMuch(&'static str, u64),
}

impl CollectError {
    pub(crate) fn wrong(what: &str, error: &serde_json::Error) -> Self {
        Self::Wrong(format!("{what}: {}", reason_of(error)))
    }

    pub(crate) fn on(self, line: u64) -> InspectorError {
        match self {
            Self::Wrong(reason) => InspectorError::Line { line, reason },
            Self::TooMuch(what, limit) => too_much(what, limit),
        }
    }
}

pub(crate) fn too_much(what: &'static str, limit: u64) -> InspectorError {
    InspectorError::TooMuch { what, limit }
}

/// The reason of an error, without the line within the text, which is always the first.
pub(crate) fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) if error.column() > 0 => format!("{reason} at column {}", error.column()),
        _ => text,
    }
}
