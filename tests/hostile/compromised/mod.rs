//! A guest that somebody has taken over: nothing of ours is between it and the wall. Whatever it sends, each run ends in one
//! of the ways that runs end in, nothing outside was touched, nothing of the host's panicked, and the next run is as ever.

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

/// What a run gets that never ends by itself.
const ENDLESS: Duration = Duration::from_millis(300);

/// What a run gets that does, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A sandbox for the guest: one tool, one interface, one directory, no network.
struct Wall {
    sandbox: Sandbox,
    outside: tempfile::TempDir,
}

impl Wall {
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
        limits.cpu_time = PATIENCE;
        change(&mut limits);
        let sandbox = Sandbox::builder()
            .image(images.join("compromised"))
            .isolation(case.isolation)
            .mount(outside.path().join("output"), "/output", Access::ReadWrite)
            .tool_typed("echo", "Gives back what it gets", |value: serde_json::Value| Ok::<_, String>(value))
            .capability(values::Takes)
            .limits(limits)
            .build()
            .expect("`cargo xtask image build --examples` has made the image");
        Self { sandbox, outside }
    }

    /// Runs a script, and looks whether all is well afterwards.
    fn run(&self, script: &Script) -> Ended {
        self.run_for(PATIENCE, script)
    }

    fn run_for(&self, time: Duration, script: &Script) -> Ended {
        let ended = Ended(self.sandbox.run_with(&script.program(), RunOptions::new().timeout(time)));
        ended.assert_typed();
        let next = self.sandbox.run_with(&honest(42).program(), RunOptions::new().timeout(PATIENCE)).unwrap();
        assert_eq!(next.value, Some(json!(42)), "the next run is another guest's");
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

    /// Each of these breaks the guest.
    fn breaks(&self, what: &str, script: &Script) {
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
                | Error::Sleep { .. }
                | Error::HostCallRate { .. }
                | Error::OutOfMemory { .. }
                | Error::StackOverflow { .. },
            ) => {}
            Err(Error::GuestCrashed { reason, .. }) => assert!(!reason.contains("panicked"), "{reason}"),
            Err(other) => panic!("a run does not end so: {other}"),
        }
    }

    /// It came to an end of its own.
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

/// In micro-VMs, which may be emulated, some of them stand for all: evenly spread, the first and the last among them.
fn some_of<T>(case: &Case, all: Vec<T>) -> Vec<T> {
    const SOME: usize = 8;
    let (last, few) = (all.len().saturating_sub(1), case.isolation == Isolation::MicroVm && all.len() > SOME);
    let is_chosen = |place: usize| !few || (0..SOME).any(|number| number * last / (SOME - 1) == place);
    all.into_iter().enumerate().filter(|(place, _)| is_chosen(*place)).map(|(_, one)| one).collect()
}
