//! False results of runs: they only affect the result of the guest's own run.

use isolette::Error;
use isolette_abi::{
    Call, ErrorReport, Finish, MESSAGE_LIMIT, Payload, Value,
    console::{Output, Stream},
    encode,
    transfer::Call as Transfer,
};
use isolette_tests::{
    Case,
    compromised::{ROOM, Script},
    scenario,
};
use serde_json::json;

use super::{CompromisedSandbox, finish, some_of};

fn nothing<'a>() -> Finish<'a> {
    Finish { value: None, error: None, exit_code: 0, console: Vec::new() }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn undecodable_results_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let whole = encode(&Finish {
        error: Some(ErrorReport { kind: "K", message: "m", line: Some(1), traceback: Payload::Inline(b"t") }),
        console: vec![Output { stream: Stream::Stdout, bytes: b"x" }],
        ..nothing()
    });
    let mut none: Vec<Vec<u8>> = (0..whole.len()).map(|end| whole[..end].to_vec()).collect();
    none.push([&*whole, &[0]].concat());
    none.extend([vec![2], vec![1, 2], vec![0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0], vec![0xff; 20], vec![0, 2, 0, 0]]);
    none.push([&[0, 0, 0][..], &[0xff, 0xff, 0xff, 0xff, 0x0f]].concat());
    none.push(finish(Payload::Stored { handle: 1, length: 4 }));
    let traceback = Payload::Stored { handle: u32::MAX, length: u64::MAX };
    none.push(encode(&Finish {
        error: Some(ErrorReport { kind: "", message: "", line: None, traceback }),
        ..nothing()
    }));
    for bytes in some_of(case, none) {
        sandbox.assert_crashes(&format!("{bytes:?}"), &Script::new().finish(&bytes));
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn an_oversized_result_ends_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    // Hundreds of thousands of empty outputs: in the host's memory each would take a dozen times its room in the message.
    let outputs = |count: u32| {
        let size = [(count & 0x7f) as u8 | 0x80, (count >> 7 & 0x7f) as u8 | 0x80, (count >> 14) as u8];
        let head = [&[0, 0, 0], &size[..]].concat();
        let length = 2 * count + 6;
        (Script::new().put(ROOM, &head).fill(ROOM + 6, 2 * count, 0).finish_from(ROOM, length), length as usize)
    };
    let (most, length) = outputs(131_000);
    assert!(length <= MESSAGE_LIMIT);
    assert_eq!(sandbox.run(&most).result().stdout, "");
    let (too_many, length) = outputs(132_000);
    assert!(length > MESSAGE_LIMIT);
    sandbox.assert_crashes("too many outputs", &too_many);
    for (address, length) in [(ROOM, 3 << 20), (0, 8 << 20)] {
        // In a micro-VM there may be no room for it in the buffer.
        let ended = sandbox.run(&Script::new().finish_from(address, length)).0;
        assert!(matches!(ended, Err(Error::GuestCrashed { .. } | Error::OutOfMemory { .. })), "{ended:?}");
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn values_that_are_not_json_are_returned_as_text(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    for (json, reported) in [
        (&b"nonsense"[..], json!("nonsense")),
        (b"", json!("")),
        (b"{\"a\": 1, \"a\": 2} x", json!("{\"a\": 1, \"a\": 2} x")),
        (b"\xff\xfe", json!("\u{fffd}\u{fffd}")),
        (deep.as_bytes(), json!(deep)),
        (b"1e999", json!("1e999")),
        (b"NaN", json!("NaN")),
    ] {
        let result = sandbox.run(&Script::new().finish(&finish(Payload::Inline(json)))).result();
        assert_eq!((result.value, result.value_exact), (Some(reported), false), "although it said that it is exact");
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn a_false_length_in_a_result_has_no_effect(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let append = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: b"123" }));
    for length in [0, 1, u64::MAX] {
        let script = Script::new().send(&append).finish(&finish(Payload::Stored { handle: 1, length }));
        assert_eq!(sandbox.run(&script).result().value, Some(json!(123)));
    }
    // One payload for two fields.
    let twice = Payload::Stored { handle: 1, length: 3 };
    let error = ErrorReport { kind: "K", message: "m", line: None, traceback: twice };
    let both = Finish { value: Some(Value { json: twice, exact: false }), error: Some(error), ..nothing() };
    sandbox.assert_crashes("twice", &Script::new().send(&append).finish(&encode(&both)));
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn oversized_texts_in_a_result_are_cut(case: &Case) {
    let sandbox = CompromisedSandbox::with_limits(case, |limits| {
        (limits.error, limits.value, limits.stdout) = (1000, 1000, 1000)
    });
    let long = "é".repeat(4000);
    let error =
        ErrorReport { kind: &long, message: &long, line: Some(u32::MAX), traceback: Payload::Inline(&[0xff; 8000]) };
    let json = Payload::Inline(long.as_bytes());
    let forged = Finish {
        value: Some(Value { json, exact: true }),
        error: Some(error),
        exit_code: i32::MIN,
        console: vec![Output { stream: Stream::Stdout, bytes: long.as_bytes() }; 2],
    };
    let result = sandbox.run(&Script::new().finish(&encode(&forged))).result();
    let error = result.error.unwrap();
    assert!(error.kind.len() <= 1024 && error.message.len() <= 1000 && error.traceback.len() <= 1000);
    assert_eq!((result.value, result.truncated.value, result.exit_code), (None, true, i32::MIN));
    assert_eq!((result.stdout.len(), result.truncated.stdout), (1000, 15_000));
}
