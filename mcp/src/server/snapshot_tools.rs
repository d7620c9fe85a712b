//! The definitions of the tools for snapshots.

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use super::{
    annotations,
    sandboxes::Sandboxes,
    tool::{handle_schema, text, tool, with_handle},
};

/// The tools, if a sandbox of the server can be saved.
pub(super) fn tools(sandboxes: &Sandboxes) -> Vec<Tool> {
    let can_save = sandboxes.iter().any(|entry| entry.explanation.isolation.engine.saves_states());
    if can_save { vec![snapshot_sandbox(), fork_sandbox(), restore_sandbox(), delete_snapshot()] } else { Vec::new() }
}

fn snapshot_sandbox() -> Tool {
    let output = json!({
        "type": "object",
        "properties": {
            "snapshot_id": { "type": "string" },
            "language": { "type": "string" },
            "bytes": { "type": "integer", "description": "What the snapshot keeps in memory." },
        },
        "required": ["snapshot_id", "language", "bytes"],
    });
    let description = "Saves the state of a sandbox: variables, imports and files in /tmp. The sandbox goes on. Files on \
                       mounts, /output included, are not part of it.";
    tool("snapshot_sandbox", "Save a sandbox", description, with_handle([]), &["sandbox_id"], output)
        .with_annotations(annotations::keeping(false, false))
}

fn fork_sandbox() -> Tool {
    let count = json!({
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 1,
        "description": "How many sandboxes to make.",
    });
    let output = json!({
        "type": "object",
        "properties": { "sandboxes": { "type": "array", "items": handle_schema() } },
        "required": ["sandboxes"],
    });
    let description = "Makes sandboxes that continue from the present state of one, each on its own, to try several ways \
                       from the same point. The sandbox itself goes on, too.";
    tool("fork_sandbox", "Fork a sandbox", description, with_handle([("count", count)]), &["sandbox_id"], output)
        .with_annotations(annotations::keeping(false, false))
}

fn restore_sandbox() -> Tool {
    let properties: Map<String, Value> = [
        snapshot_id(),
        ("sandbox_id".to_owned(), text("The sandbox that returns to the snapshot. Without it a new one is made.")),
    ]
    .into_iter()
    .collect();
    let description = "Continues from a snapshot, in a new sandbox or in one that exists.";
    tool("restore_sandbox", "Restore a sandbox", description, properties, &["snapshot_id"], handle_schema())
        .with_annotations(annotations::keeping(true, false))
}

fn delete_snapshot() -> Tool {
    let output = json!({
        "type": "object",
        "properties": { "deleted": { "type": "boolean" } },
        "required": ["deleted"],
    });
    let properties = [snapshot_id()].into_iter().collect();
    tool("delete_snapshot", "Delete a snapshot", "Deletes a snapshot.", properties, &["snapshot_id"], output)
        .with_annotations(annotations::keeping(true, false))
}

fn snapshot_id() -> (String, Value) {
    ("snapshot_id".to_owned(), text("The handle that snapshot_sandbox returned."))
}
