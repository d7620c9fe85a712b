//! Tests in emulated machines: several machines at a time, each test in one of them.
//!
//! A machine that breaks is replaced once, and its results are discarded. A test that fails is never repeated.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

use super::{
    harness::{Clock, Harness, Job},
    machine::{Console, Ending, Machine},
    results::Results,
};
use crate::{
    progress::{self, Progress},
    report::{self, Outcome, Report},
};

/// The timeout of the whole run. Two processors take some twenty minutes, slow ones several times as long.
const LIMIT: Duration = Duration::from_secs(45 * 60);

/// The timeout between two events of the tests in a machine.
const SILENCE_LIMIT: Duration = Duration::from_secs(5 * 60);

/// The interval of the checks.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The tests to run.
#[derive(Debug)]
pub(super) struct Emulated<'a> {
    pub(super) harness: &'a Harness,
    /// A script that runs all tests. The tests themselves divide the work among the machines.
    pub(super) commands: &'a str,
    /// The names of all tests.
    pub(super) expected: BTreeSet<String>,
    /// The names of tests that the script runs, but that are not to run.
    pub(super) left_out: BTreeSet<String>,
    pub(super) machines: usize,
    /// When no further test begins.
    pub(super) until: Option<Instant>,
}

/// One of the machines, and those that it replaced.
#[derive(Debug)]
struct Place {
    name: String,
    machine: Machine,
    report: Report,
    /// The time of the latest event of its tests.
    heard: Instant,
    replaced: bool,
    /// The exit status of its script.
    status: Option<i32>,
}

impl Emulated<'_> {
    pub(super) fn run(mut self) -> Result<Results> {
        let started = Instant::now();
        let claims = self.claims();
        fs::create_dir_all(&claims).with_context(|| format!("cannot create {}", claims.display()))?;
        // A test that is claimed is run by one machine only.
        for test in &self.left_out {
            let claim = claims.join(test);
            fs::create_dir(&claim).with_context(|| format!("cannot create {}", claim.display()))?;
        }
        let place = match self.machines {
            1 => "in an emulated machine".to_owned(),
            machines => format!("in {machines} emulated machines"),
        };
        let mut places = Vec::new();
        for number in 1..=self.machines {
            places.push(self.start(format!("machine-{number}"), false)?);
        }
        let mut progress = Progress::start(&format!("run the tests on micro-VMs {place}"));
        progress.expect(self.expected.len());
        let watched = self.watch(&mut places, started, &mut progress);
        match &watched {
            Ok(()) => progress.done(),
            Err(_) => progress.failed(),
        }
        let tests = places.iter().flat_map(|place| place.report.tests.iter().cloned()).collect();
        let results = Results::new(tests, &self.expected, started.elapsed(), &place);
        results.save(self.harness.results())?;
        if watched.is_err() {
            results.print(self.harness.results());
        }
        watched.map(|()| results)
    }

    fn claims(&self) -> PathBuf {
        self.harness.results().join("claims")
    }

    fn start(&self, name: String, replaced: bool) -> Result<Place> {
        let path = format!("{name}/report.jsonl");
        let script = format!(
            "export {}=/results/{path} ISOLETTE_TEST_CLAIMS=/results/claims\n{}",
            report::VARIABLE,
            self.commands
        );
        let machine =
            self.harness.boot(&Job { name: &name, script: &script, console: Console::Kept, clock: Clock::Time })?;
        let report = Report::at(self.harness.results().join(path));
        Ok(Place { name, machine, report, heard: Instant::now(), replaced, status: None })
    }

    /// Waits for all machines to end.
    fn watch(&mut self, places: &mut [Place], started: Instant, progress: &mut Progress) -> Result<()> {
        while places.iter().any(|place| place.status.is_none()) {
            let mut broken = None;
            for (number, place) in places.iter_mut().enumerate().filter(|(_, place)| place.status.is_none()) {
                let ending = place.machine.look()?;
                if place.report.read()? {
                    place.heard = Instant::now();
                    place.report.print_failures();
                }
                match ending {
                    None => place.check()?,
                    Some(Ending::Done(status)) => place.status = Some(status),
                    Some(Ending::Broken(reason)) => broken = Some((number, reason)),
                }
            }
            if let Some((number, reason)) = broken {
                self.replace(places, number, &reason)?;
            }
            if self.until.is_some_and(|until| Instant::now() > until) {
                self.until = None;
                self.leave_out_the_rest()?;
                progress.expect(self.expected.len());
            }
            if started.elapsed() > LIMIT {
                bail!(
                    "the tests on micro-VMs were not done after {} minutes; running: {}\nhint: the consoles of the machines are \
                     in {}",
                    LIMIT.as_secs() / 60,
                    running(places),
                    self.harness.results().display()
                );
            }
            show(places, progress);
            thread::sleep(POLL_INTERVAL);
        }
        for place in places {
            let failed = place.report.tests.iter().any(|test| test.outcome == Outcome::Failed);
            if !failed && place.status != Some(0) {
                bail!(
                    "the tests in {} ended with status {} although none failed\nhint: see {}",
                    place.name,
                    place.status.unwrap_or_default(),
                    place.machine.folder().join("console.log").display()
                );
            }
        }
        Ok(())
    }

    /// Claims all tests that no machine has claimed, so that none runs them.
    fn leave_out_the_rest(&mut self) -> Result<()> {
        let (claims, all) = (self.claims(), self.expected.len());
        let mut rest = BTreeSet::new();
        for test in &self.expected {
            let claim = claims.join(test);
            match fs::create_dir(&claim) {
                Ok(()) => drop(rest.insert(test.clone())),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| format!("cannot create {}", claim.display())),
            }
        }
        progress::note(&format!("{} of {all} tests on micro-VMs are left out: the time for them is over", rest.len()));
        self.expected.retain(|test| !rest.contains(test));
        self.left_out.append(&mut rest);
        Ok(())
    }

    /// Replaces a machine that broke. Its tests run again, because earlier results may be wrong.
    fn replace(&self, places: &mut [Place], number: usize, reason: &str) -> Result<()> {
        let Some(place) = places.get(number) else { return Ok(()) };
        let folder = place.machine.folder().display();
        progress::note(&format!("WARNING: the emulated {} broke: {reason}", place.name));
        if place.replaced {
            bail!("an emulated machine broke twice: {reason}\nhint: its console is in {folder}");
        }
        progress::note(&format!(
            "WARNING: a new one runs all its {} tests; its console is in {folder}",
            place.report.tests.len()
        ));
        let others = places.iter().enumerate().filter(|(other, _)| *other != number);
        let mut elsewhere: BTreeSet<_> = others.flat_map(|(_, place)| place.report.known()).collect();
        elsewhere.extend(self.left_out.iter().map(String::as_str));
        for claim in fs::read_dir(self.claims())? {
            let claim = claim?;
            if !elsewhere.contains(&*claim.file_name().to_string_lossy()) {
                fs::remove_dir(claim.path())?;
            }
        }
        let again = self.start(format!("{}-again", place.name), true)?;
        if let Some(place) = places.get_mut(number) {
            *place = again;
        }
        Ok(())
    }
}

impl Place {
    /// Checks whether the tests in a running machine make progress.
    fn check(&self) -> Result<()> {
        if self.heard.elapsed() < SILENCE_LIMIT {
            return Ok(());
        }
        bail!(
            "the tests in {} reported nothing for {} minutes; running: {}\nhint: see {}",
            self.name,
            SILENCE_LIMIT.as_secs() / 60,
            running(std::slice::from_ref(self)),
            self.machine.folder().join("console.log").display()
        )
    }
}

fn running(places: &[Place]) -> String {
    let tests = places.iter().flat_map(|place| &place.report.running);
    let tests: Vec<_> = tests
        .map(|(test, how_far)| if how_far.is_empty() { test.clone() } else { format!("{test} ({how_far})") })
        .collect();
    if tests.is_empty() { "no test".into() } else { tests.join(", ") }
}

fn show(places: &[Place], progress: &mut Progress) {
    let done: usize = places.iter().map(|place| place.report.tests.len()).sum();
    progress.reach(done);
    progress.show(&running(places));
    progress.tick();
}
