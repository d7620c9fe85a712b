//! Messages that our guests never send, and well-formed messages with false contents.

use isolette::Error;
use isolette_abi::{
    CHUNK_LIMIT, Call, MESSAGE_LIMIT, Payload, capabilities,
    console::{Output, Stream},
    encode,
    files::{Call as Files, Kind, Lock},
    http::Request,
    system,
    tools::{Call as Tools, Detail},
    transfer::Call as Transfer,
};
use isolette_tests::{
    Case,
    compromised::{ROOM, Script},
    scenario,
};

use super::{CompromisedSandbox, some_of};

/// One message of each kind, valid for our guests.
fn honest_messages() -> Vec<Vec<u8>> {
    let arguments = Payload::Inline(b"{\"value\": 1}");
    let request = Request {
        method: "GET",
        url: "http://127.0.0.1:9/",
        headers: vec![("x", "y")],
        body: Payload::Inline(b"body"),
        timeout: Some(1_000_000),
        redirects: 3,
        line: 1,
    };
    let search = Tools::Search { text: "echo", detail: Detail::Full, tags: vec!["tag"], limit: 3 };
    let interface = "a:b/c";
    [
        Call::Tools(Tools::Call { name: "echo", arguments, line: 1 }),
        Call::Tools(Tools::Describe { name: "echo" }),
        Call::Tools(Tools::List),
        Call::Tools(search),
        Call::Http(request),
        Call::Files(Files::Stat { path: "/output" }),
        Call::Files(Files::Read { path: "/output/a", offset: 1, length: 2 }),
        Call::Files(Files::Write { path: "/output/a", offset: Some(1), bytes: b"abc" }),
        Call::Files(Files::List { path: "/output", skip: 1 }),
        Call::Files(Files::Create { path: "/output/a", kind: Kind::File }),
        Call::Files(Files::Rename { source: "/output/a", target: "/output/b" }),
        Call::Files(Files::Resize { path: "/output/a", size: 3 }),
        Call::Files(Files::SetModified { path: "/output/a", modified: 3 }),
        Call::Files(Files::Lock { path: "/output/a", lock: Lock::Shared, start: 1, length: 2, test: false }),
        Call::Console(Output { stream: Stream::Stdout, bytes: b"said" }),
        Call::System(system::Call::Sleep(1)),
        Call::System(system::Call::RandomSeed),
        Call::Transfer(Transfer::Append { handle: None, bytes: b"kept" }),
        Call::Capabilities(capabilities::Call::Call { interface, function: "d", arguments, line: 0 }),
        Call::Capabilities(capabilities::Call::Drop { interface, resource: "e", handle: 7 }),
    ]
    .iter()
    .map(encode)
    .collect()
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn undecodable_messages_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    // Tags: 0 tools, 1 HTTP, 2 files, 3 console, 4 system, 5 transfer, 6 capabilities.
    let none: &[(&str, &[u8])] = &[
        ("nothing at all", b""),
        ("no such kind", &[7]),
        ("no such kind, in the longest way to write it", &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ("a number that never ends", &[0xff; 12]),
        ("no such operation on files", &[2, 10]),
        ("no such operation of the system", &[4, 200, 1]),
        ("no such stream", &[3, 2, 1, b'x']),
        ("no such kind of file", b"\x02\x04\x07/output\x03"),
        ("no such lock", b"\x02\x09\x07/output\x03\x00\x00\x00"),
        ("neither some nor none", b"\x05\x00\x02\x01x"),
        ("a text that is not UTF-8", b"\x02\x00\x02\xc3\x28"),
        ("half of a character", b"\x02\x00\x04\xed\xa0\x80a"),
        ("a text longer than the message", b"\x02\x00\x7fabc"),
        ("a text as long as an address space", b"\x02\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc"),
        ("as many headers as there are numbers", b"\x01\x03GET\x01/\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        ("a million headers that are not there", b"\x01\x03GET\x01/\xc0\x84\x3d"),
        ("as many tags as fit 32 bits", b"\x00\x03\x01a\x00\xff\xff\xff\xff\x0f"),
    ];
    for (what, message) in some_of(case, none.to_vec()) {
        sandbox.assert_crashes(what, &Script::new().send(message));
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn partial_and_concatenated_messages_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let mut spoiled = Vec::new();
    for message in honest_messages() {
        spoiled.extend((0..message.len()).map(|end| message[..end].to_vec()));
        spoiled.push([&*message, &[0]].concat());
        spoiled.push([&*message, &*message].concat());
    }
    for message in some_of(case, spoiled) {
        sandbox.assert_crashes(&format!("{message:?}"), &Script::new().send(&message));
    }
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn oversized_messages_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let limit = u32::try_from(MESSAGE_LIMIT).unwrap();
    sandbox.assert_crashes("one byte too long", &Script::new().send_from(ROOM, limit + 1, 16));
    // In a micro-VM there is no room for it in the buffer either.
    let all = Script::new().grow(2048).send_from(0, 100 << 20, 16);
    let ended = sandbox.run(&all).0.unwrap_err();
    assert!(matches!(ended, Error::GuestCrashed { .. } | Error::OutOfMemory { .. }), "{ended}");
    let head = encode(&Call::Console(Output { stream: Stream::Stdout, bytes: &[] }));
    let length = limit - 5;
    let head =
        [&head[..2], &[(length & 0x7f) as u8 | 0x80, (length >> 7 & 0x7f) as u8 | 0x80, (length >> 14) as u8]].concat();
    let longest = Script::new().put(ROOM, &head).fill(ROOM + 5, length, b'x').send_from(ROOM, limit, 16);
    assert_eq!(sandbox.run(&longest).result().stdout.len(), length as usize, "the longest that there may be");
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn unknown_handles_end_the_guest(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let stored = |handle| Payload::Stored { handle, length: 4 };
    let body = Request {
        method: "POST",
        url: "http://127.0.0.1:9/",
        headers: vec![],
        body: stored(9),
        timeout: None,
        redirects: 0,
        line: 1,
    };
    let calls = [
        Call::Transfer(Transfer::Append { handle: Some(77), bytes: b"x" }),
        Call::Transfer(Transfer::Read { handle: 0, offset: 0, length: 1 }),
        Call::Transfer(Transfer::Read { handle: u32::MAX, offset: u64::MAX, length: u32::MAX }),
        Call::Tools(Tools::Call { name: "echo", arguments: stored(1), line: 1 }),
        Call::Http(body),
        Call::Capabilities(capabilities::Call::Call {
            interface: "a:b/c",
            function: "d",
            arguments: stored(2),
            line: 0,
        }),
    ];
    for call in some_of(case, calls.to_vec()) {
        sandbox.assert_crashes(&format!("{call:?}"), &Script::new().send(&encode(&call)));
    }
    let append = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: b"1234" }));
    let spend = encode(&Call::Tools(Tools::Call { name: "echo", arguments: stored(1), line: 1 }));
    sandbox.assert_crashes("one that was used", &Script::new().send(&append).send(&spend).send(&spend));
    let release = encode(&Call::Transfer(Transfer::Release { handle: 1 }));
    let read = encode(&Call::Transfer(Transfer::Read { handle: 1, offset: 0, length: 4 }));
    sandbox.assert_crashes(
        "one that was given back",
        &Script::new().send(&append).send(&release).send(&release).send(&read),
    );
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn false_message_fields_have_no_effect(case: &Case) {
    let sandbox = CompromisedSandbox::new(case);
    let long = "x".repeat(4200);
    let upwards = format!("/output/{}secret", "../".repeat(40));
    let paths = [
        "/output/../secret",
        &upwards,
        "secret",
        "/output/\0",
        &long,
        "",
        "/",
        "//output//..//secret",
        "/output/",
        "/output//",
        "/output//made",
        "/output/made/",
        "//output/made",
        "output/made",
    ];
    for path in paths {
        let mut script = Script::new();
        for call in [
            Files::Stat { path },
            Files::Read { path, offset: u64::MAX, length: u32::MAX },
            Files::Write { path, offset: Some(u64::MAX), bytes: b"x" },
            Files::Write { path, offset: None, bytes: b"x" },
            Files::List { path, skip: u32::MAX },
            Files::Create { path, kind: Kind::Other },
            Files::Create { path, kind: Kind::File },
            Files::Rename { source: path, target: "/output/moved" },
            Files::Rename { source: "/output", target: path },
            Files::Resize { path, size: u64::MAX },
            Files::SetModified { path, modified: u64::MAX },
            Files::Lock { path, lock: Lock::Exclusive, start: 1, length: u64::MAX, test: false },
            Files::Lock { path, lock: Lock::Shared, start: u64::MAX, length: 0, test: true },
            Files::Remove { path, kind: Kind::Directory },
        ] {
            script = script.send(&encode(&Call::Files(call)));
        }
        assert_eq!(sandbox.run(&script).result().usage.host_calls, 14);
        assert_eq!(sandbox.made(), [""; 0], "{path}");
    }
    let mut script = Script::new();
    for (method, url) in
        [("GET", "http://127.0.0.1/"), ("\r\n", "\r\n"), ("", ""), ("CONNECT", "https://[::1]:0"), (&*long, &*long)]
    {
        let headers = vec![(method, url); if url.len() > 100 { 1 } else { 200 }];
        let (body, timeout) = (Payload::Inline(b""), Some(u64::MAX));
        let request = Request { method, url, headers, body, timeout, redirects: u32::MAX, line: u32::MAX };
        script = script.send(&encode(&Call::Http(request)));
    }
    let search = Tools::Search { text: &long, detail: Detail::Full, tags: vec![""; 500], limit: u32::MAX };
    for call in [
        Call::Tools(search),
        Call::Tools(Tools::Call { name: "no\nsuch\0tool", arguments: Payload::Inline(b"{}"), line: 0 }),
        Call::Tools(Tools::Call { name: "echo", arguments: Payload::Inline(&[b'['; 5000]), line: 1 }),
        Call::Tools(Tools::Call { name: "echo", arguments: Payload::Inline(&[0xff]), line: 1 }),
        Call::Capabilities(capabilities::Call::Describe { interface: &long }),
        Call::Capabilities(capabilities::Call::Drop { interface: &long, resource: &long, handle: u32::MAX }),
        Call::Transfer(Transfer::Release { handle: u32::MAX }),
    ] {
        script = script.send(&encode(&call));
    }
    let result = sandbox.run(&script).result();
    let not_reached =
        |outcome: &str| ["denied", "unknown-tool", "invalid-arguments", "protocol", "too-large"].contains(&outcome);
    assert!(result.calls.len() > 5, "{:?}", result.calls);
    for call in &result.calls {
        assert!(not_reached(call.outcome.as_str()), "{call:?}");
        assert!(call.target.chars().count() <= 256, "what it made up is not kept whole");
    }
    let sleep = encode(&Call::System(system::Call::Sleep(u64::MAX)));
    assert!(matches!(sandbox.run(&Script::new().send(&sleep)).0, Err(Error::SleepExceeded { .. })));
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn output_of_a_compromised_guest_is_limited(case: &Case) {
    let sandbox = CompromisedSandbox::with_limits(case, |limits| (limits.stdout, limits.calls_recorded) = (10_000, 5));
    let line = encode(&Call::Console(Output { stream: Stream::Stdout, bytes: &[b'x'; 1000] }));
    let call = encode(&Call::Tools(Tools::Call { name: "none", arguments: Payload::Inline(b"{}"), line: 0 }));
    let result = sandbox.run(&Script::new().times(50, &Script::new().send(&line).send(&call))).result();
    assert_eq!((result.stdout.len(), result.truncated.stdout), (10_000, 40_000));
    assert_eq!((result.calls.len(), result.truncated.calls), (5, 45));
}

#[scenario(only = Python, because = "the guest is the same for every language")]
fn payloads_stored_for_a_compromised_guest_are_limited(case: &Case) {
    let sandbox = CompromisedSandbox::with_limits(case, |limits| limits.payload = 1 << 20);
    let length = u32::try_from(CHUNK_LIMIT).unwrap();
    let head = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: &[] }));
    let size = [(length & 0x7f) as u8 | 0x80, (length >> 7 & 0x7f) as u8 | 0x80, (length >> 14) as u8];
    let head = [&head[..head.len() - 1], &size].concat();
    let whole = u32::try_from(head.len()).unwrap() + length;
    // The last reply is `None`: there is no room. As the end of a run it is malformed.
    let flood = Script::new().put(ROOM, &head).times(100, &Script::new().send_from(ROOM, whole, 16));
    assert_eq!(sandbox.run(&flood).result().usage.host_calls, 100);
    sandbox.assert_crashes("a reply is no end", &flood.finish_with_reply());
    let little = encode(&Call::Transfer(Transfer::Append { handle: None, bytes: b"x" }));
    sandbox.run(&Script::new().times(1000, &Script::new().send(&little))).result();
}
