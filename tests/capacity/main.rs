//! How many guests can live at the same time, in a process of its own since all guests of a process share its resources.

use std::time::{Duration, Instant};

use isolette::{Error, Isolation, Language, Sandbox, Session};
use isolette_tests::{engines, processes};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The figure in docs/performance.md for the engine in this process.
const GUESTS: usize = 2048;

/// The figures in SPECIFICATION.md for processes: sessions, and their memory in KiB.
const SESSIONS: usize = 2000;
const MEMORY: u64 = 4 << 20;

const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn the_documented_number_of_guests_can_live_at_once() {
    for language in [Language::Python, Language::JavaScript] {
        let sandbox = Sandbox::builder().language(language).isolation(Isolation::Wasm).build().unwrap();
        let mut sessions: Vec<_> = (0..GUESTS).map(|_| live(&sandbox)).collect();
        let error = sandbox.run("1 + 1").unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        for session in &mut sessions {
            assert_eq!(session.run("2 + 2").unwrap().value, Some(4.into()));
        }
    }
}

#[test]
fn the_promised_number_of_idle_sessions_fits_the_promised_memory() {
    if let Some(reason) = engines::missing(Isolation::Process) {
        eprintln!("skipped: {reason}");
        return;
    }
    // Each guest takes two descriptors in this process.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    for language in [Language::Python, Language::JavaScript] {
        let sandbox = Sandbox::builder().language(language).isolation(Isolation::Process).build().unwrap();
        let mut sessions: Vec<_> = (0..SESSIONS).map(|_| live(&sandbox)).collect();
        let memory = processes::memory();
        println!("{language}: {memory} KiB");
        assert!(memory < MEMORY, "{language}: {memory} KiB");
        for session in sessions.iter_mut().step_by(100) {
            assert_eq!(session.run("2 + 2").unwrap().value, Some(4.into()));
        }
    }
}

/// A guest that responds. Guests of the previous test are removed on threads of their own, so there may be no room yet.
fn live(sandbox: &Sandbox) -> Session {
    let started = Instant::now();
    loop {
        let mut session = sandbox.session().unwrap();
        match session.run("1 + 1") {
            Ok(result) => {
                assert_eq!(result.value, Some(2.into()));
                return session;
            }
            Err(Error::Unavailable { .. }) if started.elapsed() < TIMEOUT => {}
            Err(error) => panic!("{error}"),
        }
    }
}
