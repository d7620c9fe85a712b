//! Tests of the entry with a fake host and a fake image.

use std::collections::BTreeMap;

use isolette_abi::{
    BodyRule, CHUNK_LIMIT, Call, CallStyle, Dialect, Finish, MESSAGE_LIMIT, Mode, Payload, Start, VERSION, Variable,
    console::{Output, Stream},
    decode, encode,
    host_call::HostCall,
    transfer::{self, Chunk},
};

use crate::{
    bindings::isolette::sandbox::runner::{self, Error, Outcome, Request},
    run::{Image, run},
};

/// A host that only stores payloads.
struct Payloads {
    kept: BTreeMap<u32, Vec<u8>>,
    limit: usize,
}

impl HostCall for Payloads {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        assert!(message.len() <= MESSAGE_LIMIT);
        let Ok(Call::Transfer(call)) = decode(message) else { panic!("the entry only transfers payloads") };
        match call {
            transfer::Call::Append { handle, bytes } => {
                if self.kept.values().map(Vec::len).sum::<usize>() + bytes.len() > self.limit {
                    return encode(&None::<u32>);
                }
                let handle = handle.unwrap_or(100 + self.kept.len() as u32);
                self.kept.entry(handle).or_default().extend_from_slice(bytes);
                encode(&Some(handle))
            }
            transfer::Call::Read { handle, offset, length } => {
                let rest = &self.kept[&handle][offset as usize..];
                encode(&Chunk(&rest[..rest.len().min(length as usize).min(CHUNK_LIMIT)]))
            }
            transfer::Call::Release { handle } => {
                assert!(self.kept.remove(&handle).is_some());
                encode(&())
            }
        }
    }
}

fn host() -> Payloads {
    Payloads { kept: BTreeMap::new(), limit: 100 * CHUNK_LIMIT }
}

/// An image that returns a fixed outcome and records the requests.
struct FakeImage {
    outcome: Outcome,
    console: Vec<u8>,
    requests: Vec<Request>,
    begun: bool,
}

impl Image for FakeImage {
    fn begin(&mut self, start: &[u8]) {
        assert!(decode::<Start<'_>>(start).is_ok());
        self.begun = true;
    }

    fn run(&mut self, request: &Request) -> Outcome {
        assert!(self.begun, "the adapter comes first");
        self.requests.push(request.clone());
        self.outcome.clone()
    }

    fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.console)
    }
}

fn image(outcome: Outcome) -> FakeImage {
    FakeImage { outcome, console: encode(&Vec::<Output<'_>>::new()), requests: Vec::new(), begun: false }
}

fn value(json: &str) -> Outcome {
    Outcome { value: Some(runner::Value { json: json.into(), exact: true }), error: None, exit_code: 0 }
}

fn error(kind: &str, message: &str, traceback: &str) -> Outcome {
    let error = Error { kind: kind.into(), message: message.into(), line: Some(3), traceback: traceback.into() };
    Outcome { value: None, error: Some(error), exit_code: 1 }
}

fn start<'a>(code: Payload<'a>, variables: &'a [u8]) -> Start<'a> {
    Start {
        version: VERSION,
        seed: [1; 32],
        mounts: Vec::new(),
        code,
        filename: "main.py",
        variables: Payload::Inline(variables),
        mode: Mode::Session,
        http_body: BodyRule::Text,
        tool_calls: CallStyle { asynchronous: true, reason: "line 3 awaits a call" },
        interface_calls: CallStyle { asynchronous: false, reason: "" },
        dialect: Dialect::Codex,
    }
}

/// Runs a program and checks the length of the message.
fn run_checked(host: &mut Payloads, image: &mut FakeImage) -> Vec<u8> {
    let message = encode(&start(Payload::Inline(b"code"), &encode(&Vec::<Variable<'_>>::new())));
    let finish = run(host, image, &message);
    assert!(finish.len() <= MESSAGE_LIMIT, "a message of {} bytes", finish.len());
    finish
}

fn bytes(host: &Payloads, payload: Payload<'_>) -> Vec<u8> {
    match payload {
        Payload::Inline(bytes) => bytes.to_vec(),
        Payload::Stored { handle, length } => {
            assert_eq!(host.kept[&handle].len() as u64, length);
            host.kept[&handle].clone()
        }
    }
}

#[test]
fn the_request_is_what_the_host_sent() {
    let (mut host, mut image) = (host(), image(value("1")));
    let code = "é".repeat(CHUNK_LIMIT);
    host.kept.insert(1, code.clone().into_bytes());
    let variables = encode(&vec![Variable { name: "n", json: "[1]" }]);
    let payload = Payload::Stored { handle: 1, length: code.len() as u64 };
    run(&mut host, &mut image, &encode(&start(payload, &variables)));
    let request = &image.requests[0];
    assert!(request.code == code);
    assert_eq!(request.filename, "main.py");
    assert_eq!((&*request.variables[0].name, &*request.variables[0].json), ("n", "[1]"));
    assert!(matches!((request.mode, request.http_body), (runner::Mode::Session, runner::BodyRule::Text)));
    assert!(request.tool_calls.asynchronous && !request.interface_calls.asynchronous);
    assert_eq!(request.tool_calls.reason, "line 3 awaits a call");
    assert!(matches!(request.dialect, runner::Dialect::Codex));
    assert!(host.kept.is_empty(), "the code is released");
}

#[test]
fn values_of_any_length_are_returned() {
    for length in [0, 1, CHUNK_LIMIT, CHUNK_LIMIT + 1, MESSAGE_LIMIT, 5 * CHUNK_LIMIT] {
        let (mut host, mut image) = (host(), image(value(&"v".repeat(length))));
        let finish = run_checked(&mut host, &mut image);
        let finish: Finish<'_> = decode(&finish).expect("a finish");
        let value = finish.value.expect("there is a value");
        assert!(bytes(&host, value.json) == "v".repeat(length).into_bytes(), "{length}");
        assert_eq!((finish.exit_code, finish.error), (0, None));
    }
}

#[test]
fn a_value_that_the_host_does_not_store_is_an_error() {
    let (mut host, mut image) = (host(), image(value(&"v".repeat(2 * CHUNK_LIMIT))));
    host.limit = CHUNK_LIMIT;
    let finish = run_checked(&mut host, &mut image);
    let finish: Finish<'_> = decode(&finish).expect("a finish");
    let error = finish.error.expect("there is an error");
    assert_eq!((finish.value, finish.exit_code, error.kind), (None, 1, "ValueTooLong"));
    assert!(error.message.contains("hint:"), "{}", error.message);
    assert!(host.kept.is_empty(), "the incomplete payload is released");
}

#[test]
fn the_longest_of_everything_fits_one_message() {
    let long = "é".repeat(MESSAGE_LIMIT);
    let output = vec![b'o'; 64 * 1024 - 8];
    for limit in [0, 100 * CHUNK_LIMIT] {
        for length in [CHUNK_LIMIT / 2, CHUNK_LIMIT, 2 * CHUNK_LIMIT] {
            let mut outcome = error(&long, &long, &"é".repeat(3 * MESSAGE_LIMIT));
            outcome.value = value(&"v".repeat(length)).value;
            let (mut host, mut image) = (host(), image(outcome));
            host.limit = limit;
            image.console = encode(&vec![Output { stream: Stream::Stdout, bytes: &output }]);
            let finish = run_checked(&mut host, &mut image);
            let finish: Finish<'_> = decode(&finish).expect("a finish");
            let error = finish.error.expect("there is an error");
            assert!(error.kind.len() <= 256 && error.kind.ends_with("bytes cut]"));
            assert!(error.message.len() <= 64 * 1024 && error.message.ends_with("bytes cut]"));
            let traceback = bytes(&host, error.traceback);
            assert!(traceback.ends_with(b"bytes cut]"));
            assert_eq!(traceback.len() > 1_000_000, limit > 0, "stored whole if the host allows it");
            assert_eq!(finish.console[0].bytes, output);
        }
    }
}

#[test]
fn the_exit_code_of_the_program_is_returned() {
    for exit_code in [-1, 0, 1, 42] {
        let finish = run_checked(&mut host(), &mut image(Outcome { value: None, error: None, exit_code }));
        assert_eq!(decode::<Finish<'_>>(&finish).map(|finish| finish.exit_code), Ok(exit_code));
    }
}

#[test]
fn another_version_is_refused_before_anything_runs() {
    let (mut host, mut image) = (host(), image(value("1")));
    for message in [encode(&(VERSION + 1)), encode(&(VERSION + 1, "another layout")), Vec::new(), vec![0xff; 9]] {
        let finish = run(&mut host, &mut image, &message);
        let finish: Finish<'_> = decode(&finish).expect("a finish");
        let error = finish.error.expect("there is an error");
        assert_eq!((error.kind, finish.exit_code), ("AbiMismatch", 1));
        assert!(error.message.contains(&format!("this image uses version {VERSION}")), "{}", error.message);
    }
    assert!(image.requests.is_empty() && !image.begun);
}

#[test]
fn a_malformed_start_is_refused() {
    let (mut host, mut image) = (host(), image(value("1")));
    let mut message = encode(&start(Payload::Inline(b"code"), b"not variables"));
    for _ in 0..2 {
        let finish = run(&mut host, &mut image, &message);
        let finish: Finish<'_> = decode(&finish).expect("a finish");
        assert_eq!(finish.error.map(|error| error.kind), Some("AbiMismatch"));
        message.pop();
    }
    assert!(image.requests.is_empty());
}
