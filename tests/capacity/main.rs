//! How many guests can live at the same time, in a process of its own since all guests of a process share its resources.

use std::time::{Duration, Instant};

use isolette::{Error, Language, Sandbox, Session};

/// The figure in docs/performance.md.
const GUESTS: usize = 512;

const TIMEOUT: Duration = Duration::from_secs(20);

#[test]
fn the_documented_number_of_guests_can_live_at_once() {
    for language in [Language::Python, Language::JavaScript] {
        let sandbox = Sandbox::builder().language(language).build().unwrap();
        let mut sessions: Vec<_> = (0..GUESTS).map(|_| live(&sandbox)).collect();
        let error = sandbox.run("1 + 1").unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        for session in &mut sessions {
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
