//! From text to a document of a version that is understood.
//!
//! Texts are JSON or YAML of a stranger's: nesting, aliases and size have ends, and nothing in YAML names a file, a type or
//! a variable of the machine's.

use serde_json::Value;

use isolette_types::Error;
use isolette_work::{values::Reservation, values::ValueMemory, values::node_bytes, values::nodes, values::value_bytes};

/// Nodes of a YAML document that aliases stand for.
const ALIASED: usize = 500_000;
/// The nesting that JSON is read to as well.
const DEPTH: usize = 128;

/// Reads JSON if it begins like JSON, else YAML. Room for the values is set aside before, as long as they are there.
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
        let value = serde_json::from_str(text).map_err(|error| wrong("JSON", error.to_string()))?;
        return Ok((value, room));
    }
    let (nodes, bytes) = nodes(text);
    let aliased = if text.contains('*') { ALIASED } else { 0 };
    let room = room(bytes.saturating_add(node_bytes(aliased)))?;
    let nodes = nodes + aliased;
    let mut budget = serde_saphyr::Budget::default();
    // Each node begins and may end, and so do the text and what is in it.
    budget.max_events = nodes.saturating_mul(2).saturating_add(16);
    budget.max_nodes = nodes;
    budget.max_depth = DEPTH;
    budget.flow_nesting_limit = DEPTH;
    budget.max_total_scalar_bytes = text.len().saturating_mul(4);
    // What aliases stand for is counted; how often they are used does not matter.
    budget.enforce_alias_anchor_ratio = false;
    // Keys are paths and media types, and those may be long.
    budget.simple_key_max_lookahead = 16 << 10;
    let mut options = serde_saphyr::Options::default();
    options.budget = Some(budget);
    options.strict_booleans = true;
    options.with_snippet = false;
    let value = serde_saphyr::from_str_with_options(text, options);
    Ok((value.map_err(|error| wrong("YAML", error.to_string()))?, room))
}

/// Refuses what is not OpenAPI 3.0 or 3.1.
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
