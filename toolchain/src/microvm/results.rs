//! What came of tests that ran somewhere else: read from the reports that they write while they run, told to whoever
//! waits, and kept in a file for whoever comes later.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::{progress, project::Project};

/// The file with all results, below the folder of results.
const FILE_NAME: &str = "tests.json";

/// The slowest tests that are named.
const SLOWEST: usize = 10;

/// Lines of a failure that are shown.
const LINES: usize = 40;

/// Where results are.
pub(crate) fn folder(project: &Project) -> PathBuf {
    project.microvm().join("results")
}

/// An empty folder for results.
pub(crate) fn empty(project: &Project) -> Result<PathBuf> {
    let folder = folder(project);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// How a test ended, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Failed,
    Ignored,
    Passed,
}

/// One test and all that is known about it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Test {
    pub(crate) test: String,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
    /// Why it failed or was ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) measured: BTreeMap<String, f64>,
}

/// A line of a report, as `tests/src/report.rs` writes it.
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

/// The report of one test program, or of several one after the other, which may not be over yet.
#[derive(Debug)]
pub(crate) struct Report {
    path: PathBuf,
    /// How much of it has been read.
    length: usize,
    /// How many tests have been told of.
    told: usize,
    measured: BTreeMap<String, BTreeMap<String, f64>>,
    pub(crate) tests: Vec<Test>,
    /// Tests that have not ended, and how far they are if they say so.
    pub(crate) under_way: BTreeMap<String, String>,
}

impl Report {
    /// It need not be there yet.
    pub(crate) fn at(path: PathBuf) -> Self {
        let (measured, tests, under_way) = Default::default();
        Self { path, length: 0, told: 0, measured, tests, under_way }
    }

    /// The names of all tests that it has told of.
    pub(crate) fn known(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| &*test.test).chain(self.under_way.keys().map(String::as_str))
    }

    /// Reads what is new. Returns whether there was anything.
    pub(crate) fn read(&mut self) -> Result<bool> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            text => text.with_context(|| format!("cannot read {}", self.path.display()))?,
        };
        let before = self.length;
        // What has no end yet is not all there.
        for line in text.get(before..).unwrap_or_default().split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            self.length += line.len();
            let event = serde_json::from_str(line).with_context(|| format!("cannot understand the report {line}"))?;
            self.take(event);
        }
        Ok(self.length > before)
    }

    /// Tells of the tests that have failed since it was last called.
    pub(crate) fn tell_failures(&mut self) {
        for test in self.tests.iter().skip(self.told).filter(|test| test.verdict == Verdict::Failed) {
            let reason = test.reason.as_deref().unwrap_or("it does not say why");
            let lines: String = reason.lines().take(LINES).map(|line| format!("\n  | {line}")).collect();
            progress::note(&format!("FAILED {}{lines}", test.test));
        }
        self.told = self.tests.len();
    }

    fn take(&mut self, Event { test, kind }: Event) {
        let (verdict, seconds, reason) = match kind {
            Kind::Started => return drop(self.under_way.insert(test, String::new())),
            Kind::Progress { reason } => return drop(self.under_way.insert(test, reason)),
            Kind::Measured { what, value } => {
                self.measured.entry(test).or_default().insert(what, value);
                return;
            }
            Kind::Passed { seconds } => (Verdict::Passed, seconds, None),
            Kind::Failed { seconds, reason } => (Verdict::Failed, seconds, reason),
            Kind::Ignored { seconds, reason } => (Verdict::Ignored, seconds, reason),
        };
        self.under_way.remove(&test);
        let measured = self.measured.remove(&test).unwrap_or_default();
        self.tests.push(Test { test, verdict, seconds, reason, measured });
    }
}

/// All results of one go.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) ignored: usize,
    /// From the first test's start to the last one's end, and all that is between.
    pub(crate) seconds: f64,
    /// Where they ran.
    pub(crate) place: String,
    pub(crate) tests: Vec<Test>,
    /// Those that should have run and have no result.
    pub(crate) missing: BTreeSet<String>,
}

impl Results {
    pub(crate) fn new(mut tests: Vec<Test>, expected: &BTreeSet<String>, took: Duration, place: &str) -> Self {
        // When a machine is replaced, a test may run twice.
        tests.sort_by(|one, other| (&one.test, one.verdict).cmp(&(&other.test, other.verdict)));
        tests.dedup_by(|later, first| later.test == first.test);
        let count = |verdict| tests.iter().filter(|test| test.verdict == verdict).count();
        let mut missing = expected.clone();
        for test in &tests {
            missing.remove(&test.test);
        }
        Self {
            passed: count(Verdict::Passed),
            failed: count(Verdict::Failed),
            ignored: count(Verdict::Ignored),
            seconds: took.as_secs_f64(),
            place: place.to_owned(),
            tests,
            missing,
        }
    }

    /// Whether every test that should have run did, and none failed.
    pub(crate) fn good(&self) -> bool {
        self.failed == 0 && self.missing.is_empty()
    }

    /// Keeps them in a file.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE_NAME);
        let text = serde_json::to_vec_pretty(self)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Tells what is worth knowing about them; the summary comes last.
    pub(crate) fn tell(&self, folder: &Path) {
        let mut slowest: Vec<_> = self.tests.iter().collect();
        slowest.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        progress::note("the slowest tests:");
        for test in slowest.iter().take(SLOWEST) {
            progress::note(&format!("  {:6.1} s  {}", test.seconds, test.test));
        }
        for (what, values) in self.measured() {
            let (least, most) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (value, _)| {
                (least.min(*value), most.max(*value))
            });
            let worst = values.iter().find(|(value, _)| *value >= most).map_or("", |(_, test)| test);
            progress::note(&format!("{what}: {least:.3} to {most:.3} in {} tests, most in {worst}", values.len()));
        }
        for test in self.tests.iter().filter(|test| test.verdict == Verdict::Ignored) {
            progress::note(&format!("ignored {}: {}", test.test, test.reason.as_deref().unwrap_or("without a reason")));
        }
        for test in self.tests.iter().filter(|test| test.verdict == Verdict::Failed) {
            progress::note(&format!("FAILED {}", test.test));
        }
        for test in &self.missing {
            progress::note(&format!("FAILED {test}: it has no result"));
        }
        progress::note(&format!("all results are in {}", folder.join(FILE_NAME).display()));
        progress::note(&self.summary());
    }

    fn measured(&self) -> BTreeMap<&str, Vec<(f64, &str)>> {
        let mut measured = BTreeMap::<_, Vec<_>>::new();
        for test in &self.tests {
            for (what, value) in &test.measured {
                measured.entry(&**what).or_default().push((*value, &*test.test));
            }
        }
        measured
    }

    fn summary(&self) -> String {
        let failed = self.failed + self.missing.len();
        format!(
            "tests on micro-VMs, {}: {}. {} passed; {failed} failed; {} ignored; in {}",
            self.place,
            if self.good() { "ok" } else { "FAILED" },
            self.passed,
            self.ignored,
            progress::seconds(Duration::from_secs_f64(self.seconds)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the report of the tests says in its own words.
    const LINES: &str = r#"{"test":"a","event":"started"}
{"test":"a","event":"measured","what":"overshoot","value":0.25}
{"test":"a","event":"passed","seconds":1.5,"reason":null}
{"test":"b","event":"started"}
{"test":"b","event":"progress","reason":"half of it"}
{"test":"c","event":"started"}
{"test":"c","event":"failed","seconds":0.5,"reason":"no"}
{"test":"d","event":"started"}
{"test":"d","event":"ignored","seconds":0.0,"reason":"skipped: no"}
"#;

    fn report(text: &str) -> (tempfile::TempDir, Report) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, text).unwrap();
        (folder, Report::at(path))
    }

    #[test]
    fn a_report_is_read_as_it_grows() {
        for cut in 0..=LINES.len() {
            let (_folder, mut report) = report(&LINES[..cut]);
            report.read().unwrap();
            fs::write(&report.path, LINES).unwrap();
            assert_eq!(report.read().unwrap(), cut < LINES.len());
            assert_eq!(report.tests.len(), 3, "cut at {cut}");
            assert_eq!(report.under_way, BTreeMap::from([("b".to_owned(), "half of it".to_owned())]));
            assert_eq!(report.tests[0].measured["overshoot"], 0.25);
        }
    }

    #[test]
    fn a_report_that_is_not_there_says_nothing_and_nonsense_is_an_error() {
        assert!(!Report::at("/nowhere/report".into()).read().unwrap());
        assert!(report("nonsense\n").1.read().is_err());
    }

    #[test]
    fn a_test_without_a_result_is_a_failure() {
        let (_folder, mut report) = report(LINES);
        report.read().unwrap();
        let expected = ["a", "b", "c", "d"].map(str::to_owned).into();
        let results = Results::new(report.tests, &expected, Duration::from_secs(61), "here");
        assert_eq!(results.summary(), "tests on micro-VMs, here: FAILED. 1 passed; 2 failed; 1 ignored; in 1 min 01 s");
        let none_failed = results.tests.into_iter().filter(|test| test.verdict != Verdict::Failed).collect();
        assert!(!Results::new(none_failed, &expected, Duration::ZERO, "here").good());
    }
}
