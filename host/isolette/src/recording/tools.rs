//! Recordings of tool calls and of tool descriptions, so that a replay needs no tools.

use std::{fs, path::Path, sync::Arc};

use isolette_abi::tools::ToolError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    answers::Answers,
    lines::{LIMIT, Writer, room},
    origin::Origin,
};
use isolette_deadline::abort_on_drop;
use isolette_policy::read_text_within;
use isolette_tools::Tool;
use isolette_types::Error;
use isolette_work::Call;

const CALLS: &str = "tools.jsonl";
const TOOLS: &str = "tools.json";

/// One recorded call.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    origin: Origin,
    tool: String,
    arguments: Value,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Result(Value),
    Error(ToolError),
}

/// The description of a tool, as programs see it.
#[derive(Debug, Serialize, Deserialize)]
struct Described {
    name: String,
    description: String,
    input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

/// Wraps tools so that their calls are recorded.
pub(crate) fn recorded(tools: Vec<Tool>, directory: &Path) -> Result<Vec<Tool>, Error> {
    let described: Vec<Described> = tools.iter().map(describe).collect();
    let path = directory.join(TOOLS);
    let written = serde_json::to_vec_pretty(&described).map_err(std::io::Error::from);
    written
        .and_then(|text| fs::write(&path, text))
        .map_err(|error| Error::io(format!("cannot record to `{}`", path.display()), error))?;
    let calls = Arc::new(Writer::create(&directory.join(CALLS))?);
    let record = |tool: Tool| {
        let (name, calls) = (tool.name().to_owned(), Arc::clone(&calls));
        tool.around(move |arguments, inner| {
            let (name, calls, origin) = (name.clone(), Arc::clone(&calls), Origin::current());
            async move {
                // A panic ends the call as well, and is recorded as the error that the program gets.
                let called = abort_on_drop(Call::along(inner(arguments.clone()))).await;
                let result = called.unwrap_or_else(|_| Err(ToolError::Failed("the tool panicked".into())));
                let outcome = result.clone().map_or_else(Outcome::Error, Outcome::Result);
                calls.add(&Line { origin, tool: name, arguments, outcome }).map_err(|error| {
                    ToolError::Failed(format!("it was called, and its result could not be recorded: {error}"))
                })?;
                result
            }
        })
    };
    Ok(tools.into_iter().map(record).collect())
}

/// The same tools, and those that only the recording describes. None of them is called: all answer from the recording.
pub(crate) fn replayed(mut tools: Vec<Tool>, directory: &Path) -> Result<Vec<Tool>, Error> {
    let path = directory.join(TOOLS);
    let damaged = |error: serde_json::Error| {
        Error::invalid(format!("`{}` is not of a recording: {error}", path.display()), "record again")
    };
    let text = read_text_within(&path, LIMIT)
        .map_err(|error| Error::io(format!("cannot replay `{}`", path.display()), error))?
        .ok_or_else(|| Error::invalid(format!("`{}` is longer than {LIMIT} bytes", path.display()), "record again"))?;
    let _room = room(&text, &path)?;
    let described: Vec<Described> = serde_json::from_str(&text).map_err(damaged)?;
    for known in described {
        if tools.iter().all(|tool| tool.name() != known.name) {
            tools.push(known.tool()?);
        }
    }
    let arguments = |arguments: &Value| arguments.to_string();
    let key = move |line: &Line| ((line.tool.clone(), arguments(&line.arguments)), line.origin);
    let calls = Arc::new(Answers::open(&directory.join(CALLS), key, |_| Ok(()))?);
    let replay = |tool: Tool| {
        let (name, calls) = (tool.name().to_owned(), Arc::clone(&calls));
        tool.around(move |arguments, _| {
            let line = calls.next(&(name.clone(), arguments.to_string()), Origin::current());
            std::future::ready(match line.map(|line| line.outcome) {
                Some(Outcome::Result(value)) => Ok(value),
                Some(Outcome::Error(error)) => Err(error),
                None => Err(ToolError::Failed(
                    "the recording has no result of this call, or no further one\n\
                     hint: call it as it was called when the recording was made"
                        .into(),
                )),
            })
        })
    };
    Ok(tools.into_iter().map(replay).collect())
}

fn describe(tool: &Tool) -> Described {
    Described {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        input_schema: tool.input_schema().clone(),
        output_schema: tool.output_schema().cloned(),
        tags: tool.tags().to_vec(),
    }
}

impl Described {
    fn tool(self) -> Result<Tool, Error> {
        let never = |_| Err::<Value, _>("it is only known from a recording");
        let mut tool = Tool::from_schema(&self.name, &self.description, self.input_schema, never)?;
        if let Some(schema) = self.output_schema {
            tool = tool.with_output_schema(schema);
        }
        Ok(self.tags.into_iter().fold(tool, Tool::with_tag))
    }
}
