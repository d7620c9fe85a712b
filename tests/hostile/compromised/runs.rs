//! What one run of a guest that was taken over could keep for the next.

use isolette::Error;
use isolette_abi::{
    Call, Payload,
    console::{Output, Stream},
    encode,
    transfer::Call as Transfer,
};
use isolette_tests::{Case, compromised::Script, scenario};

use super::{ENDLESS, Wall, finish, honest};

#[scenario(only = Python, because = "it is no language that lies")]
fn handles_belong_to_one_run(case: &Case) {
    let wall = Wall::new(case);
    let mut session = wall.sandbox.session().unwrap();
    let append = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: b"123" }));
    session.run(&Script::new().send(&append).program()).unwrap();
    let stale = Script::new().finish(&finish(Payload::Stored { handle: 1, length: 3 }));
    let error = session.run(&stale.program()).unwrap_err();
    assert!(matches!(error, Error::GuestCrashed { .. }), "{error}");
    wall.run(&honest(2)).result();
}

#[scenario(only = Python, because = "it is no language that lies")]
fn memory_has_an_end(case: &Case) {
    const LIMIT: u64 = 32 << 20;
    let wall = Wall::with_limits(case, |limits| limits.memory = LIMIT);
    // It is told that there is none, and that it goes on is fine.
    let greedy = Script::new().times(100, &Script::new().grow(16)).grow(u32::MAX).grow(65_535);
    let usage = wall.run(&greedy).result().usage;
    assert!((8 << 20..=LIMIT).contains(&usage.memory_peak_bytes), "{usage:?}");
}

#[scenario(only = Python, because = "it is no language that lies")]
fn calls_without_end_have_one(case: &Case) {
    let wall = Wall::new(case);
    let empty = encode(&Call::Console(Output { stream: Stream::Stderr, bytes: b"" }));
    let ended = wall.run_for(ENDLESS, &Script::new().times(i32::MAX as u32, &Script::new().send(&empty))).0;
    assert!(matches!(ended, Err(Error::Timeout { .. } | Error::HostCallRate { .. })), "{ended:?}");
}
