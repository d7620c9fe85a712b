//! The host side of the host call ABI, with messages of an untrusted guest. The first two bytes of a message are its length.

#![no_main]

use isolette::fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut rest = bytes;
    let messages = std::iter::from_fn(|| {
        let (length, after) = rest.split_first_chunk::<2>()?;
        let (message, after) = after.split_at(after.len().min(u16::from_le_bytes(*length).into()));
        rest = after;
        Some(message)
    });
    fuzzing::host_calls(messages.take(64));
});
