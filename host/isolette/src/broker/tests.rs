//! Tests with an untrusted guest: arbitrary bytes, and well-formed messages with arbitrary values in every field.

mod pauses;
mod replay;
mod tickets;

use isolette_abi::{
    CHUNK_LIMIT, Payload,
    console::Output,
    files::{Call as FileCall, Kind, Lock},
    http::Request,
    tickets::{Exchange, Submission, Submitted, Wait},
    tools::{Call as ToolCall, Detail},
};
use proptest::prelude::*;

use super::{
    trial::{LIMIT, Trial},
    *,
};
use isolette_policy::{CallCheck, CallDecision};
use isolette_tools::Tool;
use isolette_work::values::value_bytes;

fn handle() -> impl Strategy<Value = u32> {
    prop_oneof![0..4_u32, any::<u32>()]
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..20_u64, Just(u64::MAX), Just(u64::MAX - 1), Just(i64::MAX as u64), any::<u64>()]
}

fn path() -> impl Strategy<Value = String> {
    let part =
        prop_oneof!["[a-c]", Just("..".into()), Just(".".into()), Just(String::new()), "\\PC{0,3}", Just("\0".into())];
    prop_oneof![
        prop::collection::vec(part.clone(), 0..5).prop_map(|parts| format!("/output/{}", parts.join("/"))),
        prop::collection::vec(part, 0..5).prop_map(|parts| format!("/{}", parts.join("/"))),
        Just("/output".into()),
        Just(format!("/output/{}", "x".repeat(5000))),
        Just("/output/../secret".into()),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(vec![Kind::File, Kind::Directory, Kind::Other])
}

fn lock() -> impl Strategy<Value = Lock> {
    prop::sample::select(vec![Lock::Unlock, Lock::Shared, Lock::Exclusive])
}

#[derive(Clone, Debug)]
enum Data {
    Inline(Vec<u8>),
    Stored { handle: u32, length: u64 },
}

impl Data {
    fn payload(&self) -> Payload<'_> {
        match self {
            Self::Inline(bytes) => Payload::Inline(bytes),
            Self::Stored { handle, length } => Payload::Stored { handle: *handle, length: *length },
        }
    }
}

#[derive(Clone, Debug)]
enum Asked {
    Tool(String, Data),
    Http(String, Data),
    Capability(String, Data),
}

impl Asked {
    fn submitted(&self) -> Submitted<'_> {
        match self {
            Self::Tool(name, data) => Submitted::Tool { name, arguments: data.payload(), line: 3 },
            Self::Http(url, data) => Submitted::Http(Request {
                method: "GET",
                url,
                headers: Vec::new(),
                body: data.payload(),
                timeout: None,
                redirects: 3,
                line: 1,
            }),
            Self::Capability(name, data) => {
                Submitted::Capability { interface: name, function: name, arguments: data.payload(), line: 3 }
            }
        }
    }
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200).prop_map(Data::Inline),
        "\\{\"[a-z]{0,3}\": [0-9\\[\\]{}\"]{0,9}\\}".prop_map(|text| Data::Inline(text.into_bytes())),
        (handle(), number()).prop_map(|(handle, length)| Data::Stored { handle, length }),
    ]
}

/// A well-formed message with arbitrary values in every field.
fn lie() -> impl Strategy<Value = Vec<u8>> {
    let transfer = prop_oneof![
        (prop::option::of(handle()), prop::collection::vec(any::<u8>(), 0..300))
            .prop_map(|(handle, bytes)| encode(&Call::Transfer(transfer::Call::Append { handle, bytes: &bytes }))),
        prop::option::of(handle()).prop_map(|handle| {
            encode(&Call::Transfer(transfer::Call::Append { handle, bytes: &vec![1; CHUNK_LIMIT] }))
        }),
        (handle(), number(), any::<u32>()).prop_map(|(handle, offset, length)| encode(&Call::Transfer(
            transfer::Call::Read { handle, offset, length }
        ))),
        handle().prop_map(|handle| encode(&Call::Transfer(transfer::Call::Release { handle }))),
    ];
    let files = prop_oneof![
        path().prop_map(|path| encode(&Call::Files(FileCall::Stat { path: &path }))),
        (path(), number(), any::<u32>()).prop_map(|(path, offset, length)| encode(&Call::Files(FileCall::Read {
            path: &path,
            offset,
            length
        }))),
        (path(), prop::option::of(number()), prop::collection::vec(any::<u8>(), 0..50)).prop_map(
            |(path, offset, bytes)| encode(&Call::Files(FileCall::Write { path: &path, offset, bytes: &bytes }))
        ),
        (path(), any::<u32>()).prop_map(|(path, skip)| encode(&Call::Files(FileCall::List { path: &path, skip }))),
        (path(), kind()).prop_map(|(path, kind)| encode(&Call::Files(FileCall::Create { path: &path, kind }))),
        (path(), kind()).prop_map(|(path, kind)| encode(&Call::Files(FileCall::Remove { path: &path, kind }))),
        (path(), path())
            .prop_map(|(source, target)| encode(&Call::Files(FileCall::Rename { source: &source, target: &target }))),
        (path(), number()).prop_map(|(path, size)| encode(&Call::Files(FileCall::Resize { path: &path, size }))),
        (path(), number())
            .prop_map(|(path, modified)| encode(&Call::Files(FileCall::SetModified { path: &path, modified }))),
        (path(), lock(), number(), number(), any::<bool>()).prop_map(|(path, lock, start, length, test)| encode(
            &Call::Files(FileCall::Lock { path: &path, lock, start, length, test })
        )),
    ];
    let tools = prop_oneof![
        ("(echo|\\PC{0,9})", data()).prop_map(|(name, data)| encode(&Call::Tools(ToolCall::Call {
            name: &name,
            arguments: data.payload(),
            line: 3
        }))),
        Just(encode(&Call::Tools(ToolCall::List))),
        "(echo|\\PC{0,9})".prop_map(|name| encode(&Call::Tools(ToolCall::Describe { name: &name }))),
        ("\\PC{0,40}", any::<u32>()).prop_map(|(text, limit)| {
            encode(&Call::Tools(ToolCall::Search { text: &text, detail: Detail::Full, tags: vec![&text], limit }))
        }),
    ];
    let submitted = prop_oneof![
        ("(echo|\\PC{0,9})", data()).prop_map(|(name, data)| Asked::Tool(name, data)),
        ("(http://[a-z.@:/0-9]{0,30}|\\PC{0,30})", data()).prop_map(|(url, data)| Asked::Http(url, data)),
        ("\\PC{0,30}", data()).prop_map(|(name, data)| Asked::Capability(name, data)),
    ];
    let tickets = (
        prop::collection::vec((handle(), submitted), 0..5),
        prop::collection::vec(handle(), 0..5),
        prop::option::of((prop::collection::vec(handle(), 0..5), any::<bool>(), prop::option::of(number()))),
    )
        .prop_map(|(submit, cancel, wait)| {
            let submit = submit.iter().map(|(ticket, asked)| Submission { ticket: *ticket, call: asked.submitted() });
            let wait = wait.map(|(tickets, all, timeout)| Wait { tickets, all, timeout });
            encode(&Call::Tickets(Exchange { submit: submit.collect(), cancel, wait }))
        });
    let others = prop_oneof![
        (
            "(GET|\\PC{0,9})",
            "(http://[a-z.@:/0-9\\[\\]]{0,30}|\\PC{0,30})",
            data(),
            prop::option::of(number()),
            any::<u32>()
        )
            .prop_map(|(method, url, data, timeout, redirects)| {
                let headers = vec![("x", &*url), (&*method, "y")];
                let body = data.payload();
                encode(&Call::Http(Request { method: &method, url: &url, headers, body, timeout, redirects, line: 0 }))
            }),
        prop::collection::vec(any::<u8>(), 0..2000)
            .prop_map(|bytes| encode(&Call::Console(Output { stream: Stream::Stderr, bytes: &bytes }))),
        number().prop_map(|time| encode(&Call::System(system::Call::Sleep(time)))),
    ];
    // On the heap: together they are too large for the stack of a thread where nothing is optimised.
    prop_oneof![transfer.boxed(), files.boxed(), tools.boxed(), tickets.boxed(), others.boxed()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_of_any_kind_do_no_harm(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 1..20)) {
        let mut host = Trial::new();
        for message in messages {
            let _ = host.call(&message);
        }
        host.assert_sound();
    }

    #[test]
    fn lies_do_no_harm(messages in prop::collection::vec(lie(), 1..40)) {
        let mut host = Trial::new();
        for message in messages {
            let _ = host.call(&message);
        }
        host.assert_sound();
    }

    #[test]
    fn spoiled_messages_do_no_harm(message in lie(), place in any::<prop::sample::Index>(), byte in any::<u8>(), end in any::<prop::sample::Index>()) {
        let mut host = Trial::new();
        let mut spoiled = message.clone();
        if let Some(spoilt) = spoiled.get_mut(place.index(message.len().max(1))) {
            *spoilt = byte;
        }
        let _ = host.call(&spoiled);
        let _ = host.call(&message[..end.index(message.len() + 1)]);
        let _ = host.call(&[message, vec![byte]].concat());
        host.assert_sound();
    }
}

#[test]
fn a_message_that_is_too_long_is_not_looked_at() {
    let mut host = Trial::new();
    assert_eq!(host.call(&vec![0; MESSAGE_LIMIT + 1]), Err(Stop::Malformed));
}

#[test]
fn what_the_host_keeps_for_a_guest_has_an_end() {
    let mut host = Trial::new();
    let chunk = vec![0; CHUNK_LIMIT];
    let append = |handle| encode(&Call::Transfer(transfer::Call::Append { handle, bytes: &chunk }));
    let kept = (0..1000).filter(|_| decode::<Option<u32>>(&host.call(&append(None)).unwrap()).unwrap().is_some());
    assert_eq!(kept.count() as u64, LIMIT / CHUNK_LIMIT as u64);
    assert_eq!(host.call(&append(Some(77))), Ok(encode(&None::<u32>)), "there is no room, whatever the handle");
    assert_eq!(host.call(&encode(&Call::Transfer(transfer::Call::Release { handle: 1 }))), Ok(encode(&())));
    assert_eq!(host.call(&append(Some(77))), Err(Stop::Malformed));
}

#[test]
fn a_sleep_that_is_not_allowed_ends_the_guest() {
    assert_eq!(Trial::new().call(&encode(&Call::System(system::Call::Sleep(u64::MAX)))), Err(Stop::Sleep));
}

#[test]
fn arguments_are_counted_until_the_call_ends_and_twice_during_approval() {
    let reserved = Arc::new(Mutex::new(Vec::new()));
    let note = || {
        let reserved = Arc::clone(&reserved);
        move || reserved.lock().unwrap().push(work::Call::current().unwrap().reserved())
    };
    let (decide, run) = (note(), note());
    let tool = Tool::typed("tool", "", move |_: serde_json::Value| {
        run();
        Ok::<_, String>(0)
    });
    let mut host = Trial::with(tool.unwrap());
    host.checks().push(CallCheck::new(move |_| {
        decide();
        CallDecision::Allow
    }));
    let arguments = br#"{"list": [1, 2, 3]}"#;
    let bytes = value_bytes(arguments);
    let call = encode(&Call::Tools(ToolCall::Call { name: "tool", arguments: Payload::Inline(arguments), line: 0 }));
    host.call(&call).unwrap();
    host.checks().clear();
    host.call(&call).unwrap();
    assert_eq!(*reserved.lock().unwrap(), [2 * bytes, bytes, bytes]);
}

#[test]
fn a_whole_chunk_of_a_file_is_in_the_reply() {
    let mut host = Trial::new();
    let chunk = vec![7; CHUNK_LIMIT];
    let mut ask = |call| host.call(&encode(&Call::Files(call))).unwrap();
    ask(FileCall::Create { path: "/output/file", kind: Kind::File });
    ask(FileCall::Write { path: "/output/file", offset: Some(0), bytes: &chunk });
    let reply = ask(FileCall::Read { path: "/output/file", offset: 0, length: u32::MAX });
    let read: Result<transfer::Chunk<'_>, isolette_abi::files::FileError> = decode(&reply).unwrap();
    assert_eq!(read.unwrap().0, chunk);
}
