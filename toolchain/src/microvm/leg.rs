//! Tests in emulated machines: several machines at a time, each test in one of them.
//!
//! A machine that breaks is replaced, once, and nothing that it said counts. A test that fails is never repeated.

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

use super::{
    harness::{Errand, Harness},
    machine::{Console, Ending, Machine},
    results::Results,
};
use crate::{
    progress::{self, Progress},
    report::{self, Report, Verdict},
};

/// Nobody waits longer than this, whatever happens. Two processors take some twelve minutes, slow ones several times that.
const LIMIT: Duration = Duration::from_secs(45 * 60);

/// No test goes on for so long without saying how far it is.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// How often one looks around.
const LOOK_AROUND: Duration = Duration::from_millis(200);

/// What is to be run.
#[derive(Debug)]
pub(super) struct Leg<'a> {
    pub(super) harness: &'a Harness,
    /// In `sh`: runs all tests. Which of them a machine runs is up to the tests themselves.
    pub(super) commands: &'a str,
    /// The names of all tests.
    pub(super) expected: BTreeSet<String>,
    pub(super) machines: usize,
}

/// One of the machines, and those that it replaced.
#[derive(Debug)]
struct Place {
    name: String,
    machine: Machine,
    report: Report,
    /// When its tests were last heard of.
    heard: Instant,
    replaced: bool,
    /// What its errand ended with.
    status: Option<i32>,
}

impl Leg<'_> {
    pub(super) fn run(&self) -> Result<Results> {
        let started = Instant::now();
        let claims = self.claims();
        fs::create_dir_all(&claims).with_context(|| format!("cannot create {}", claims.display()))?;
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
            results.tell(self.harness.results());
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
        let machine = self.harness.boot(&Errand { name: &name, script: &script, console: Console::Kept })?;
        let report = Report::at(self.harness.results().join(path));
        Ok(Place { name, machine, report, heard: Instant::now(), replaced, status: None })
    }

    /// Waits for all machines to end.
    fn watch(&self, places: &mut [Place], started: Instant, progress: &mut Progress) -> Result<()> {
        while places.iter().any(|place| place.status.is_none()) {
            let mut broken = None;
            for (number, place) in places.iter_mut().enumerate().filter(|(_, place)| place.status.is_none()) {
                let ending = place.machine.look()?;
                if place.report.read()? {
                    place.heard = Instant::now();
                    place.report.tell_failures();
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
            if started.elapsed() > LIMIT {
                bail!(
                    "the tests on micro-VMs were not done after {} minutes; under way: {}\nhint: what the machines said is \
                     in {}",
                    LIMIT.as_secs() / 60,
                    under_way(places),
                    self.harness.results().display()
                );
            }
            show(places, progress);
            thread::sleep(LOOK_AROUND);
        }
        for place in places {
            let failed = place.report.tests.iter().any(|test| test.verdict == Verdict::Failed);
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

    /// Another machine for the one of this number, which broke. What ran in it runs again: it may have been wrong for a while.
    fn replace(&self, places: &mut [Place], number: usize, reason: &str) -> Result<()> {
        let Some(place) = places.get(number) else { return Ok(()) };
        let folder = place.machine.folder().display();
        progress::note(&format!("WARNING: the emulated {} broke: {reason}", place.name));
        if place.replaced {
            bail!("an emulated machine broke twice: {reason}\nhint: what it said is in {folder}");
        }
        progress::note(&format!(
            "WARNING: it is started once more, with all the {} tests that ran in it; what it said is in {folder}",
            place.report.tests.len()
        ));
        let others = places.iter().enumerate().filter(|(other, _)| *other != number);
        let elsewhere: BTreeSet<_> = others.flat_map(|(_, place)| place.report.known()).collect();
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
    /// The machine is well; its tests may not be.
    fn check(&self) -> Result<()> {
        if self.heard.elapsed() < PATIENCE {
            return Ok(());
        }
        bail!(
            "nothing was heard of the tests in {} for {} minutes; under way: {}\nhint: see {}",
            self.name,
            PATIENCE.as_secs() / 60,
            under_way(std::slice::from_ref(self)),
            self.machine.folder().join("console.log").display()
        )
    }
}

fn under_way(places: &[Place]) -> String {
    let tests = places.iter().flat_map(|place| &place.report.under_way);
    let tests: Vec<_> = tests
        .map(|(test, how_far)| if how_far.is_empty() { test.clone() } else { format!("{test} ({how_far})") })
        .collect();
    if tests.is_empty() { "no test".into() } else { tests.join(", ") }
}

fn show(places: &[Place], progress: &mut Progress) {
    let done: usize = places.iter().map(|place| place.report.tests.len()).sum();
    progress.reach(done);
    progress.show(&under_way(places));
    progress.tick();
}
