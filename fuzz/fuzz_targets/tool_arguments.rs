//! The arguments of a call, a NUL, and a schema: for a known schema, a naive implementation must agree.

#![no_main]

use std::sync::LazyLock;

use isolette_fuzz::arguments;
use isolette_tools::Tool;
use serde_json::Value;

static KNOWN: LazyLock<Tool> = LazyLock::new(|| tool(arguments::schema()).expect("the schema is valid"));

fn tool(schema: Value) -> Option<Tool> {
    Tool::from_schema("known", "", schema, Ok::<_, String>).ok()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (given, schema) = match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], Some(&bytes[end + 1..])),
        None => (bytes, None),
    };
    let checked = KNOWN.check(given).map_err(|error| format!("{error:?}"));
    let naive = serde_json::from_slice::<Value>(given).ok();
    assert_eq!(checked.is_ok(), naive.as_ref().is_some_and(arguments::fits), "{checked:?}");
    match &checked {
        Ok(value) => assert_eq!(Some(value), naive.as_ref(), "the checked value is passed on"),
        Err(message) => assert!(message.len() < 20_000, "a message of {} bytes", message.len()),
    }
    let Some(schema) = schema.and_then(|schema| serde_json::from_slice(schema).ok()) else { return };
    if let Some(tool) = tool(schema) {
        let _ = tool.check(given);
    }
});
