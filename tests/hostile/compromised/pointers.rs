//! False addresses of messages, and of buffers for replies.

use isolette::Error;
use isolette_abi::{Call, HANDLE_LIMIT, encode, system};
use isolette_tests::{
    Case,
    compromised::{Afterwards, ROOM, Realloc, Script},
    scenario,
};

use super::{CompromisedSandbox, TIMEOUT_OF_ENDLESS, honest, some_of};

/// A call whose reply the host has to store.
fn ask() -> Vec<u8> {
    encode(&Call::System(system::Call::RandomSeed))
}

/// The initial size of the memory.
const SIZE: u32 = 8 << 20;

#[scenario(only = Python, because = "the guest is the same for every language")]
fn messages_outside_of_memory_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let nowhere = [
        (SIZE - 1, 2, 16),
        (SIZE, 1, 16),
        (0, SIZE + 1, 16),
        (0, u32::MAX, 16),
        (u32::MAX, 1, 16),
        (u32::MAX, u32::MAX, 16),
        (0x8000_0000, 0x8000_0000, 16),
    ];
    for (address, length, result) in some_of(case, nowhere.to_vec()) {
        sandbox.assert_crashes(&format!("{address:#x} {length:#x}"), &Script::new().send_from(address, length, result));
    }
    let valid = Script::new().put(ROOM, &ask());
    for result in [SIZE - 4, SIZE, u32::MAX, 17, 18] {
        sandbox.assert_crashes(&format!("the reply at {result:#x}"), &valid.clone().send_from(ROOM, 2, result));
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn results_outside_of_memory_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    for address in [SIZE - 4, SIZE, u32::MAX, u32::MAX - 3, 0x8000_0000, 1, 2] {
        sandbox.assert_crashes(&format!("{address:#x}"), &Script::new().finish_at(address));
    }
    for (address, length) in [(SIZE, 1), (SIZE - 1, 2), (0, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 1)] {
        sandbox.assert_crashes(&format!("{address:#x} {length:#x}"), &Script::new().finish_from(address, length));
    }
    sandbox.assert_crashes("it breaks off", &Script::new().break_off());
    assert!(matches!(sandbox.run(&Script::new().nest()).0, Err(Error::StackOverflow { .. })));
    assert!(matches!(sandbox.run_for(TIMEOUT_OF_ENDLESS, &Script::new().never_end()).0, Err(Error::Timeout { .. })));
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn a_reply_is_written_only_where_realloc_points(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let with = |how| Script::new().realloc(how).send(&ask());
    for how in [Realloc::Outside, Realloc::AtTheEnd, Realloc::Breaks, Realloc::CallsBack] {
        sandbox.assert_crashes(&format!("{how:?}"), &with(how));
    }
    let ended = sandbox.run_for(TIMEOUT_OF_ENDLESS, &with(Realloc::Endless)).0;
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    let ended = sandbox.run(&with(Realloc::Nests)).0;
    assert!(matches!(ended, Err(Error::StackOverflow { .. })), "{ended:?}");
    // It only overwrites its own memory.
    sandbox.run(&with(Realloc::InUse)).result();
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn component_handles_are_limited(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    sandbox.assert_crashes("more handles than allowed", &Script::new().keep_handles(HANDLE_LIMIT as u32 + 1));
    sandbox.run(&Script::new().keep_handles(HANDLE_LIMIT as u32)).result();
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn code_after_the_result_is_limited(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let with = |what| Script::new().put(ROOM, &ask()).afterwards(what);
    sandbox.assert_crashes("it calls after the end", &with(Afterwards::CallsBack));
    sandbox.assert_crashes("it breaks off after the end", &with(Afterwards::Breaks));
    let ended = sandbox.run_for(TIMEOUT_OF_ENDLESS, &with(Afterwards::Endless)).0;
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    let ended = sandbox.run(&with(Afterwards::Nests)).0;
    assert!(matches!(ended, Err(Error::StackOverflow { .. })), "{ended:?}");
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn realloc_at_the_start_of_a_later_run_is_checked(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    for how in [Realloc::Outside, Realloc::AtTheEnd, Realloc::Breaks, Realloc::CallsBack] {
        let mut session = sandbox.inner.session().unwrap();
        session.run(&Script::new().realloc(how).program()).unwrap();
        let error = session.run(&honest(1).program()).unwrap_err();
        assert!(matches!(error, Error::GuestCrashed { .. }), "{how:?}: {error}");
        let error = session.run(&honest(1).program()).unwrap_err();
        assert!(matches!(error, Error::SessionEnded { .. }), "{error}");
    }
    sandbox.run(&honest(2)).result();
}
