//! Reads files: audits, and results.

use std::io::{BufRead, Read as _};

use serde_json::Value;

use crate::{Document, InspectorError, audit, result};

/// Maximum length of a line in bytes: a record with 64 KiB of arguments, or a result with its output.
const LINE: u64 = 64 << 20;

/// Maximum number of bytes of all files.
const BYTES: u64 = 1 << 30;

/// Maximum number of calls of all runs.
const CALLS: usize = 200_000;

/// Maximum number of runs.
const RUNS: usize = 10_000;

impl Document {
    /// Adds the runs of a file: the lines of an audit, or one result as `isolette run --json` prints it. What several files say of one
    /// run belongs together. To be completed by [`only`](Self::only) or [`finished`](Self::finished).
    ///
    /// A last line that is cut, since the process that wrote it was killed, is noted and left out, and so are records of a kind that is
    /// not known.
    ///
    /// # Errors
    /// [`InspectorError`]: the file cannot be read, has something else in it, or too much.
    pub fn add(&mut self, mut file: impl BufRead) -> Result<(), InspectorError> {
        let (mut number, mut bytes, mut unknown) = (0, 0, 0_u64);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = (&mut file).take(LINE + 1).read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                break;
            }
            number += 1;
            bytes += length;
            if length > LINE || bytes > BYTES {
                return Err(InspectorError::TooMuch { what: "the bytes of a line, or of a file", limit: LINE });
            }
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let found: Value = match serde_json::from_slice(text) {
                Ok(found) => found,
                // A result may be spread over several lines.
                Err(error) if number == 1 && error.is_eof() => {
                    let mut rest = Vec::new();
                    (&mut file).take(LINE + 1).read_to_end(&mut rest)?;
                    line.extend_from_slice(&rest);
                    match serde_json::from_slice(&line) {
                        Ok(found) => found,
                        Err(error) => return Err(InspectorError::Line { line: 1, reason: error.to_string() }),
                    }
                }
                Err(_) if !line.ends_with(b"\n") => {
                    self.notes.push("The last line is cut: the process that wrote the audit was ended.".into());
                    break;
                }
                Err(error) => return Err(InspectorError::Line { line: number, reason: error.to_string() }),
            };
            let reason = |reason: String| InspectorError::Line { line: number, reason };
            if found["record"].is_string() {
                unknown += u64::from(!audit::add(self, found).map_err(reason)?);
            } else {
                result::add(self, found).map_err(reason)?;
            }
            if self.runs.len() > RUNS {
                return Err(InspectorError::TooMuch { what: "there are more runs", limit: RUNS as u64 });
            }
            let calls: usize = self.runs.last().map_or(0, |run| run.calls.len());
            if calls > CALLS {
                return Err(InspectorError::TooMuch { what: "there are more calls in a run", limit: CALLS as u64 });
            }
        }
        if unknown > 0 {
            self.notes.push(format!("{unknown} records are of a kind that this version does not know."));
        }
        Ok(())
    }

    /// The document when all files were added.
    ///
    /// # Errors
    /// [`InspectorError::TooMuch`] if the runs have more calls than a page can show.
    pub fn finished(mut self) -> Result<Self, InspectorError> {
        if self.runs.iter().map(|run| run.calls.len()).sum::<usize>() > CALLS {
            return Err(InspectorError::TooMuch { what: "there are more calls", limit: CALLS as u64 });
        }
        self.complete();
        Ok(self)
    }

    /// The document with the runs whose identifiers begin with `run`.
    ///
    /// # Errors
    /// As [`finished`](Self::finished).
    pub fn only(mut self, run: &str) -> Result<Self, InspectorError> {
        self.runs.retain(|other| other.run.starts_with(run));
        self.finished()
    }

    pub(crate) fn run_of(&mut self, id: &str) -> &mut crate::Run {
        // Records of one run follow each other, mostly.
        let index = match self.runs.iter().rposition(|run| run.run == id) {
            Some(index) => index,
            None => {
                self.runs.push(crate::Run { run: id.to_owned(), ..crate::Run::default() });
                self.runs.len() - 1
            }
        };
        &mut self.runs[index]
    }
}
