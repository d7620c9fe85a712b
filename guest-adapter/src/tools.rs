//! `isolette:sandbox/tools`: functions that the host provides.

use isolette_abi::{
    Call, Payload, decode,
    tools::{self, ToolError},
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::tools as wit,
    host_calls::{Reply, malformed_reply},
    state::{self, State},
    submissions::OwnedCall,
};

/// The error of calls before the first run and after the last one.
pub(crate) const NO_RUN: &str = "there is no run";

/// The error of a ticket that there is not, or whose reply was taken.
pub(crate) const NO_REPLY: &str = "this ticket has no reply";

impl State {
    fn tools(&mut self, call: tools::Call<'_>) -> Option<Reply> {
        self.calls.try_call(&Call::Tools(call)).ok()
    }

    pub(crate) fn call_tool(&mut self, name: &str, arguments: &str) -> Result<String, ToolError> {
        if !self.calls.is_running() {
            return Err(ToolError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.calls);
        let Some(payload) = self.calls.payload(arguments.as_bytes(), name.len()) else {
            return Err(too_long(name, arguments.len()));
        };
        let line = self.calls.line;
        let Some(reply) = self.tools(tools::Call::Call { name, arguments: payload, line }) else {
            self.calls.release(payload);
            return Err(no_such_name(name.len()));
        };
        self.tool_result(&reply)
    }

    fn tool_result(&mut self, reply: &Reply) -> Result<String, ToolError> {
        let result = reply.read::<Result<Payload<'_>, ToolError>>()?;
        Ok(self.calls.fetch_text(result))
    }

    pub(crate) fn start_tool(&mut self, name: String, arguments: String) -> u32 {
        let (characters, length) = (name.len(), arguments.len());
        let call = match self.calls.is_running() {
            false => Err(ToolError::Denied(NO_RUN.into())),
            true => match self.calls.own_payload(arguments.into_bytes(), characters) {
                Some(arguments) => Ok(OwnedCall::Tool { name, arguments, line: self.calls.line }),
                None => Err(too_long(&name, length)),
            },
        };
        self.submit(call, || no_such_name(characters))
    }

    pub(crate) fn finish_tool(&mut self, ticket: u32) -> Result<String, ToolError> {
        match self.reply_of(ticket) {
            Some(reply) => self.tool_result(&reply),
            None => Err(ToolError::Failed(NO_REPLY.into())),
        }
    }

    fn list_tools(&mut self) -> Vec<wit::Summary> {
        if !self.calls.is_running() {
            return Vec::new();
        }
        let reply = self.tools(tools::Call::List).unwrap_or_else(|| malformed_reply());
        let listing = self.calls.fetch(reply.read());
        let listing: Vec<tools::Summary<'_>> = decode(&listing).unwrap_or_else(|_| malformed_reply());
        let copy = |summary: tools::Summary<'_>| wit::Summary {
            name: summary.name.into(),
            description: summary.description.into(),
        };
        listing.into_iter().map(copy).collect()
    }

    fn describe_tool(&mut self, name: &str) -> Result<wit::Description, ToolError> {
        if !self.calls.is_running() {
            return Err(ToolError::Denied(NO_RUN.into()));
        }
        let reply = self.tools(tools::Call::Describe { name }).ok_or_else(|| no_such_name(name.len()))?;
        let description = reply.read::<Result<Payload<'_>, ToolError>>()?;
        let description = self.calls.fetch(description);
        let description: tools::Description<'_> = decode(&description).unwrap_or_else(|_| malformed_reply());
        Ok(wit::Description {
            name: description.name.into(),
            description: description.description.into(),
            input_schema: description.input_schema.into(),
            output_schema: description.output_schema.map(Into::into),
            declaration: description.declaration.into(),
        })
    }

    fn search_tools(&mut self, query: &wit::Query) -> Result<wit::SearchResults, ToolError> {
        if !self.calls.is_running() {
            return Ok(wit::SearchResults { tools: Vec::new(), total: 0 });
        }
        let search = tools::Call::Search {
            text: &query.text,
            detail: query.detail.into(),
            tags: query.tags.iter().map(String::as_str).collect(),
            limit: query.limit,
        };
        let Some(reply) = self.tools(search) else {
            return Err(ToolError::Budget(format!(
                "a query of {} bytes is too long; hint: search for a few words",
                query.text.len()
            )));
        };
        let results = reply.read::<Result<Payload<'_>, ToolError>>()?;
        let results = self.calls.fetch(results);
        let results: tools::SearchResults<'_> = decode(&results).unwrap_or_else(|_| malformed_reply());
        let copy = |tool: tools::FoundTool<'_>| wit::FoundTool {
            name: tool.name.into(),
            description: tool.description.map(Into::into),
            tags: tool.tags.into_iter().map(Into::into).collect(),
            parameters: tool.parameters.map(Into::into),
            input_schema: tool.input_schema.map(Into::into),
            output_schema: tool.output_schema.map(Into::into),
        };
        Ok(wit::SearchResults { tools: results.tools.into_iter().map(copy).collect(), total: results.total })
    }
}

fn no_such_name(length: usize) -> ToolError {
    ToolError::UnknownTool(format!("no tool has a name of {length} bytes"))
}

fn too_long(name: &str, length: usize) -> ToolError {
    ToolError::Budget(format!(
        "the arguments of '{name}' are {length} bytes long, more than the host keeps for one run; hint: pass large data in a \
         file"
    ))
}

impl From<ToolError> for wit::ToolError {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::UnknownTool(why) => Self::UnknownTool(why),
            ToolError::InvalidArguments(why) => Self::InvalidArguments(why),
            ToolError::Failed(why) => Self::Failed(why),
            ToolError::Denied(why) => Self::Denied(why),
            ToolError::Budget(why) => Self::Budget(why),
        }
    }
}

impl From<wit::Detail> for tools::Detail {
    fn from(detail: wit::Detail) -> Self {
        match detail {
            wit::Detail::Name => Self::Name,
            wit::Detail::Brief => Self::Brief,
            wit::Detail::Detailed => Self::Detailed,
            wit::Detail::Full => Self::Full,
        }
    }
}

impl wit::Guest for Component {
    fn call(name: String, arguments: String) -> Result<String, wit::ToolError> {
        Ok(state::with(|state| state.call_tool(&name, &arguments))?)
    }

    fn start(name: String, arguments: String) -> u32 {
        state::with(|state| state.start_tool(name, arguments))
    }

    fn finish(ticket: u32) -> Result<String, wit::ToolError> {
        Ok(state::with(|state| state.finish_tool(ticket))?)
    }

    fn list_tools() -> Vec<wit::Summary> {
        state::with(State::list_tools)
    }

    fn describe_tool(name: String) -> Result<wit::Description, wit::ToolError> {
        Ok(state::with(|state| state.describe_tool(&name))?)
    }

    fn search_tools(query: wit::Query) -> Result<wit::SearchResults, wit::ToolError> {
        Ok(state::with(|state| state.search_tools(&query))?)
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::{CHUNK_LIMIT, MESSAGE_LIMIT};

    use super::*;
    use crate::testing::running;

    #[test]
    fn arguments_and_results_of_any_length_arrive() {
        let (mut state, host) = running();
        for length in [0, 1, CHUNK_LIMIT - 1, CHUNK_LIMIT, CHUNK_LIMIT + 1, 3 * CHUNK_LIMIT] {
            let arguments = "x".repeat(length);
            assert!(state.call_tool("echo", &arguments) == Ok(arguments), "{length}");
            assert!(host.0.borrow().payloads.is_empty(), "what was stored is released");
        }
    }

    #[test]
    fn what_the_host_will_not_keep_is_an_error() {
        let (mut state, host) = running();
        let arguments = "x".repeat(11 * CHUNK_LIMIT);
        let error = state.call_tool("echo", &arguments);
        assert!(matches!(&error, Err(ToolError::Budget(why)) if why.contains("hint:")), "{error:?}");
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn no_name_is_too_long_for_a_clear_error() {
        let (mut state, _host) = running();
        for length in [CHUNK_LIMIT, MESSAGE_LIMIT, 2 * MESSAGE_LIMIT] {
            let name = "n".repeat(length);
            assert!(matches!(state.call_tool(&name, "{}"), Err(ToolError::UnknownTool(_))));
        }
        let name = "n".repeat(2 * MESSAGE_LIMIT);
        assert!(matches!(state.call_tool(&name, &"x".repeat(CHUNK_LIMIT)), Err(ToolError::UnknownTool(_))));
        assert!(matches!(state.describe_tool(&name), Err(ToolError::UnknownTool(_))));
    }

    #[test]
    fn tools_are_listed_and_described() {
        let (mut state, _host) = running();
        let names: Vec<String> = state.list_tools().into_iter().map(|summary| summary.name).collect();
        assert_eq!(names, ["echo", "x"]);
        assert!(
            state.describe_tool("echo").is_ok_and(|tool| tool.input_schema == "{}" && tool.output_schema.is_none())
        );
    }

    #[test]
    fn tools_are_searched() {
        let (mut state, _host) = running();
        let query = |text: &str| wit::Query { text: text.into(), detail: wit::Detail::Brief, tags: vec![], limit: 7 };
        let found = state.search_tools(&query("echo")).expect("the host answers");
        assert_eq!((found.tools[0].name.as_str(), found.total), ("echo", 7));
        let error = state.search_tools(&query(&"x".repeat(MESSAGE_LIMIT)));
        assert!(matches!(&error, Err(ToolError::Budget(why)) if why.contains("hint:")), "{error:?}");
        state.finish();
        assert!(state.search_tools(&query("echo")).is_ok_and(|found| found.tools.is_empty()));
    }

    #[test]
    fn outside_of_a_run_there_are_none() {
        let (mut state, host) = running();
        state.finish();
        assert!(matches!(state.call_tool("echo", "{}"), Err(ToolError::Denied(_))));
        assert!(state.list_tools().is_empty());
        assert!(host.log().is_empty());
    }
}
