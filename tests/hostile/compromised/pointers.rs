//! Lies at the lower level: where messages are, and where the host may put replies.

use isolette::Error;
use isolette_abi::{Call, HANDLE_LIMIT, encode, system};
use isolette_tests::{
    Case,
    compromised::{Afterwards, ROOM, Realloc, Script},
    scenario,
};

use super::{ENDLESS, Wall, honest, some_of};

/// A call whose reply the host has to put somewhere.
fn ask() -> Vec<u8> {
    encode(&Call::System(system::Call::RandomSeed))
}

/// The memory's size at first.
const SIZE: u32 = 8 << 20;

#[scenario(only = Python, because = "it is no language that lies")]
fn messages_that_are_nowhere_end_it(case: &Case) {
    let wall = Wall::new(case);
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
        wall.breaks(&format!("{address:#x} {length:#x}"), &Script::new().send_from(address, length, result));
    }
    let valid = Script::new().put(ROOM, &ask());
    for result in [SIZE - 4, SIZE, u32::MAX, 17, 18] {
        wall.breaks(&format!("the reply at {result:#x}"), &valid.clone().send_from(ROOM, 2, result));
    }
}

#[scenario(only = Python, because = "it is no language that lies")]
fn results_that_are_nowhere_end_it(case: &Case) {
    let wall = Wall::new(case);
    for address in [SIZE - 4, SIZE, u32::MAX, u32::MAX - 3, 0x8000_0000, 1, 2] {
        wall.breaks(&format!("{address:#x}"), &Script::new().finish_at(address));
    }
    for (address, length) in [(SIZE, 1), (SIZE - 1, 2), (0, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 1)] {
        wall.breaks(&format!("{address:#x} {length:#x}"), &Script::new().finish_from(address, length));
    }
    wall.breaks("it breaks off", &Script::new().break_off());
    assert!(matches!(wall.run(&Script::new().nest()).0, Err(Error::StackOverflow { .. })));
    assert!(matches!(wall.run_for(ENDLESS, &Script::new().never_end()).0, Err(Error::Timeout { .. })));
}

#[scenario(only = Python, because = "it is no language that lies")]
fn a_reply_is_put_nowhere_else(case: &Case) {
    let wall = Wall::new(case);
    let with = |how| Script::new().realloc(how).send(&ask());
    for how in [Realloc::Outside, Realloc::AtTheEnd, Realloc::Breaks, Realloc::CallsBack] {
        wall.breaks(&format!("{how:?}"), &with(how));
    }
    let ended = wall.run_for(ENDLESS, &with(Realloc::Endless)).0;
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    let ended = wall.run(&with(Realloc::Nests)).0;
    assert!(matches!(ended, Err(Error::StackOverflow { .. })), "{ended:?}");
    // What it overwrites is its own.
    wall.run(&with(Realloc::InUse)).result();
}

#[scenario(only = Python, because = "it is no language that lies")]
fn handles_are_bounded(case: &Case) {
    let wall = Wall::new(case);
    wall.breaks("more handles than allowed", &Script::new().keep_handles(HANDLE_LIMIT as u32 + 1));
    wall.run(&Script::new().keep_handles(HANDLE_LIMIT as u32)).result();
}

#[scenario(only = Python, because = "it is no language that lies")]
fn what_comes_after_a_run_is_bounded_too(case: &Case) {
    let wall = Wall::new(case);
    let with = |what| Script::new().put(ROOM, &ask()).afterwards(what);
    wall.breaks("it calls after the end", &with(Afterwards::CallsBack));
    wall.breaks("it breaks off after the end", &with(Afterwards::Breaks));
    let ended = wall.run_for(ENDLESS, &with(Afterwards::Endless)).0;
    assert!(matches!(ended, Err(Error::Timeout { .. })), "{ended:?}");
    let ended = wall.run(&with(Afterwards::Nests)).0;
    assert!(matches!(ended, Err(Error::StackOverflow { .. })), "{ended:?}");
}

#[scenario(only = Python, because = "it is no language that lies")]
fn the_start_of_a_later_run_is_no_way_in(case: &Case) {
    let wall = Wall::new(case);
    for how in [Realloc::Outside, Realloc::AtTheEnd, Realloc::Breaks, Realloc::CallsBack] {
        let mut session = wall.sandbox.session().unwrap();
        session.run(&Script::new().realloc(how).program()).unwrap();
        let error = session.run(&honest(1).program()).unwrap_err();
        assert!(matches!(error, Error::GuestCrashed { .. }), "{how:?}: {error}");
        let error = session.run(&honest(1).program()).unwrap_err();
        assert!(matches!(error, Error::SessionEnded { .. }), "{error}");
    }
    wall.run(&honest(2)).result();
}
