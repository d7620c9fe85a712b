//! Tools for discovering what programs may call, with selectable detail.

use isolette::catalog::{Catalog, Detail, SearchQuery, ToolDetails};
use rmcp::model::{CallToolResult, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Shared, annotations, handler::done, outcome::Failure, tool::tool};

/// Maximum number of tools in a search result.
const SEARCH_LIMIT: usize = 100;

/// Maximum number of tools whose schemas are returned at once.
const SCHEMAS_LIMIT: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    query: String,
    #[serde(default)]
    detail: Option<String>,
    #[serde(default)]
    tags: Option<Vec<String>>,
    #[serde(default)]
    limit: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GetSchema {
    #[serde(default, alias = "toolNames")]
    tool_names: Option<Vec<String>>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    detail: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Syntax {
    #[serde(default)]
    language: Option<String>,
}

impl Shared {
    pub(super) fn search(&self, arguments: Search) -> Result<CallToolResult, Failure> {
        let limit = arguments.limit.map_or(10, |limit| usize::try_from(limit).unwrap_or(SEARCH_LIMIT));
        let mut query = SearchQuery::new(arguments.query)
            .detail(detail(arguments.detail.as_deref(), Detail::Brief)?)
            .limit(limit.min(SEARCH_LIMIT));
        for tag in arguments.tags.unwrap_or_default() {
            query = query.tag(tag);
        }
        let found = self.catalog().search(&query);
        let mut text = list(&found.tools);
        match (found.total, found.annotation()) {
            (0, _) => text = "No tool matches. Try other words, or an empty query for all tools.".into(),
            (_, Some(annotation)) => text.push_str(&format!("\n\n{annotation}")),
            _ => {}
        }
        let annotation = found.annotation();
        Ok(done(json!({ "tools": found.tools, "total": found.total, "annotation": annotation }), text))
    }

    pub(super) fn get_schema(&self, arguments: GetSchema) -> Result<CallToolResult, Failure> {
        let mut names = arguments.tool_names.unwrap_or_default();
        names.extend(arguments.name);
        if names.is_empty() || names.len() > SCHEMAS_LIMIT {
            return Err(Failure::new(
                "InvalidArguments",
                format!("{} tools were named", names.len()),
                format!("name 1 to {SCHEMAS_LIMIT} tools with `tool_names`, or one with `name`"),
            ));
        }
        let schemas = self.catalog().schemas(&names, detail(arguments.detail.as_deref(), Detail::Detailed)?);
        let mut text = list(&schemas.tools);
        for missing in &schemas.missing {
            let nearest = match missing.nearest.as_slice() {
                [] => String::new(),
                nearest => format!(" Did you mean {}?", nearest.join(" or ")),
            };
            text.push_str(&format!("\n\nThere is no tool `{}`.{nearest}", missing.name));
        }
        let mut result = done(json!(schemas), text.trim_start().to_owned());
        // It is an error if none of the named tools exists.
        result.is_error = Some(schemas.tools.is_empty());
        Ok(result)
    }

    pub(super) fn get_execute_syntax(&self, arguments: Syntax) -> Result<CallToolResult, Failure> {
        let entry = self.sandboxes().choose(arguments.language.as_deref())?;
        let syntax = entry.guide(false).syntax();
        Ok(done(json!({ "language": entry.language().name(), "syntax": syntax }), syntax.clone()))
    }

    /// The catalog; every sandbox has the same tools.
    fn catalog(&self) -> Catalog {
        let sandboxes = self.sandboxes();
        sandboxes.first().sandbox.catalog().clone()
    }
}

fn detail(name: Option<&str>, default: Detail) -> Result<Detail, Failure> {
    name.map_or(Ok(default), |name| name.parse().map_err(|error| Failure::of(&error)))
}

/// The tools as text for a model, one after the other.
fn list(tools: &[ToolDetails]) -> String {
    let shown: Vec<String> = tools.iter().map(one).collect();
    shown.join("\n\n")
}

fn one(tool: &ToolDetails) -> String {
    let mut text = tool.name.clone();
    if let Some(description) = tool.description.as_deref().filter(|description| !description.is_empty()) {
        text.push_str(": ");
        text.push_str(description);
    }
    if let Some(parameters) = &tool.parameters {
        text.push('\n');
        text.push_str(parameters);
    }
    for (what, schema) in [("arguments", &tool.input_schema), ("result", &tool.output_schema)] {
        if let Some(schema) = schema {
            text.push_str(&format!("\n{what}: {schema}"));
        }
    }
    text
}

/// The definitions of the discovery tools.
pub(super) fn tools(language: Option<Value>) -> Vec<Tool> {
    let detail = |default: &str| {
        json!({
            "type": "string",
            "enum": ["name", "brief", "detailed", "full"],
            "default": default,
            "description": "How much is returned of each: its name; its description too; its parameters too; its JSON Schemas.",
        })
    };
    let properties = |list: Vec<(&str, Value)>| -> Map<String, Value> {
        list.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
    };
    let strings =
        |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    let details = json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "description": { "type": "string" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "parameters": { "type": "string" },
                "input_schema": { "type": "object" },
                "output_schema": {},
            },
            "required": ["name"],
        },
    });
    let search = tool(
        "search",
        "Search tools",
        "Searches the tools that programs can call. Best first.",
        properties(vec![
            ("query", json!({ "type": "string", "description": "Words. Nothing finds every tool." })),
            ("detail", detail("brief")),
            ("tags", strings("Only tools with one of these tags.")),
            (
                "limit",
                json!({ "type": "integer", "minimum": 0, "default": 10, "description": "At most 100 are returned." }),
            ),
        ]),
        &["query"],
        json!({
            "type": "object",
            "properties": {
                "tools": details,
                "total": { "type": "integer", "description": "How many match." },
                "annotation": { "type": ["string", "null"] },
            },
            "required": ["tools", "total"],
        }),
    );
    let get_schema = tool(
        "get_schema",
        "Get the parameters of tools",
        "Describes what tools expect and return.",
        properties(vec![
            ("tool_names", strings("Names, as search has them.")),
            ("name", json!({ "type": "string", "description": "One name." })),
            ("detail", detail("detailed")),
        ]),
        &[],
        json!({
            "type": "object",
            "properties": {
                "tools": details,
                "missing": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": { "type": "string" },
                            "nearest": { "type": "array", "items": { "type": "string" } },
                        },
                        "required": ["name", "nearest"],
                    },
                },
            },
            "required": ["tools", "missing"],
        }),
    );
    let syntax = tool(
        "get_execute_syntax",
        "Get how programs are written",
        "Describes how programs for execute_code are written: the language, how they call tools, what they can reach. Read it \
         once, before the first program.",
        properties(language.map(|language| ("language", language)).into_iter().collect()),
        &[],
        json!({
            "type": "object",
            "properties": { "language": { "type": "string" }, "syntax": { "type": "string" } },
            "required": ["language", "syntax"],
        }),
    );
    [search, get_schema, syntax].map(|tool| tool.with_annotations(annotations::reading())).to_vec()
}
