//! The host's side of the wall, asked by somebody who is no guest of ours. Messages are as long as their first two bytes say.

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
