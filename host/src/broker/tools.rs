//! Calls of tools: budget, arguments, the call itself, the record.

use isolette_abi::{
    CHUNK_LIMIT, Payload, encode,
    tools::{self as abi, Call, Description, FoundTool, Summary, ToolError},
};
use serde_json::Value;
use sha2::Digest as _;

use super::{Broker, Stop};
use crate::{
    Tool,
    capability::tools::{Prepared, Strictness, guarded, guarded_future},
    catalog::{Detail, SearchQuery, SearchResults},
    declarations::declaration,
    policy::{Breach, CallRequest, LimitName, Need},
    values::{reserve_for_call, reserve_for_call_soon, value_bytes},
    work,
};

impl Broker {
    pub(super) fn tools(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        match *call {
            Call::Call { name, arguments } => {
                let arguments = self.take(arguments)?;
                {
                    let mut record = self.record();
                    record.begin_call(&self.limits, "tools", "call", name, arguments.len());
                    record.digest(|hasher| hasher.update(&arguments));
                    record.arguments(arguments.len(), || {
                        // What is no JSON is put on record as the text that it is.
                        let text = || Value::String(String::from_utf8_lossy(&arguments).into_owned());
                        serde_json::from_slice(&arguments).unwrap_or_else(|_| text())
                    });
                }
                let mut result = self.call_tool(name, &arguments)?;
                self.transfers.reuse(arguments);
                let length = result.as_ref().map_or(0, |result| result.len() as u64);
                let result = match result.as_mut().map(|result| self.transfers.hand_over(result)) {
                    Ok(Ok(payload)) => Ok(payload),
                    Ok(Err(room)) => {
                        self.no_room(length, room);
                        Err(ToolError::Budget(format!(
                            "tool `{name}` returned more than the host keeps for a run ({room} bytes left)\n\
                             hint: have it return less at a time"
                        )))
                    }
                    Err(error) => Err(error.clone()),
                };
                let (verdict, bytes_in) = ending(&result);
                self.record().end_call(verdict, bytes_in);
                Ok(encode(&result))
            }
            Call::List => {
                let listing: Vec<_> = self.capabilities.tools.iter().map(summary).collect();
                let listing = encode(&listing);
                // The embedder registered them, so this is not for a guest to blow up; an empty list says there is none.
                let empty = encode::<[Summary<'_>]>(&[]);
                Ok(encode(&self.lend(&listing, CHUNK_LIMIT).unwrap_or(Payload::Inline(&empty))))
            }
            Call::Describe { name } => {
                let described = self.capabilities.tools.find(name).map(|tool| {
                    let input_schema = tool.input_schema().to_string();
                    let output_schema = tool.output_schema().map(ToString::to_string);
                    encode(&Description {
                        name: tool.name(),
                        description: tool.description(),
                        input_schema: &input_schema,
                        output_schema: output_schema.as_deref(),
                        declaration: &declaration(tool, self.capabilities.tools.language()),
                    })
                });
                let described = match &described {
                    Ok(bytes) => self
                        .lend(bytes, CHUNK_LIMIT)
                        .map_err(|_| ToolError::Budget("the description is too long".into())),
                    Err(error) => Err(error.clone()),
                };
                Ok(encode(&described))
            }
            Call::Search { text, detail, ref tags, limit } => {
                let mut query = SearchQuery::new(text).detail(detail.into()).limit(limit as usize);
                query.tags.extend(tags.iter().map(ToString::to_string));
                let results = encode_results(&self.capabilities.tools.catalog().search(&query));
                let results = self.lend(&results, CHUNK_LIMIT).map_err(|room| {
                    ToolError::Budget(format!(
                        "what was found is more than the host keeps for a run ({room} bytes left)\n\
                         hint: search with a lower limit, or for less detail"
                    ))
                });
                Ok(encode(&results))
            }
        }
    }

    fn call_tool(&self, name: &str, arguments: &[u8]) -> Result<Result<Vec<u8>, ToolError>, Stop> {
        let limit = self.limits.tool_calls;
        if !self.count(LimitName::ToolCalls, limit, |usage| &mut usage.tool_calls) {
            return Ok(Err(ToolError::Budget(format!(
                "this run may call tools {limit} times and has done so\nhint: do more with each call"
            ))));
        }
        let tool = match self.capabilities.tools.find(name) {
            Ok(tool) => tool,
            Err(error) => return Ok(Err(error)),
        };
        let need = self.terms.approval.of_tool(tool);
        // Whoever decides gets a copy of the arguments.
        let copies = if self.terms.is_decided(&need) { 2 } else { 1 };
        let checked = self.room_for(name, arguments, copies)?.and_then(|bytes| Ok((bytes, tool.check(arguments)?)));
        let (bytes, arguments) = match checked {
            Ok(checked) => checked,
            Err(error) => return Ok(Err(error)),
        };
        if let Some(pattern) = self.capabilities.tools.pattern(name) {
            self.record().rule(pattern);
        }
        if let Err(why) = self.terms.charge_tool_call() {
            return Ok(Err(ToolError::Budget(why)));
        }
        if let Err(why) = self.agree_to(tool, need, &arguments)? {
            return Ok(Err(ToolError::Denied(why)));
        }
        if let Some(call) = work::Call::current() {
            call.give_back(bytes * (copies - 1));
        }
        let span = self.record().span();
        let _entered = span.enter();
        let result = match tool.prepare(arguments) {
            Prepared::Blocking(function, arguments) => self.deadline.cpu().exclude(|| guarded(function, arguments)),
            Prepared::Asynchronous(future) => self.wait(guarded_future(future))?,
        };
        Ok(result.and_then(|value| self.compared(tool, value)).map(|value| value.to_string().into_bytes()))
    }

    /// Many small values take much more than the text that they are written as. Returns how much that is, once.
    fn room_for(&self, name: &str, arguments: &[u8], copies: u64) -> Result<Result<u64, ToolError>, Stop> {
        let (limit, used) = (self.limits.payload, value_bytes(arguments));
        if used > limit {
            self.record().reached(Breach::new(LimitName::Payload, limit, used));
            return Ok(Err(ToolError::Budget(format!(
                "the arguments of tool `{name}` would take {used} bytes in the host as single values, which keeps {limit} \
                 for a run\nhint: pass fewer values, or one text with all of them"
            ))));
        }
        let bytes = used.saturating_mul(copies);
        let reserved = match reserve_for_call(bytes) {
            Err(why) if why.busy => self.wait(reserve_for_call_soon(bytes))?,
            reserved => reserved,
        };
        Ok(reserved.map(|()| used).map_err(|why| {
            ToolError::Budget(format!(
                "the arguments of tool `{name}` cannot be read: {why}\n\
                 hint: pass fewer values, or one text with all of them, or try again later"
            ))
        }))
    }

    /// A result that does not fit its schema is noted; the tool says whether it is worse than none.
    fn compared(&self, tool: &Tool, result: Value) -> Result<Value, ToolError> {
        let Some((mismatch, strictness)) = tool.validate_result(&result) else { return Ok(result) };
        self.record().mismatch(&mismatch);
        tracing::warn!(tool = tool.name(), mismatch, "a result does not fit its schema");
        match strictness {
            Strictness::Noted => Ok(result),
            Strictness::Refused => Err(ToolError::Failed(format!(
                "the tool has run, but what it gave is not what it promises: {mismatch}"
            ))),
        }
    }

    fn agree_to(&self, tool: &Tool, need: Need, arguments: &Value) -> Result<Result<(), String>, Stop> {
        let request = || CallRequest {
            capability: "tools",
            operation: "call".into(),
            target: tool.name().to_owned(),
            arguments: arguments.clone(),
            rule: self.capabilities.tools.pattern(tool.name()).map(ToOwned::to_owned),
            reason: String::new(),
        };
        self.agree(need, || format!("tool `{}`", tool.name()), request)
    }
}

/// How a call ended, and the bytes that came of it.
fn ending(result: &Result<Payload<'_>, ToolError>) -> (&'static str, u64) {
    match result {
        Ok(Payload::Inline(bytes)) => ("ok", bytes.len() as u64),
        Ok(Payload::Stored { length, .. }) => ("ok", *length),
        Err(ToolError::UnknownTool(_)) => ("unknown-tool", 0),
        Err(ToolError::InvalidArguments(_)) => ("invalid-arguments", 0),
        Err(ToolError::Failed(_)) => ("failed", 0),
        Err(ToolError::Denied(_)) => ("denied", 0),
        Err(ToolError::Budget(_)) => ("budget", 0),
    }
}

fn encode_results(results: &SearchResults) -> Vec<u8> {
    let schemas: Vec<_> = results
        .tools
        .iter()
        .map(|tool| [&tool.input_schema, &tool.output_schema].map(|schema| schema.as_ref().map(ToString::to_string)))
        .collect();
    let found = results.tools.iter().zip(&schemas).map(|(tool, [input_schema, output_schema])| FoundTool {
        name: &tool.name,
        description: tool.description.as_deref(),
        tags: tool.tags.iter().map(String::as_str).collect(),
        parameters: tool.parameters.as_deref(),
        input_schema: input_schema.as_deref(),
        output_schema: output_schema.as_deref(),
    });
    encode(&abi::SearchResults { tools: found.collect(), total: u32::try_from(results.total).unwrap_or(u32::MAX) })
}

impl From<abi::Detail> for Detail {
    fn from(detail: abi::Detail) -> Self {
        match detail {
            abi::Detail::Name => Self::Name,
            abi::Detail::Brief => Self::Brief,
            abi::Detail::Detailed => Self::Detailed,
            abi::Detail::Full => Self::Full,
        }
    }
}

fn summary(tool: &Tool) -> Summary<'_> {
    Summary { name: tool.name(), description: tool.description() }
}
