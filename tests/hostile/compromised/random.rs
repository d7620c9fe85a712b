//! Random bytes and scripts.

use isolette::Isolation;
use isolette_abi::{Call, Payload, encode, files::Call as Files, tools::Call as Tools};
use isolette_tests::{Case, compromised::Script, scenario};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use super::{CompromisedSandbox, TIMEOUT_OF_ENDLESS};

/// The same cases each time; fewer in micro-VMs, which may be emulated.
fn try_all<S: Strategy>(case: &Case, strategy: &S, test: impl Fn(S::Value)) {
    let cases = if case.isolation == Isolation::MicroVm { 12 } else { 250 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let run = TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()))
        .run(strategy, |value| {
            test(value);
            Ok(())
        });
    run.unwrap_or_else(|error| panic!("{error}"));
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![0..10_u8, any::<u8>()], 0..60)
}

/// A message with some bytes changed.
fn spoiled() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop_oneof![
        Just(encode(&Call::Files(Files::Write { path: "/output/file", offset: Some(3), bytes: b"0123456789" }))),
        Just(encode(&Call::Files(Files::Rename { source: "/output/a", target: "/output/b" }))),
        Just(encode(&Call::Tools(Tools::Call {
            name: "echo",
            arguments: Payload::Inline(b"{\"value\": [1]}"),
            line: 1
        }))),
    ];
    (whole, prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)).prop_map(
        |(mut bytes, changes)| {
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            bytes
        },
    )
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn random_messages_end_in_typed_errors(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let messages = prop::collection::vec(prop_oneof![bytes(), spoiled()], 1..5);
    try_all(case, &messages, |messages| {
        sandbox.run(&messages.iter().fold(Script::new(), |script, message| script.send(message)));
    });
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn random_results_end_in_typed_errors(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    try_all(case, &bytes(), |bytes| drop(sandbox.run(&Script::new().finish(&bytes))));
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn random_scripts_end_in_typed_errors(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let operand = prop_oneof![0..40_u32, any::<u32>(), Just(u32::MAX), 0x10_0000..0x40_0000_u32];
    // All but the endless one, for which one test is enough.
    let number = prop_oneof![1..14_u8, 15..17_u8];
    let operation = (number, prop::collection::vec(operand, 0..4), bytes());
    let script = prop::collection::vec(operation, 1..8);
    try_all(case, &script, |operations| {
        let mut script = Script::new();
        for (number, operands, rest) in operations {
            script = script.bytes(&[number]);
            for operand in operands {
                script = script.bytes(&operand.to_le_bytes());
            }
            script = script.bytes(&rest[..rest.len().min(8)]);
        }
        sandbox.run_for(TIMEOUT_OF_ENDLESS, &script);
    });
}
