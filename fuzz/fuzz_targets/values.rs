//! A text, which may be JSON: its values take no more memory than was measured before they were made.

#![no_main]

use isolette::values::value_bytes;
use serde_json::Value;

/// What a value takes at the least.
fn taken(value: &Value) -> u64 {
    let inside = match value {
        Value::Array(values) => values.iter().map(taken).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() as u64 + 32 + taken(value)).sum(),
        Value::String(text) => text.len() as u64,
        _ => 0,
    };
    size_of::<Value>() as u64 + inside
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let measured = value_bytes(bytes);
    assert!(measured >= bytes.len() as u64 && measured <= 1_000 * (bytes.len() as u64 + 1));
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        assert!(measured >= taken(&value), "{measured} bytes were measured for {}", taken(&value));
    }
});
