//! Parses text to a document and checks its version.
//!
//! Texts are untrusted JSON or YAML: nesting, aliases and size are limited, and YAML cannot refer to a file, a type or
//! a variable of the machine.

use std::{panic, thread};

use serde_json::Value;

use isolette_types::Error;
use isolette_work::values::{Reservation, ValueMemory, lost_digits_as_text, node_bytes, nodes, value_bytes};

/// Maximum number of YAML nodes that aliases expand to.
const ALIASED: usize = 500_000;
/// Maximum nesting depth, the same as that of the JSON parser.
const DEPTH: usize = 128;
/// Stack of the thread that parses YAML, in bytes. At that depth the parser needs between 3 and 4 MiB where it is not optimised, and a
/// caller's thread may have 2.
const STACK: usize = 16 << 20;

/// Keywords of schemas whose values programs send. Numbers in them that would lose digits become texts.
const OF_CALLS: [&str; 4] = [".default", ".const", ".enum", ".example"];

/// Parses JSON if the text begins like JSON, else YAML. Memory for the values is reserved before; the reservation has
/// to be kept as long as the values.
pub(super) fn text(text: &str, what: &str) -> Result<(Value, Reservation), Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong = |language: &str, why: String| {
        Error::invalid(
            format!("{what} is not {language}: {why}"),
            "give an OpenAPI document as JSON or YAML, not the page that shows it",
        )
    };
    let room = |bytes| {
        ValueMemory::reserve_for_operator(bytes).map_err(|why| {
            Error::invalid(
                format!("{what} is too much: {why}"),
                "give a document with fewer values, or the host more memory for values (`ValueMemory::set_limit`; \
                 `value_bytes` in `[server]`)",
            )
        })
    };
    if text.trim_start().starts_with('{') {
        let room = room(value_bytes(text.as_bytes()))?;
        // Bounds may be rounded to doubles, but not what calls are made of.
        let text = lost_digits_as_text(text.as_bytes(), |place| OF_CALLS.iter().any(|it| place.contains(it)));
        let value = serde_json::from_slice(&text).map_err(|error| wrong("JSON", error.to_string()))?;
        return Ok((value, room));
    }
    let (nodes, bytes) = nodes(text);
    let aliased = if text.contains('*') { ALIASED } else { 0 };
    let room = room(bytes.saturating_add(node_bytes(aliased)))?;
    let nodes = nodes + aliased;
    Ok((yaml(text, nodes)?.map_err(|why| wrong("YAML", why))?, room))
}

fn yaml(text: &str, nodes: usize) -> Result<Result<Value, String>, Error> {
    let parse =
        || serde_saphyr::from_str_with_options(text, limited(text.len(), nodes)).map_err(|error| error.to_string());
    thread::scope(|scope| {
        let parsing = thread::Builder::new().name("isolette-yaml".into()).stack_size(STACK).spawn_scoped(scope, parse);
        let parsing = parsing.map_err(|error| Error::io("cannot start a thread that parses YAML", error))?;
        Ok(parsing.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

fn limited(length: usize, nodes: usize) -> serde_saphyr::Options {
    let mut budget = serde_saphyr::Budget::default();
    // Each node has a start and possibly an end event, and so do the stream and the document.
    budget.max_events = nodes.saturating_mul(2).saturating_add(16);
    budget.max_nodes = nodes;
    budget.max_depth = DEPTH;
    budget.flow_nesting_limit = DEPTH;
    budget.max_total_scalar_bytes = length.saturating_mul(4);
    // The expanded nodes are limited; the number of uses of an alias does not matter.
    budget.enforce_alias_anchor_ratio = false;
    // Keys are paths and media types, which may be long.
    budget.simple_key_max_lookahead = 16 << 10;
    let mut options = serde_saphyr::Options::default();
    options.budget = Some(budget);
    options.strict_booleans = true;
    options.with_snippet = false;
    options
}

/// Rejects documents that are not OpenAPI 3.0 or 3.1.
pub(super) fn check_version(document: &Value, what: &str) -> Result<(), Error> {
    let version = |key: &str| match document.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    if let Some(version) = version("swagger") {
        return Err(Error::invalid(
            format!("{what} is Swagger {version}, which is not supported"),
            "convert it to OpenAPI 3.0, for example with `npx swagger2openapi`",
        ));
    }
    match version("openapi") {
        Some(version) if ["3.0", "3.1"].iter().any(|known| is_of(&version, known)) => Ok(()),
        Some(version) => Err(Error::invalid(
            format!("{what} is OpenAPI {version}, which is not supported"),
            "give a document of OpenAPI 3.0 or 3.1",
        )),
        None => Err(Error::invalid(
            format!("{what} is not an OpenAPI document: it has no field `openapi`"),
            "give the document itself, of OpenAPI 3.0 or 3.1",
        )),
    }
}

/// `3.0.4` and `3.0.0-rc1` are 3.0; `3.01` is not.
fn is_of(version: &str, known: &str) -> bool {
    version.trim().strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
}
