//! Tests with the compromised guest of `tests/hostile`, which runs scripts of bytes (see there).

extern crate std;

use alloc::{format, string::String, vec, vec::Vec};

use isolette_abi::{MESSAGE_LIMIT, runtime::Failure};
use wasmtime::{Engine, Error, Result, component::Component};

use crate::{ENGINE_VERSION, Failed, Host, Image, Instance, NATIVE_STACK, Stopped, settings};

const UNLIMITED: u64 = u64::MAX;

/// Operations of scripts.
const SEND: u8 = 1;
const SEND_FROM: u8 = 2;
const FILL: u8 = 3;
const END_FROM: u8 = 8;
const END_WITH_REPLY: u8 = 10;
const ABORT: u8 = 13;
const NEST: u8 = 15;
const GROW: u8 = 16;

/// Replies with the message in reverse, or ends the guest.
#[derive(Debug)]
struct Reverse;

impl Host for Reverse {
    fn call(&self, message: &[u8]) -> Result<Vec<u8>> {
        if message == b"stop" { Err(Error::new(Stopped)) } else { Ok(message.iter().rev().copied().collect()) }
    }
}

fn instance(memory_limit: u64) -> Result<Instance<Reverse>, Failed> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/hostile/compromised/component.wat");
    let engine = Engine::new(&settings()).unwrap();
    let image = Image::new(&Component::new(&engine, wat::parse_file(path).unwrap()).unwrap()).unwrap();
    image.instantiate(image.store(Reverse, memory_limit))
}

fn script(operations: &[u8]) -> Vec<u8> {
    let digits: String = operations.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("lies:{digits} ").into_bytes()
}

fn operation(code: u8, numbers: &[usize], bytes: &[u8]) -> Vec<u8> {
    let mut operation = vec![code];
    operation.extend(numbers.iter().flat_map(|number| u32::try_from(*number).unwrap().to_le_bytes()));
    operation.extend(bytes);
    operation
}

/// Runs a script on a thread with enough stack.
fn run(memory_limit: u64, operations: &[Vec<u8>]) -> Result<Vec<u8>, Failure> {
    let message = script(&operations.concat());
    let work = move || instance(memory_limit)?.run(message);
    let thread = std::thread::Builder::new().stack_size(NATIVE_STACK).spawn(work).unwrap();
    thread.join().unwrap().map_err(|failed| failed.classify())
}

#[test]
fn messages_reach_the_host_and_replies_the_guest() {
    let send = operation(SEND, &[3], b"abc");
    assert_eq!(run(UNLIMITED, &[send, operation(END_WITH_REPLY, &[], &[])]).unwrap(), b"cba");
    assert_eq!(run(UNLIMITED, &[]).unwrap(), [0; 4]);
}

#[test]
fn the_host_can_end_the_guest() {
    assert_eq!(run(UNLIMITED, &[operation(SEND, &[4], b"stop")]), Err(Failure::Stopped));
}

#[test]
fn a_message_that_is_too_long_ends_the_guest() {
    let address = 0x10_0000;
    for (length, fits) in [(MESSAGE_LIMIT, true), (MESSAGE_LIMIT + 1, false)] {
        let sent = run(UNLIMITED, &[operation(SEND_FROM, &[address, length, 16], &[])]);
        let ended = run(UNLIMITED, &[operation(END_FROM, &[address, length], &[])]);
        if fits {
            assert!(sent.is_ok(), "{sent:?}");
            assert_eq!(ended.unwrap().len(), length);
        } else {
            for refused in [sent, ended] {
                assert!(
                    matches!(&refused, Err(Failure::Crashed(text)) if text.contains("too much data")),
                    "{refused:?}"
                );
            }
        }
    }
}

#[test]
fn memory_is_limited() {
    const MIB: u64 = 1 << 20;
    let grow = operation(GROW, &[1024], &[]);
    let abort = operation(ABORT, &[], &[]);
    assert_eq!(run(16 * MIB, &[grow.clone(), abort.clone()]), Err(Failure::OutOfMemory));
    assert!(run(16 * MIB, std::slice::from_ref(&grow)).is_ok(), "the guest can continue without the memory");
    assert!(matches!(run(128 * MIB, &[grow, abort]), Err(Failure::Crashed(_))));
    assert_eq!(instance(MIB).map(drop).unwrap_err().classify(), Failure::OutOfMemory);

    let mut instance = instance(UNLIMITED).unwrap();
    assert_eq!(instance.memory_peak(), 8 * MIB);
    assert!(instance.set_memory_limit(8 * MIB));
    assert!(!instance.set_memory_limit(8 * MIB - 1));
}

#[test]
fn traps_are_classified() {
    assert_eq!(run(UNLIMITED, &[operation(NEST, &[], &[])]), Err(Failure::StackOverflow));
    let crashed = |operation| match run(UNLIMITED, &[operation]) {
        Err(Failure::Crashed(text)) => text,
        other => panic!("{other:?}"),
    };
    let text = crashed(operation(FILL, &[0, 1 << 30, 0], &[]));
    assert!(text.starts_with("memory access out of bounds, as when"), "{text}");
    let text = crashed(operation(ABORT, &[], &[]));
    assert!(text.contains("unreachable"), "{text}");
}

#[test]
fn the_version_is_that_of_the_engine() {
    let pinned = format!("\nwasmtime = {{ version = \"={ENGINE_VERSION}\"");
    for manifest in [include_str!("../../Cargo.toml"), include_str!("../../runtime/Cargo.toml")] {
        assert!(manifest.contains(&pinned), "one of the pins is not {ENGINE_VERSION}");
    }
}
