//! Scenarios, and how one becomes a test for each language and each engine.

use isolette::{Isolation, Language, Sandbox, SandboxBuilder, policy::Limits};
use libtest_mimic::{Completion, Trial};

use crate::{
    client_test, engines, guests,
    outcome::{Outcome, Skipped},
    report,
    topic::topic,
};

#[derive(Debug)]
/// A test that every engine has to pass in the same way.
pub struct Scenario {
    /// Its topic, as a module.
    pub module: &'static str,
    /// Its name in the topic.
    pub name: &'static str,
    /// The programs below `guests/` that it runs, without their endings.
    pub programs: &'static [&'static str],
    /// The languages that it is for.
    pub languages: Languages,
    /// The test.
    pub run: fn(&Case) -> Completion,
}

#[derive(Debug)]
/// A test that has nothing to do with engines.
pub struct HostTest {
    /// Its topic, as a module.
    pub module: &'static str,
    /// Its name in the topic.
    pub name: &'static str,
    /// The test.
    pub run: fn() -> Completion,
}

inventory::collect!(Scenario);
inventory::collect!(HostTest);

/// The languages that a scenario is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Languages {
    /// All of them; its programs need counterparts.
    All,
    /// One language, for this reason.
    Only(Language, &'static str),
}

impl Languages {
    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = Language> {
        guests::LANGUAGES.into_iter().filter(move |language| match self {
            Self::All => true,
            Self::Only(only, _) => only == *language,
        })
    }
}

/// One language on one engine: what a scenario is run with.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The language of the programs.
    pub language: Language,
    /// The engine.
    pub isolation: Isolation,
    programs: &'static [&'static str],
}

impl Case {
    /// A case for tests that are files instead of scenarios.
    #[must_use]
    pub fn new(language: Language, isolation: Isolation) -> Self {
        Self { language, isolation, programs: &[] }
    }

    /// A builder for this language and engine. Micro-VMs get ten times the usual time limits: the machine may be emulated, and
    /// only tests of time limits may depend on time.
    pub fn builder(&self) -> SandboxBuilder {
        Sandbox::builder().language(self.language).isolation(self.isolation).limits(self.limits())
    }

    /// The limits of [`Case::builder`], for a test that changes some of them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if self.isolation == Isolation::MicroVm {
            limits.timeout *= 10;
            limits.cpu_time *= 10;
            limits.sleep *= 10;
        }
        limits
    }

    /// A sandbox that provides nothing.
    #[must_use]
    pub fn sandbox(&self) -> Sandbox {
        self.builder().build().expect("a sandbox without anything")
    }

    /// The scenario's only program.
    #[must_use]
    pub fn program(&self) -> String {
        match self.programs {
            [program] => guests::read(program, self.language),
            programs => panic!("the scenario has {} programs", programs.len()),
        }
    }

    /// All of the scenario's programs, with their names.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.programs.iter().map(|program| (*program, guests::read(program, self.language)))
    }

    /// Selects the variant of the language.
    pub fn pick<T>(&self, python: T, javascript: T) -> T {
        match self.language {
            Language::Python => python,
            Language::JavaScript => javascript,
            other => panic!("nothing to pick for {other}"),
        }
    }
}

/// Every test that is registered in the running program.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let scenarios = inventory::iter::<Scenario>.into_iter().flat_map(|scenario| {
        scenario.languages.iter().flat_map(move |language| {
            engines::ALL.into_iter().map(move |isolation| {
                let case = Case { language, isolation, programs: scenario.programs };
                let name = format!("{}::{}::{language}::{isolation}", topic(scenario.module), scenario.name);
                on_engine(name, case, scenario.run)
            })
        })
    });
    let host = inventory::iter::<HostTest>
        .into_iter()
        .map(|test| report::trial(format!("{}::{}", topic(test.module), test.name), test.run));
    scenarios.chain(host).chain(client_test::trials()).collect()
}

/// A test that is ignored, with the reason, if its engine is not available.
pub fn on_engine<O: Outcome>(name: String, case: Case, run: impl FnOnce(&Case) -> O + Send + 'static) -> Trial {
    report::trial(name, move || match engines::missing(case.isolation) {
        Some(reason) => Skipped(reason.to_owned()).completion(),
        None => run(&case).completion(),
    })
}
