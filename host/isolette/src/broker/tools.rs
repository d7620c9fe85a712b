//! Host calls about tools: calls, listing, description and search.

use std::sync::Arc;

use isolette_abi::{
    CHUNK_LIMIT, Payload, encode,
    tools::{self as abi, Call, Description, FoundTool, Summary, ToolError},
};
use isolette_tools::{
    Tool,
    catalog::{Detail, SearchQuery, SearchResults},
    declarations::declaration,
};

use super::{Broker, Stop, tool_call::ToolCall};

impl Broker {
    pub(super) fn tools(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        match *call {
            Call::Call { name, arguments, line } => {
                let arguments = self.take(arguments)?;
                let capabilities = Arc::clone(&self.scope.capabilities);
                let call = ToolCall { capabilities, name: name.into(), arguments, line };
                if self.scope.can_pause && call.is_deferred() {
                    return self.wait_for_answer(&call);
                }
                let reply = self.guard_or_pause(&call)?;
                self.transfers.reuse(call.arguments);
                Ok(reply)
            }
            Call::List => {
                let listing: Vec<_> = self.scope.capabilities.tools.iter().map(summary).collect();
                let listing = encode(&listing);
                // The embedder registered the tools, so the guest is not ended if the listing is too long; it gets an
                // empty list.
                let empty = encode::<[Summary<'_>]>(&[]);
                Ok(encode(&self.provide(&listing, CHUNK_LIMIT).unwrap_or(Payload::Inline(&empty))))
            }
            Call::Describe { name } => {
                let described = self.scope.capabilities.tools.find(name).map(|tool| {
                    let input_schema = tool.input_schema().to_string();
                    let output_schema = tool.output_schema().map(ToString::to_string);
                    encode(&Description {
                        name: tool.name(),
                        description: tool.description(),
                        input_schema: &input_schema,
                        output_schema: output_schema.as_deref(),
                        declaration: &declaration(tool, self.scope.capabilities.tools.style()),
                    })
                });
                let described = match &described {
                    Ok(bytes) => self
                        .provide(bytes, CHUNK_LIMIT)
                        .map_err(|_| ToolError::Budget("the description is too long".into())),
                    Err(error) => Err(error.clone()),
                };
                Ok(encode(&described))
            }
            Call::Search { text, detail: wanted, ref tags, limit } => {
                let mut query = SearchQuery::new(text).detail(detail(wanted)).limit(limit as usize);
                query.tags.extend(tags.iter().map(ToString::to_string));
                let results = encode_results(&self.scope.capabilities.tools.catalog().search(&query));
                let results = self.provide(&results, CHUNK_LIMIT).map_err(|room| {
                    ToolError::Budget(format!(
                        "what was found is more than the host keeps for a run ({room} bytes left)\n\
                         hint: search with a lower limit, or for less detail"
                    ))
                });
                Ok(encode(&results))
            }
        }
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

fn detail(detail: abi::Detail) -> Detail {
    match detail {
        abi::Detail::Name => Detail::Name,
        abi::Detail::Brief => Detail::Brief,
        abi::Detail::Detailed => Detail::Detailed,
        abi::Detail::Full => Detail::Full,
    }
}

fn summary(tool: &Tool) -> Summary<'_> {
    Summary { name: tool.name(), description: tool.description() }
}
