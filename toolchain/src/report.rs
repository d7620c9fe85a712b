//! Reports of running test programs: a line of JSON for each event, as `tests/src/report.rs` writes it.

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::progress;

/// The environment variable with the path of the report.
pub(crate) const VARIABLE: &str = "ISOLETTE_TEST_REPORT";

/// The number of lines of a failure that are shown.
const LINES: usize = 40;

/// How a test ended, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Failed,
    Ignored,
    Passed,
}

/// The result of one test.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Test {
    pub(crate) test: String,
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
    /// The reason of a failure or of an ignored test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) measured: BTreeMap<String, f64>,
}

/// A line of a report.
#[derive(Debug, Deserialize)]
struct Event {
    test: String,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Kind {
    Started,
    Progress { reason: String },
    Measured { what: String, value: f64 },
    Passed { seconds: f64 },
    Failed { seconds: f64, reason: Option<String> },
    Ignored { seconds: f64, reason: Option<String> },
}

/// The report of one test program, or of several in sequence. They may still be running.
#[derive(Debug)]
pub(crate) struct Report {
    path: PathBuf,
    /// The number of bytes that have been read.
    length: usize,
    /// The number of tests whose failures have been printed.
    printed: usize,
    measured: BTreeMap<String, BTreeMap<String, f64>>,
    pub(crate) tests: Vec<Test>,
    /// Running tests, with the progress that they report.
    pub(crate) running: BTreeMap<String, String>,
}

impl Report {
    /// The file need not exist yet.
    pub(crate) fn at(path: PathBuf) -> Self {
        let (measured, tests, running) = Default::default();
        Self { path, length: 0, printed: 0, measured, tests, running }
    }

    /// The names of all tests in the report.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| &*test.test).chain(self.running.keys().map(String::as_str))
    }

    /// Reads new lines. Returns whether there were any.
    pub(crate) fn read(&mut self) -> Result<bool> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            text => text.with_context(|| format!("cannot read {}", self.path.display()))?,
        };
        let before = self.length;
        // A line without its end is still being written.
        for line in text.get(before..).unwrap_or_default().split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            self.length += line.len();
            let event = serde_json::from_str(line).with_context(|| format!("cannot parse the report {line}"))?;
            self.take(event);
        }
        Ok(self.length > before)
    }

    /// Prints the tests that have failed since the last call.
    pub(crate) fn print_failures(&mut self) {
        for test in self.tests.iter().skip(self.printed).filter(|test| test.outcome == Outcome::Failed) {
            let reason = test.reason.as_deref().unwrap_or("it gives no reason");
            let lines: String = reason.lines().take(LINES).map(|line| format!("\n  | {line}")).collect();
            progress::note(&format!("FAILED {}{lines}", test.test));
        }
        self.printed = self.tests.len();
    }

    fn take(&mut self, Event { test, kind }: Event) {
        let (outcome, seconds, reason) = match kind {
            Kind::Started => return drop(self.running.insert(test, String::new())),
            Kind::Progress { reason } => return drop(self.running.insert(test, reason)),
            Kind::Measured { what, value } => {
                self.measured.entry(test).or_default().insert(what, value);
                return;
            }
            Kind::Passed { seconds } => (Outcome::Passed, seconds, None),
            Kind::Failed { seconds, reason } => (Outcome::Failed, seconds, reason),
            Kind::Ignored { seconds, reason } => (Outcome::Ignored, seconds, reason),
        };
        self.running.remove(&test);
        let measured = self.measured.remove(&test).unwrap_or_default();
        self.tests.push(Test { test, outcome, seconds, reason, measured });
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A report with every kind of event.
    pub(crate) const EVENTS: &str = r#"{"test":"a","event":"started"}
{"test":"a","event":"measured","what":"overshoot","value":0.25}
{"test":"a","event":"passed","seconds":1.5,"reason":null}
{"test":"b","event":"started"}
{"test":"b","event":"progress","reason":"half of it"}
{"test":"c","event":"started"}
{"test":"c","event":"failed","seconds":0.5,"reason":"no"}
{"test":"d","event":"started"}
{"test":"d","event":"ignored","seconds":0.0,"reason":"skipped: no"}
"#;

    pub(crate) fn report(text: &str) -> (tempfile::TempDir, Report) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, text).unwrap();
        (folder, Report::at(path))
    }

    #[test]
    fn a_report_is_read_as_it_grows() {
        for cut in 0..=EVENTS.len() {
            let (_folder, mut report) = report(&EVENTS[..cut]);
            report.read().unwrap();
            fs::write(&report.path, EVENTS).unwrap();
            assert_eq!(report.read().unwrap(), cut < EVENTS.len());
            assert_eq!(report.tests.len(), 3, "cut at {cut}");
            assert_eq!(report.running, BTreeMap::from([("b".to_owned(), "half of it".to_owned())]));
            assert_eq!(report.tests[0].measured["overshoot"], 0.25);
        }
    }

    #[test]
    fn a_report_that_is_not_there_says_nothing_and_nonsense_is_an_error() {
        assert!(!Report::at("/nowhere/report".into()).read().unwrap());
        assert!(report("nonsense\n").1.read().is_err());
    }
}
