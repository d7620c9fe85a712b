//! The definitions of the tools as clients see them: names, descriptions, schemas. They are the same in every listing.

use isolette::policy::Limits;
use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use super::{
    Shared, annotations,
    handler::object,
    outcome::{Outcome, schema_of},
    profile::Profile,
    sandboxes::Sandboxes,
    snapshot_tools,
    tool::{handle_schema, text, tool, with_handle},
};

impl Shared {
    /// All tools of the profile, in a stable order.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let sandboxes = self.sandboxes();
        sandboxes.listing(|| self.listing(&sandboxes)).to_vec()
    }

    /// The tool of this name.
    pub(super) fn tool(&self, name: &str) -> Option<Tool> {
        let sandboxes = self.sandboxes();
        sandboxes.listing(|| self.listing(&sandboxes)).iter().find(|tool| tool.name == name).cloned()
    }

    fn listing(&self, sandboxes: &Sandboxes) -> Vec<Tool> {
        match self.profile {
            Profile::CodeAct => vec![self.execute_code(sandboxes)],
            Profile::CodeMode => {
                let mut tools = super::discovery::tools(language_property(sandboxes));
                tools.push(self.execute_code(sandboxes));
                tools
            }
            Profile::Sessions => {
                let mut tools = vec![self.create_sandbox_tool(sandboxes), list_sandboxes()];
                tools.extend([reset_sandbox(), destroy_sandbox(), self.execute_code(sandboxes)]);
                tools.extend([read_file(), write_file(), list_files()]);
                tools.extend(snapshot_tools::tools(sandboxes));
                tools
            }
        }
    }

    fn execute_code(&self, sandboxes: &Sandboxes) -> Tool {
        let longest = sandboxes.iter().map(|entry| entry.explanation.policy.limits.timeout).max();
        let mut properties = Map::new();
        properties.insert("code".into(), json!({ "type": "string", "description": "The program." }));
        if let Some(language) = language_property(sandboxes) {
            properties.insert("language".into(), language);
        }
        let longest = longest.unwrap_or_default();
        let mut timeout = json!({
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": longest.as_secs_f64(),
            "description": "Ends the program after this many seconds. Default: the maximum.",
        });
        if longest == Limits::UNLIMITED_TIME {
            timeout = json!({
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "Ends the program after this many seconds. Default: it may take any time.",
            });
        }
        properties.insert("timeout_s".into(), timeout);
        if self.profile == Profile::Sessions {
            properties.insert(
                "sandbox_id".into(),
                json!({
                    "type": "string",
                    "description": "The sandbox to go on in. Without it the program runs in a new one that is gone afterwards.",
                }),
            );
        }
        let input = json!({
            "type": "object",
            "properties": properties,
            "required": ["code"],
            "additionalProperties": false,
        });
        let explanations = sandboxes.iter().map(|entry| &entry.explanation);
        let keeps_state = self.profile == Profile::Sessions;
        // Sources describe their own tools, and the descriptions may contain secrets.
        let description = self.redaction.text(&self.execute_code_description(sandboxes));
        Tool::new("execute_code", description, object(input))
            .with_title("Run a program")
            .with_raw_output_schema(object(schema_of::<Outcome>()))
            .with_annotations(annotations::running(explanations, keeps_state))
    }

    fn create_sandbox_tool(&self, sandboxes: &Sandboxes) -> Tool {
        let properties: Map<_, _> =
            language_property(sandboxes).map(|language| ("language".to_owned(), language)).into_iter().collect();
        let unused = match self.limits.sandbox_idle {
            idle if idle == Limits::UNLIMITED_TIME => String::new(),
            idle => format!(", or after {} minutes without use", idle.as_secs() / 60),
        };
        let description = format!(
            "Creates a sandbox that keeps variables, imports and files between calls of execute_code, and returns its \
             handle. It ends when it is destroyed{unused}."
        );
        tool("create_sandbox", "Create a sandbox", description, properties, &[], handle_schema())
            .with_annotations(annotations::keeping(false, false))
    }
}

/// The parameter `language`; `None` if there is only one.
fn language_property(sandboxes: &Sandboxes) -> Option<Value> {
    let languages = sandboxes.languages();
    (languages.len() > 1).then(|| {
        json!({
            "type": "string",
            "enum": languages,
            "description": format!("What the program is written in. Default: {}.", languages[0]),
        })
    })
}

fn list_sandboxes() -> Tool {
    let output = json!({
        "type": "object",
        "properties": { "sandboxes": { "type": "array", "items": handle_schema() } },
        "required": ["sandboxes"],
    });
    let description = "Lists the sandboxes that were created in this session of the protocol. Without such a session, \
                       none are listed: keep the handles.";
    tool("list_sandboxes", "List sandboxes", description, Map::new(), &[], output)
        .with_annotations(annotations::reading())
}

fn reset_sandbox() -> Tool {
    let description = "Empties a sandbox: variables, imports and files are gone, the handle stays.";
    tool("reset_sandbox", "Reset a sandbox", description, with_handle([]), &["sandbox_id"], handle_schema())
        .with_annotations(annotations::keeping(true, true))
}

fn destroy_sandbox() -> Tool {
    let output = json!({
        "type": "object",
        "properties": { "destroyed": { "type": "boolean" } },
        "required": ["destroyed"],
    });
    tool("destroy_sandbox", "Destroy a sandbox", "Ends a sandbox.", with_handle([]), &["sandbox_id"], output)
        .with_annotations(annotations::keeping(true, false))
}

fn read_file() -> Tool {
    let properties = with_handle([("path", text("An absolute path, such as /output/report.txt."))]);
    let description = "Reads a file of a sandbox: what is below /output or on another mount. What is in /tmp can only be \
                       read by programs.";
    tool("read_file", "Read a file", description, properties, &["sandbox_id", "path"], file_schema(true))
        .with_annotations(annotations::reading())
}

fn write_file() -> Tool {
    let encoding = json!({
        "type": "string",
        "enum": ["text", "base64"],
        "default": "text",
        "description": "What `content` is: the text itself, or bytes in base64.",
    });
    let properties = with_handle([
        ("path", text("An absolute path below /output. Directories are made as needed.")),
        ("content", text("What to write.")),
        ("encoding", encoding),
    ]);
    let description = "Writes a file of a sandbox over what was there.";
    let required = ["sandbox_id", "path", "content"];
    tool("write_file", "Write a file", description, properties, &required, file_schema(false))
        .with_annotations(annotations::keeping(true, true))
}

fn list_files() -> Tool {
    let path = json!({ "type": "string", "default": "/output", "description": "An absolute path of a directory." });
    let entry = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string" },
            "directory": { "type": "boolean" },
            "size": { "type": "integer", "description": "In bytes." },
        },
        "required": ["path", "directory", "size"],
    });
    let output = json!({
        "type": "object",
        "properties": {
            "entries": { "type": "array", "items": entry },
            "left_out": {
                "type": "integer",
                "description": "Entries at the end that are left out, because there are too many to be read. The whole list is a resource of the result.",
            },
            "more": { "type": "boolean", "description": "There is more than was looked at." },
        },
        "required": ["entries", "left_out", "more"],
    });
    let properties = with_handle([("path", path)]);
    tool("list_files", "List files", "Lists a directory of a sandbox.", properties, &["sandbox_id"], output)
        .with_annotations(annotations::reading())
}

fn file_schema(with_type: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "size": { "type": "integer", "description": "In bytes." } },
        "required": ["path", "size"],
    });
    if with_type {
        schema["properties"]["mime_type"] = json!({ "type": "string" });
        schema["properties"]["clipped"] = json!({
            "type": "integer",
            "description": "Characters that are left out in the middle of a text that is too long to be read. The whole is a resource of the result.",
        });
        schema["required"] = json!(["path", "size", "mime_type", "clipped"]);
    }
    schema
}
