//! Reads files: audits, and results.

use std::{
    collections::HashMap,
    io::{BufRead, Read as _},
};

use serde_json::Value;

use crate::{Call, Document, InspectorError, Run, audit, depth, result};

/// How much of a file is read, and how much a page can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a line: a result is one, with its output.
    line: u64,
    /// Bytes of one file.
    file: u64,
    /// Runs of all files.
    runs: usize,
    /// Calls, pauses and counts of all runs.
    entries: usize,
}

const LIMITS: Limits = Limits { line: 64 << 20, file: 1 << 30, runs: 10_000, entries: 200_000 };

const CUT: &str =
    "The last line of the audit is cut: the process that wrote it was killed, or writes it at this moment.";

impl Document {
    /// Adds the runs of a file: the lines of an audit, or one result as `isolette run --json` prints it. What several
    /// files say of one run belongs together. To be completed by [`finished`](Self::finished).
    ///
    /// A last line that is cut, since the process that wrote it was killed, is noted and left out, and so are records of
    /// a kind that is not known.
    ///
    /// # Errors
    /// [`InspectorError`]: the file cannot be read, has something else in it, or too much.
    pub fn add(&mut self, file: impl BufRead) -> Result<(), InspectorError> {
        self.add_runs(file, "")
    }

    /// As [`add`](Self::add), but only runs whose identifiers begin with `run`: of a file with more runs than a page can show.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_runs(&mut self, file: impl BufRead, run: &str) -> Result<(), InspectorError> {
        Reader::new(self, run, LIMITS).read(file)
    }

    /// The document when all files were added: runs and calls in their order, lanes, the tree.
    ///
    /// # Errors
    /// [`InspectorError::TooMuch`] if the runs have more calls than a page can show.
    pub fn finished(mut self) -> Result<Self, InspectorError> {
        if self.runs.iter().map(|run| run.calls.len()).sum::<usize>() > LIMITS.entries {
            return Err(too_much("calls", LIMITS.entries as u64));
        }
        self.complete();
        Ok(self)
    }
}

/// Adds what a file says to a document.
pub(crate) struct Reader<'document> {
    document: &'document mut Document,
    /// Where each run is in the document.
    places: HashMap<String, usize>,
    /// Only runs whose identifiers begin with this.
    wanted: &'document str,
    entries: usize,
    limits: Limits,
}

impl<'document> Reader<'document> {
    pub(crate) fn new(document: &'document mut Document, wanted: &'document str, limits: Limits) -> Self {
        let places = document.runs.iter().enumerate().map(|(place, run)| (run.run.clone(), place)).collect();
        let entries = document.runs.iter().map(|run| run.calls.len() + run.pauses.len() + run.counted.len()).sum();
        Self { document, places, wanted, entries, limits }
    }

    fn read(mut self, mut file: impl BufRead) -> Result<(), InspectorError> {
        let (mut number, mut bytes, mut unknown) = (0, 0, 0_u64);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = (&mut file).take(self.limits.line + 1).read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                break;
            }
            (number, bytes) = (number + 1, bytes + length);
            if length > self.limits.line {
                return Err(InspectorError::LongLine { line: number, limit: self.limits.line });
            }
            if bytes > self.limits.file {
                return Err(too_much("bytes of one file", self.limits.file));
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let wrong = |reason: String| InspectorError::Line { line: number, reason };
            let found: Value = match parse(text) {
                Ok(found) => found,
                // A result that was formatted is spread over several lines.
                Err(error) if number == 1 && error.is_eof() && line.ends_with(b"\n") => {
                    let rest = (&mut file).take(self.limits.line + 1).read_to_end(&mut line)? as u64;
                    if rest > self.limits.line {
                        return Err(InspectorError::LongLine { line: 1, limit: self.limits.line });
                    }
                    parse(&line).map_err(|error| wrong(error.to_string()))?
                }
                Err(error) if error.is_eof() && !line.ends_with(b"\n") => {
                    self.document.notes.push(CUT.into());
                    break;
                }
                Err(error) => return Err(wrong(reason_of(&error))),
            };
            if found["record"].is_string() {
                unknown += u64::from(!audit::add(&mut self, found).map_err(|error| error.on(number))?);
            } else {
                result::add(&mut self, found).map_err(|error| error.on(number))?;
            }
        }
        match unknown {
            0 => {}
            1 => self.document.notes.push("One record is of a kind that this version does not know.".into()),
            _ => self.document.notes.push(format!("{unknown} records are of kinds that this version does not know.")),
        }
        Ok(())
    }

    /// The run with this identifier, which is added if it is new. `None` if it is not wanted.
    pub(crate) fn run(&mut self, id: &str) -> Result<Option<&mut Run>, ReadError> {
        if !id.starts_with(self.wanted) {
            return Ok(None);
        }
        let place = match self.places.get(id) {
            Some(place) => *place,
            None if self.document.runs.len() >= self.limits.runs => {
                return Err(ReadError::TooMuch("runs", self.limits.runs as u64));
            }
            None => {
                self.document.runs.push(Run { run: id.to_owned(), ..Run::default() });
                self.places.insert(id.to_owned(), self.document.runs.len() - 1);
                self.document.runs.len() - 1
            }
        };
        Ok(Some(&mut self.document.runs[place]))
    }

    /// Counts calls and the like that are about to be added.
    pub(crate) fn count(&mut self, more: usize) -> Result<(), ReadError> {
        self.entries = self.entries.saturating_add(more);
        if self.entries > self.limits.entries {
            return Err(ReadError::TooMuch("calls", self.limits.entries as u64));
        }
        Ok(())
    }

    pub(crate) fn call(&mut self, id: &str, call: Call) -> Result<(), ReadError> {
        if id.starts_with(self.wanted) {
            self.count(1)?;
        }
        if let Some(run) = self.run(id)? {
            run.calls.push(call);
        }
        Ok(())
    }
}

/// Why a line was not added.
pub(crate) enum ReadError {
    /// It is not as it should be.
    Wrong(String),
    /// There is more than this.
    TooMuch(&'static str, u64),
}

impl ReadError {
    pub(crate) fn wrong(what: &str, error: &serde_json::Error) -> Self {
        Self::Wrong(format!("{what}: {}", reason_of(error)))
    }

    fn on(self, line: u64) -> InspectorError {
        match self {
            Self::Wrong(reason) => InspectorError::Line { line, reason },
            Self::TooMuch(what, limit) => too_much(what, limit),
        }
    }
}

fn too_much(what: &'static str, limit: u64) -> InspectorError {
    InspectorError::TooMuch { what, limit }
}

fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let found = serde_json::from_slice(text);
    let is_too_deep = |error: &serde_json::Error| error.to_string().starts_with("recursion limit");
    if found.as_ref().is_err_and(is_too_deep) { serde_json::from_slice(&depth::cut(text)) } else { found }
}

/// What is wrong, without the line within the text, which is always the first.
fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) if error.column() > 0 => format!("{reason} at column {}", error.column()),
        _ => text,
    }
}

#[cfg(test)]
mod tests;
