//! Makes the tools of a document.

use std::{collections::HashSet, sync::Arc};

use serde_json::{Map, Value, json};
use url::Url;

use super::{
    Options,
    body::Body,
    document::{Document, cut, elements, shown, text},
    endpoint::Endpoint,
    filter::Known,
    limits::{ENTRIES, INPUT_SCHEMA, OUTPUT_SCHEMA},
    location::Location,
    name,
    operation::{Operation, description, hints},
    parameter, response,
    schema::{Direction, Patterns, Schemas, simplified},
    security::Security,
    server::Servers,
};
use isolette_tools::{SkipReason, SkippedTool, Tool, ToolSet, naming::free};
use isolette_types::{Error, Secret};

const METHODS: [&str; 8] = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"];

/// Makes tools of all operations; those that cannot be converted are listed with the reason.
pub(super) fn tools(
    document: &Document,
    namespace: &str,
    url: Option<&Url>,
    options: &Options,
) -> Result<ToolSet, Error> {
    let patterns = Patterns::default();
    let mut making = Making {
        document,
        patterns: &patterns,
        namespace,
        options,
        security: Security::new(document, &options.secrets)?,
        servers: Servers::new(&options.server, &options.limits, url),
        headers: Arc::new(options.headers.clone()),
        names: HashSet::new(),
        schema_bytes: 0,
        set: ToolSet::default(),
    };
    for (path, item) in document.object("paths") {
        match document.resolve(item) {
            // An extension may contain anything.
            _ if path.starts_with("x-") => {}
            Ok(item) => making.path(path, item)?,
            Err(reason) => making.set.skipped.push(SkippedTool::new(shown(path), reason)),
        }
    }
    for (name, _) in document.object("webhooks") {
        let what = format!("webhook {}", shown(name));
        making.set.skipped.push(SkippedTool::new(what, "it is sent by the service, not to it"));
    }
    Ok(making.set)
}

struct Making<'a> {
    document: &'a Document,
    patterns: &'a Patterns,
    namespace: &'a str,
    options: &'a Options,
    security: Security<'a>,
    servers: Servers<'a>,
    headers: Arc<Vec<(String, Secret)>>,
    names: HashSet<String>,
    schema_bytes: usize,
    set: ToolSet,
}

impl<'a> Making<'a> {
    fn path(&mut self, path: &'a str, item: &'a Value) -> Result<(), Error> {
        for method in METHODS {
            let Some(value) = item.get(method.to_ascii_lowercase()).filter(|value| value.is_object()) else {
                continue;
            };
            let operation = Operation { method, path, item, value };
            let what = format!("{method} {}", shown(path));
            match self.operation(&operation) {
                Ok(tool) => self.set.tools.push(tool),
                Err(reason) => self.set.skipped.push(SkippedTool::new(what, reason)),
            }
            if self.set.tools.len() > self.options.limits.operations {
                return Err(Error::invalid(
                    format!("the document has more than {} operations", self.options.limits.operations),
                    "name those that are wanted with `include`, or raise the limit `operations`",
                ));
            }
            if self.schema_bytes > self.options.limits.schema_bytes {
                return Err(Error::invalid(
                    format!("the schemas of the tools take more than {} bytes", self.options.limits.schema_bytes),
                    "name the operations that are wanted with `include`, or raise the limit `schema_bytes`",
                ));
            }
        }
        Ok(())
    }

    fn operation(&mut self, operation: &Operation<'a>) -> Result<Tool, SkipReason> {
        let &Operation { method, path, item, value } = operation;
        if !path.starts_with('/') {
            return Err("its path does not begin with `/`".into());
        }
        let tags: Vec<String> =
            elements(value.get("tags")).filter_map(Value::as_str).take(ENTRIES).map(|tag| cut(tag, 100)).collect();
        let id = text(value, "operationId").filter(|id| !id.trim().is_empty());
        let base = match id {
            Some(id) => name::snake(id, "operation"),
            None => name::snake(&format!("{} {path}", method.to_ascii_lowercase()), "operation"),
        };
        let name = free(base, |name| self.names.contains(name));
        let known = Known { namespace: self.namespace, name: &name, id, method, path, tags: &tags };
        if let Some(reason) = self.options.filter.refuses(&known) {
            return Err(reason);
        }
        if method == "TRACE" {
            return Err("TRACE is never sent: it would return the secrets of the request".into());
        }
        let server =
            self.servers.choose([value.get("servers"), item.get("servers"), self.document.root.get("servers")])?;
        let chosen = self.security.choose(value);
        let sends_secrets = !chosen.credentials.is_empty() || !self.headers.is_empty();
        if sends_secrets && !server.is_confidential {
            return Err(format!("its server `{}` is not https, and a secret would be sent", shown(&server.base)).into());
        }
        let (input, parameters, body) = self.input(operation)?;
        let (output, accept) = self.output(value)?;
        let endpoint = Arc::new(Endpoint {
            server: Arc::clone(&server),
            method,
            path: path.to_owned(),
            parameters,
            body,
            accept,
            credentials: chosen.credentials,
            lacking: chosen.lacking,
            headers: Arc::clone(&self.headers),
            time: self.options.limits.time_per_call,
            errors_are_values: self.options.errors_are_values,
        });
        let to_check = simplified(&input);
        let mut tool = Tool::from_schema_async(
            &format!("{}.{name}", self.namespace),
            &description(operation),
            input,
            move |arguments| Arc::clone(&endpoint).call(arguments),
        )
        .map_err(|error| first_line(&error))?;
        if let Some(schema) = to_check {
            tool = tool.checked_against(&schema).map_err(|error| first_line(&error))?;
        }
        let tool = tags.into_iter().fold(tool, Tool::with_tag).with_hints(hints(method));
        let tool = match output {
            Some(output) => tool.with_output_schema(output),
            None => tool,
        };
        self.names.insert(name);
        if !self.set.base_urls.contains(&server.base) {
            self.set.base_urls.push(server.base.clone());
        }
        Ok(tool)
    }

    /// The schema of the arguments, and how they are sent.
    fn input(&mut self, operation: &Operation<'a>) -> Result<(Value, Vec<parameter::Parameter>, Option<Body>), String> {
        let document = self.document;
        let mut schemas = Schemas::new(document, self.patterns, Direction::Request, INPUT_SCHEMA);
        let described =
            parameter::parameters(document, &self.security, operation.path, operation.item, operation.value)?;
        let mut properties = Map::new();
        let mut required = Vec::new();
        let mut parameters = Vec::new();
        for described in described {
            let parameter = described.parameter;
            let mut schema = match described.schema {
                Some(schema) => schemas.add(schema)?,
                None if parameter.location == Location::Path => json!({"type": ["string", "number"]}),
                None => json!({}),
            };
            if let Some(fields) = schema.as_object_mut() {
                let mut words = described.description.map(|text| cut(text.trim(), 500)).unwrap_or_default();
                if parameter.argument != parameter.name {
                    let sent = format!("Sent as `{}`.", cut(&parameter.name, 100));
                    words = if words.is_empty() { sent } else { format!("{words} {sent}") };
                }
                if !words.is_empty() {
                    fields.insert("description".into(), words.into());
                }
                if let (Some(example), false) = (described.example, fields.contains_key("examples")) {
                    fields.insert("examples".into(), json!([example]));
                }
                if described.is_deprecated {
                    fields.insert("deprecated".into(), true.into());
                }
            }
            if parameter.required {
                required.push(Value::from(parameter.argument.clone()));
            }
            properties.insert(parameter.argument.clone(), schema);
            parameters.push(parameter);
        }
        let body = Body::of(document, operation.value, &mut schemas)?.map(|(body, schema)| {
            if body.required {
                required.push("body".into());
            }
            properties.insert("body".into(), schema);
            body
        });
        let mut root = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if let (Some(fields), false) = (root.as_object_mut(), required.is_empty()) {
            fields.insert("required".into(), Value::Array(required));
        }
        let (schema, bytes) = schemas.finish(root, INPUT_SCHEMA)?;
        self.schema_bytes += bytes;
        Ok((schema, parameters, body))
    }

    /// The schema of the result, and the value of the header `Accept`.
    fn output(&mut self, operation: &'a Value) -> Result<(Option<Value>, String), String> {
        let mut schemas = Schemas::new(self.document, self.patterns, Direction::Response, OUTPUT_SCHEMA);
        let response::Described { schema, accept } = response::describe(self.document, operation, &mut schemas);
        let Some(mut schema) = schema else {
            return Ok((None, accept));
        };
        if self.options.errors_are_values {
            schema = json!({"anyOf": [schema, {
                "type": "object",
                "description": "The service answered with an error",
                "properties": {"status": {"type": "integer"}, "error": {"type": "string"}, "body": {}},
                "required": ["status", "error", "body"]
            }]});
        }
        let (schema, bytes) = schemas.finish(schema, OUTPUT_SCHEMA)?;
        self.schema_bytes += bytes;
        // Results are compared with the schema that is shown, and the service chooses how deep they are.
        Ok((Some(simplified(&schema).unwrap_or(schema)), accept))
    }
}

fn first_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
