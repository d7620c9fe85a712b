//! Results of tests that ran elsewhere: printed, and saved in a file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::{
    progress,
    project::Project,
    report::{Outcome, Test},
};

/// The file with all results, below the directory of results.
const FILE_NAME: &str = "tests.json";

/// The number of the slowest tests that are printed.
const SLOWEST: usize = 10;

/// The directory of results.
pub(crate) fn folder(project: &Project) -> PathBuf {
    project.microvm().join("results")
}

/// Creates an empty directory for results.
pub(crate) fn empty(project: &Project) -> Result<PathBuf> {
    let folder = folder(project);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// All results of one run.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) ignored: usize,
    /// The duration of the whole run.
    pub(crate) seconds: f64,
    /// Where the tests ran.
    pub(crate) place: String,
    pub(crate) tests: Vec<Test>,
    /// Tests that should have run and have no result.
    pub(crate) missing: BTreeSet<String>,
}

impl Results {
    pub(crate) fn new(mut tests: Vec<Test>, expected: &BTreeSet<String>, took: Duration, place: &str) -> Self {
        // If a machine is replaced, a test may run twice.
        tests.sort_by(|one, other| (&one.test, one.outcome).cmp(&(&other.test, other.outcome)));
        tests.dedup_by(|later, first| later.test == first.test);
        let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
        let mut missing = expected.clone();
        for test in &tests {
            missing.remove(&test.test);
        }
        Self {
            passed: count(Outcome::Passed),
            failed: count(Outcome::Failed),
            ignored: count(Outcome::Ignored),
            seconds: took.as_secs_f64(),
            place: place.to_owned(),
            tests,
            missing,
        }
    }

    /// Whether every expected test ran, and none failed.
    pub(crate) fn good(&self) -> bool {
        self.failed == 0 && self.missing.is_empty()
    }

    /// Saves the results in a file.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE_NAME);
        let text = serde_json::to_vec_pretty(self)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Prints failures, ignored tests, measurements and the slowest tests. The summary comes last.
    pub(crate) fn print(&self, folder: &Path) {
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
        for test in self.tests.iter().filter(|test| test.outcome == Outcome::Ignored) {
            progress::note(&format!("ignored {}: {}", test.test, test.reason.as_deref().unwrap_or("without a reason")));
        }
        for test in self.tests.iter().filter(|test| test.outcome == Outcome::Failed) {
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
    use crate::report::tests::{EVENTS, report};

    #[test]
    fn a_test_without_a_result_is_a_failure() {
        let (_folder, mut report) = report(EVENTS);
        report.read().unwrap();
        let expected = ["a", "b", "c", "d"].map(str::to_owned).into();
        let results = Results::new(report.tests, &expected, Duration::from_secs(61), "here");
        assert_eq!(results.summary(), "tests on micro-VMs, here: FAILED. 1 passed; 2 failed; 1 ignored; in 1 min 01 s");
        let none_failed = results.tests.into_iter().filter(|test| test.outcome != Outcome::Failed).collect();
        assert!(!Results::new(none_failed, &expected, Duration::ZERO, "here").good());
    }
}
