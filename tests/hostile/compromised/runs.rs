//! State that one run of a compromised guest could keep for the next.

use isolette::Error;
use isolette_abi::{
    Call, Payload,
    console::{Output, Stream},
    encode,
    transfer::Call as Transfer,
};
use isolette_tests::{Case, compromised::Script, scenario};

use super::{CompromisedSandbox, TIMEOUT_OF_ENDLESS, finish, honest};

#[scenario(only = Python, because = "the guest is the same for every language")]
fn payload_handles_belong_to_one_run(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let mut session = sandbox.inner.session().unwrap();
    let append = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: b"123" }));
    session.run(&Script::new().send(&append).program()).unwrap();
    let stale = Script::new().finish(&finish(Payload::Stored { handle: 1, length: 3 }));
    let error = session.run(&stale.program()).unwrap_err();
    assert!(matches!(error, Error::GuestCrashed { .. }), "{error}");
    sandbox.run(&honest(2)).result();
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn memory_of_a_compromised_guest_is_limited(case: &Case) {
    const LIMIT: u64 = 32 << 20;
    let sandbox = CompromisedSandbox::with_limits(case, |limits| limits.memory = LIMIT);
    // It gets an error from `memory.grow`, and may continue.
    let greedy = Script::new().times(100, &Script::new().grow(16)).grow(u32::MAX).grow(65_535);
    let usage = sandbox.run(&greedy).result().usage;
    assert!((8 << 20..=LIMIT).contains(&usage.memory_peak_bytes), "{usage:?}");
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn endless_host_calls_are_ended(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let empty = encode(&Call::Console(Output { stream: Stream::Stderr, bytes: b"" }));
    let ended =
        sandbox.run_for(TIMEOUT_OF_ENDLESS, &Script::new().times(i32::MAX as u32, &Script::new().send(&empty))).0;
    assert!(matches!(ended, Err(Error::Timeout { .. } | Error::HostCallRateExceeded { .. })), "{ended:?}");
}
