//! The description and the hints of an operation.

use serde_json::Value;

use super::document::{cut, flag, text};
use isolette_tools::ToolHints;

/// Maximum length in bytes of the description of a tool.
const DESCRIPTION: usize = 2_000;

/// One operation, before it becomes a tool.
pub(super) struct Operation<'a> {
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) item: &'a Value,
    pub(super) value: &'a Value,
}

/// The summary and the description; if the document has neither, the method and path.
pub(super) fn description(operation: &Operation<'_>) -> String {
    let part = |key| text(operation.value, key).or_else(|| text(operation.item, key)).unwrap_or_default().trim();
    let (summary, rest) = (part("summary"), part("description"));
    let mut text = match (summary, rest) {
        ("", "") => format!("{} {}", operation.method, operation.path),
        ("", text) | (text, "") => text.to_owned(),
        (summary, rest) if rest.starts_with(summary.trim_end_matches('.')) => rest.to_owned(),
        (summary, rest) => format!("{summary}\n\n{rest}"),
    };
    text = cut(&text, DESCRIPTION);
    if flag(operation.value, "deprecated") {
        text.push_str("\n\nDeprecated.");
    }
    text
}

/// The hints that follow from the method (RFC 9110).
pub(super) fn hints(method: &str) -> ToolHints {
    let read_only = matches!(method, "GET" | "HEAD" | "OPTIONS");
    let mut hints = ToolHints::default();
    hints.read_only = Some(read_only);
    hints.destructive = match method {
        "PUT" | "PATCH" | "DELETE" => Some(true),
        // A POST may do anything.
        "POST" => None,
        _ => Some(false),
    };
    hints.idempotent = Some(read_only || matches!(method, "PUT" | "DELETE"));
    hints.open_world = Some(true);
    hints
}
