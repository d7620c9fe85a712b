//! Converts the tools that a server lists.

use std::{collections::HashSet, sync::Arc};

use isolette::{
    SkippedTool, Tool, ToolHints, ToolSet,
    naming::{free, identifier},
    values::Reservation,
};
use rmcp::model::Tool as McpTool;
use serde_json::Value;

use super::{connection::Upstream, filter::Filter, listed::Listed};

/// Maximum length of a schema in bytes.
const SCHEMA_LIMIT: usize = 256 << 10;

/// Maximum length of a description in characters.
const DESCRIPTION_LIMIT: usize = 8_000;

/// Converts the included tools. Those that cannot be converted are reported with the reason.
pub(super) fn convert(namespace: &str, listed: Listed, filter: &Filter, upstream: &Arc<Upstream>) -> ToolSet {
    let more = listed.more;
    let (tools, room) = listed.wanted(|name| filter.wants(namespace, name));
    let room = Arc::new(room);
    let mut set = ToolSet::default();
    let mut taken = HashSet::new();
    for tool in tools {
        let what = tool.name.to_string();
        match one(namespace, tool, &mut taken, upstream, &room) {
            Ok(tool) => set.tools.push(tool),
            Err(reason) => set.skipped.push(SkippedTool::new(what, reason)),
        }
    }
    if more {
        set.skipped.push(SkippedTool::new("the rest", "the server lists more tools than are taken from one server"));
    }
    set
}

fn one(
    namespace: &str,
    tool: McpTool,
    taken: &mut HashSet<String>,
    upstream: &Arc<Upstream>,
    room: &Arc<Reservation>,
) -> Result<Tool, String> {
    let name = identifier(&tool.name).ok_or("its name has no letter or digit")?;
    // Descriptions and schemas of a server may repeat secrets that were passed to it, like its results.
    let redacted = |schema| upstream.redaction().value(Value::Object(Arc::unwrap_or_clone(schema)));
    let input = redacted(tool.input_schema);
    let output = tool.output_schema.map(redacted);
    if input.to_string().len() > SCHEMA_LIMIT || output.as_ref().is_some_and(|it| it.to_string().len() > SCHEMA_LIMIT) {
        return Err(format!("its schema is longer than {SCHEMA_LIMIT} bytes"));
    }
    let description = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
    let description: String = upstream.redaction().text(description).chars().take(DESCRIPTION_LIMIT).collect();
    let (upstream, called, room) = (Arc::clone(upstream), tool.name.to_string(), Arc::clone(room));
    let call = move |arguments| {
        // The memory stays reserved as long as one of the tools exists.
        let _room = &room;
        let (upstream, called) = (Arc::clone(&upstream), called.clone());
        async move { upstream.call(&called, arguments).await }
    };
    let name = free(name, |name| taken.contains(name));
    taken.insert(name.clone());
    let name = format!("{namespace}.{name}");
    let made = Tool::from_untrusted_schema_async(&name, &description, input, output, call);
    let made = made.map_err(|error| error.to_string())?;
    let mut hints = ToolHints::default();
    if let Some(annotations) = tool.annotations {
        hints.read_only = annotations.read_only_hint;
        hints.destructive = annotations.destructive_hint;
        hints.idempotent = annotations.idempotent_hint;
        hints.open_world = annotations.open_world_hint;
    }
    Ok(made.with_tag(namespace).with_hints(hints))
}
