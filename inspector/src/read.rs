//! Reads files: audits, and results.

use std::io::{BufRead, Read as _};

use serde_json::Value;

use crate::{
    audit,
    collector::{Collector, LIMITS, Limits, reason_of, too_much},
    depth,
    document::Document,
    error::InspectorError,
    result,
};

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

    /// As [`add`](Self::add), but only runs whose identifiers begin with `run`: of a file with more than a page can show.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_runs(&mut self, file: impl BufRead, run: &str) -> Result<(), InspectorError> {
        read(self, run, LIMITS, file)
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

fn read(document: &mut Document, run: &str, limits: Limits, mut file: impl BufRead) -> Result<(), InspectorError> {
    let mut collector = Collector::new(document, run, limits);
    let (mut number, mut bytes, mut unknown) = (0, 0, 0_u64);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = (&mut file).take(limits.line + 1).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            break;
        }
        (number, bytes) = (number + 1, bytes + length);
        if length > limits.line {
            return Err(InspectorError::LongLine { line: number, limit: limits.line });
        }
        if bytes > limits.file {
            return Err(too_much("bytes of one file", limits.file));
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
                let rest = (&mut file).take(limits.line + 1).read_to_end(&mut line)? as u64;
                if rest > limits.line {
                    return Err(InspectorError::LongLine { line: 1, limit: limits.line });
                }
                parse(&line).map_err(|error| wrong(error.to_string()))?
            }
            Err(error) if error.is_eof() && !line.ends_with(b"\n") => {
                collector.document.notes.push(CUT.into());
                break;
            }
            Err(error) => return Err(wrong(reason_of(&error))),
        };
        if found["record"].is_string() {
            unknown += u64::from(!audit::add(&mut collector, found).map_err(|error| error.on(number))?);
        } else {
            result::add(&mut collector, found).map_err(|error| error.on(number))?;
        }
    }
    match unknown {
        0 => {}
        1 => collector.document.notes.push("One record is of a kind that this version does not know.".into()),
        _ => collector.document.notes.push(format!("{unknown} records are of kinds that this version does not know.")),
    }
    Ok(())
}

fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let found = serde_json::from_slice(text);
    let is_too_deep = |error: &serde_json::Error| error.to_string().starts_with("recursion limit");
    if found.as_ref().is_err_and(is_too_deep) { serde_json::from_slice(&depth::cut(text)) } else { found }
}

#[cfg(test)]
mod tests;
