//! A compromised guest, without our interpreter and adapter between it and the host. For any message, each run ends with a
//! result or a typed error, nothing outside of the sandbox was touched, the host did not panic, and the next run works.

mod messages;
mod pointers;
mod random;
mod results;
mod runs;
mod values;

use std::{fs, time::Duration};

use isolette::{
    Error, ExecutionResult, Isolation, Language, RunOptions, Sandbox,
    policy::{Access, Limits},
};
use isolette_abi::{Finish, Payload, Value, encode};
use isolette_tests::{Case, compromised::Script, panics};
use serde_json::json;

/// The timeout of a run that never ends by itself.
const TIMEOUT_OF_ENDLESS: Duration = Duration::from_millis(300);

/// The timeout of a run that ends by itself, on a busy machine too.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A sandbox for the guest: one tool, one interface, one directory, no network.
struct CompromisedSandbox {
    inner: Sandbox,
    outside: tempfile::TempDir,
}

impl CompromisedSandbox {
    fn new(case: &Case) -> Self {
        Self::with_limits(case, |_| {})
    }

    fn with_limits(case: &Case, change: impl FnOnce(&mut Limits)) -> Self {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        fs::create_dir(outside.path().join("output")).unwrap();
        let images = isolette::Image::find(Language::Python).unwrap().directory().parent().unwrap().to_owned();
        let mut limits = Limits::default();
        limits.sleep = Duration::from_millis(10);
        limits.cpu_time = TIMEOUT;
        change(&mut limits);
        let inner = Sandbox::builder()
            .image(images.join("compromised"))
            .isolation(case.isolation)
            .mount(outside.path().join("output"), "/output", Access::ReadWrite)
            .tool_typed("echo", "Gives back what it gets", |value: serde_json::Value| Ok::<_, String>(value))
            .capability(values::Takes)
            .limits(limits)
            .build()
            .expect("`cargo xtask image build --examples` has made the image");
        Self { inner, outside }
    }

    /// Runs a script, and checks afterwards that the host is unharmed.
    fn run(&self, script: &Script) -> Ended {
        self.run_for(TIMEOUT, script)
    }

    fn run_for(&self, time: Duration, script: &Script) -> Ended {
        let ended = Ended(self.inner.run_with(&script.program(), RunOptions::new().timeout(time)));
        ended.assert_typed();
        let next = self.inner.run_with(&honest(42).program(), RunOptions::new().timeout(TIMEOUT)).unwrap();
        assert_eq!(next.value, Some(json!(42)), "the next run has a guest of its own");
        let names: Vec<_> =
            fs::read_dir(self.outside.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert_eq!(fs::read_to_string(self.outside.path().join("secret")).unwrap(), "secret");
        assert_eq!(panics::of_the_host(), [""; 0]);
        ended
    }

    /// The names in the directory that it may write to.
    fn made(&self) -> Vec<String> {
        let entries = fs::read_dir(self.outside.path().join("output")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    /// Asserts that a script crashes the guest.
    fn assert_crashes(&self, what: &str, script: &Script) {
        let ended = self.run(script);
        assert!(matches!(ended.0, Err(Error::GuestCrashed { .. })), "{what}: {ended:?}");
    }
}

/// How a run ended.
#[derive(Debug)]
struct Ended(Result<ExecutionResult, Error>);

impl Ended {
    fn assert_typed(&self) {
        match &self.0 {
            Ok(_)
            | Err(
                Error::Timeout { .. }
                | Error::SleepExceeded { .. }
                | Error::HostCallRateExceeded { .. }
                | Error::OutOfMemory { .. }
                | Error::StackOverflow { .. },
            ) => {}
            Err(Error::GuestCrashed { reason, .. }) => assert!(!reason.contains("panicked"), "{reason}"),
            Err(other) => panic!("unexpected error: {other}"),
        }
    }

    /// The result of a run that ended by itself.
    #[track_caller]
    fn result(self) -> ExecutionResult {
        self.0.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A run that ends with a number.
fn honest(number: u32) -> Script {
    Script::new().finish(&finish(Payload::Inline(number.to_string().as_bytes())))
}

/// The end of a run with a value.
fn finish(json: Payload<'_>) -> Vec<u8> {
    encode(&Finish { value: Some(Value { json, exact: true }), error: None, exit_code: 0, console: Vec::new() })
}

/// In micro-VMs, which may be emulated, a sample of them: evenly spread, with the first and the last.
fn some_of<T>(case: &Case, all: Vec<T>) -> Vec<T> {
    const SOME: usize = 8;
    let (last, few) = (all.len().saturating_sub(1), case.isolation == Isolation::MicroVm && all.len() > SOME);
    let is_chosen = |place: usize| !few || (0..SOME).any(|number| number * last / (SOME - 1) == place);
    all.into_iter().enumerate().filter(|(place, _)| is_chosen(*place)).map(|(_, one)| one).collect()
}
