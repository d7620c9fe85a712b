//! `isolette:sandbox/tools`: functions that the host lends.

use isolette_abi::{
    Call, Payload, decode,
    tools::{self, ToolError},
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::tools as wit,
    state::{self, State},
    waist::{Reply, contract_broken},
};

/// Said of anything that is asked before the first run has begun, or after the last has ended.
pub(crate) const NO_RUN: &str = "no run is on";

impl State {
    fn tools(&mut self, call: tools::Call<'_>) -> Option<Reply> {
        self.wall.try_ask(&Call::Tools(call)).ok()
    }

    fn call_tool(&mut self, name: &str, arguments: &str) -> Result<String, ToolError> {
        if !self.wall.live() {
            return Err(ToolError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.wall);
        let Some(payload) = self.wall.payload(arguments.as_bytes(), name.len()) else {
            return Err(ToolError::Budget(format!(
                "the arguments of '{name}' are {} bytes long, more than the host keeps for one run; hint: pass large \
                 data in a file",
                arguments.len()
            )));
        };
        let reply = self.tools(tools::Call::Call { name, arguments: payload });
        self.wall.release(payload);
        let result = reply.ok_or_else(|| no_such_name(name))?;
        let result = result.read::<Result<Payload<'_>, ToolError>>()?;
        Ok(self.wall.fetch_text(result))
    }

    fn list_tools(&mut self) -> Vec<wit::Summary> {
        if !self.wall.live() {
            return Vec::new();
        }
        let reply = self.tools(tools::Call::List).unwrap_or_else(|| contract_broken());
        let listing = self.wall.fetch(reply.read());
        let listing: Vec<tools::Summary<'_>> = decode(&listing).unwrap_or_else(|_| contract_broken());
        let copy = |summary: tools::Summary<'_>| wit::Summary {
            name: summary.name.into(),
            description: summary.description.into(),
        };
        listing.into_iter().map(copy).collect()
    }

    fn describe_tool(&mut self, name: &str) -> Result<wit::Description, ToolError> {
        if !self.wall.live() {
            return Err(ToolError::Denied(NO_RUN.into()));
        }
        let reply = self.tools(tools::Call::Describe { name }).ok_or_else(|| no_such_name(name))?;
        let description = reply.read::<Result<Payload<'_>, ToolError>>()?;
        let description = self.wall.fetch(description);
        let description: tools::Description<'_> = decode(&description).unwrap_or_else(|_| contract_broken());
        Ok(wit::Description {
            name: description.name.into(),
            description: description.description.into(),
            input_schema: description.input_schema.into(),
            output_schema: description.output_schema.map(Into::into),
        })
    }
}

fn no_such_name(name: &str) -> ToolError {
    ToolError::UnknownTool(format!("no tool has a name of {} bytes", name.len()))
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

impl wit::Guest for Component {
    fn call(name: String, arguments: String) -> Result<String, wit::ToolError> {
        Ok(state::with(|state| state.call_tool(&name, &arguments))?)
    }

    fn list_tools() -> Vec<wit::Summary> {
        state::with(State::list_tools)
    }

    fn describe_tool(name: String) -> Result<wit::Description, wit::ToolError> {
        Ok(state::with(|state| state.describe_tool(&name))?)
    }
}
