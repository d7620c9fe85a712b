//! Arguments of typed functions that do not match their types.

use isolette::{Borrowed, CallContext, Owned};
use isolette_abi::{Call, Payload, capabilities, encode};
use isolette_tests::{Case, compromised::Script, scenario};

use super::{CompromisedSandbox, some_of};

isolette::capability!({
    path: "hostile/compromised/values.wit",
    interface: "hostile:values/takes",
    implementation: Takes,
    resources: { thing: Thing, other: Other },
});

use self::takes::{Colour, Figure, Marks};

pub(super) struct Takes;

pub(super) struct Thing;

pub(super) struct Other;

impl takes::ThingMethods for Thing {}

impl takes::OtherMethods for Other {}

impl takes::Takes for Takes {
    fn new_thing(&self, _: &CallContext) -> Owned<Thing> {
        Owned::new(Thing)
    }

    fn new_other(&self, _: &CallContext) -> Owned<Other> {
        Owned::new(Other)
    }

    fn truth(&self, _: &CallContext, value: bool) -> bool {
        value
    }

    fn letter(&self, _: &CallContext, value: char) -> char {
        value
    }

    fn text(&self, _: &CallContext, value: String) -> String {
        value
    }

    fn number(&self, _: &CallContext, value: u64) -> u64 {
        value
    }

    fn texts(&self, _: &CallContext, value: Vec<String>) -> Vec<String> {
        value
    }

    fn colours(&self, _: &CallContext, value: Vec<Colour>) -> Vec<Colour> {
        value
    }

    fn marked(&self, _: &CallContext, value: Marks) -> Marks {
        value
    }

    fn drawn(&self, _: &CallContext, value: Figure) -> Figure {
        value
    }

    fn perhaps(&self, _: &CallContext, value: Option<Option<u8>>) -> Option<Option<u8>> {
        value
    }

    fn either(&self, _: &CallContext, value: Result<u8, String>) -> Result<u8, String> {
        value
    }

    fn borrowed(&self, _: &CallContext, _: Borrowed<Thing>) {}

    fn given(&self, _: &CallContext, _: Owned<Thing>) {}

    fn all(&self, _: &CallContext, _: Vec<Borrowed<Thing>>) {}
}

fn call(function: &str, arguments: &[u8]) -> Vec<u8> {
    let arguments = Payload::Inline(arguments);
    encode(&Call::Capabilities(capabilities::Call::Call {
        interface: "hostile:values/takes",
        function,
        arguments,
        line: u32::MAX,
    }))
}

/// The result of each call, all in one run.
fn outcomes(sandbox: &CompromisedSandbox, calls: &[(&str, &[u8])]) -> Vec<&'static str> {
    let script = calls.iter().fold(Script::new(), |script, (function, bytes)| script.send(&call(function, bytes)));
    let result = sandbox.run(&script).result();
    assert_eq!(result.calls.len(), calls.len());
    result.calls.iter().map(|call| call.outcome.as_str()).collect()
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn undecodable_capability_arguments_are_refused(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let honest: &[(&str, &[u8])] = &[
        ("truth", &[1]),
        ("letter", &[0x61, 0, 0, 0]),
        ("text", b"\x01\0\0\0x"),
        ("number", &[0xff; 8]),
        ("texts", &[0; 4]),
        ("colours", &[2, 0, 0, 0, 0, 2]),
        ("marked", &[0b111]),
        ("drawn", &[0]),
        ("perhaps", &[1, 1, 9]),
        ("either", &[0, 9]),
    ];
    assert_eq!(outcomes(&sandbox, honest), ["ok"; 10], "these are what the others are not");
    let all = [0xff; 4];
    let lies: &[(&str, &[u8])] = &[
        ("truth", &[2]),
        ("truth", &[]),
        ("truth", &[1, 1]),
        ("letter", &[0, 0xd8, 0, 0]),
        ("letter", &[0, 0, 0x11, 0]),
        ("letter", &[0x61]),
        ("text", b"\x02\0\0\0\xc3\x28"),
        ("text", b"\x02\0\0\0x"),
        ("text", &all),
        ("number", &[0; 7]),
        ("number", &[0; 9]),
        ("texts", &all),
        ("texts", b"\x02\0\0\0\x01\0\0\0x"),
        ("texts", b"\x01\0\0\0\xff\xff\xff\xff"),
        ("colours", &all),
        ("colours", &[1, 0, 0, 0, 3]),
        ("marked", &[0b1000]),
        ("marked", &[]),
        ("drawn", &[2]),
        ("drawn", &[1]),
        ("drawn", b"\x01\x01\0\0\0\xff"),
        ("perhaps", &[2]),
        ("perhaps", &[1, 2]),
        ("perhaps", &[0, 0]),
        ("either", &[2, 0]),
        ("either", &[1, 9]),
        ("borrowed", &[0; 4]),
        ("borrowed", &all),
        ("given", &[1, 0, 0, 0]),
        ("all", &[1, 0, 0, 0, 7, 0, 0, 0]),
        ("all", &all),
        ("[constructor]thing", &[0]),
    ];
    for (place, outcome) in outcomes(&sandbox, &some_of(case, lies.to_vec())).into_iter().enumerate() {
        assert_eq!(outcome, "invalid", "the lie at {place}");
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn resource_handles_of_another_type_are_refused(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    // The first handle is 1, the second one 2.
    let (thing, other): (&[u8], &[u8]) = (&[1, 0, 0, 0], &[2, 0, 0, 0]);
    let calls: &[(&str, &[u8])] = &[
        ("[constructor]thing", &[]),
        ("[constructor]other", &[]),
        ("borrowed", thing),
        ("borrowed", other),
        ("given", other),
        ("given", thing),
        ("given", thing),
        ("borrowed", thing),
    ];
    let expected = ["ok", "ok", "ok", "invalid", "invalid", "ok", "invalid", "invalid"];
    assert_eq!(outcomes(&sandbox, calls), expected);
}
