//! Calls as a guest submits them, whatever capability they are of.

use std::sync::Arc;

use isolette_abi::tickets::Submitted;

use super::{
    Broker, Stop,
    capability_call::{CapabilityCall, Given},
    http::HttpCall,
    in_flight::Turn,
    tool_call::ToolCall,
};

/// A call that a guest has submitted.
pub(super) enum AnyCall {
    Tool(ToolCall<'static>),
    Http(HttpCall),
    Capability(CapabilityCall<'static>),
}

impl Broker {
    /// Makes the call of a submission. A request waits for the turn before it sends anything.
    pub(super) fn any_call(&mut self, submitted: &Submitted<'_>, turn: Option<Turn>) -> Result<AnyCall, Stop> {
        let capabilities = Arc::clone(&self.scope.capabilities);
        Ok(match submitted {
            Submitted::Tool { name, arguments, line } => {
                let arguments = self.take(*arguments)?.into_owned().into();
                AnyCall::Tool(ToolCall { capabilities, name: (*name).to_owned().into(), arguments, line: *line })
            }
            Submitted::Http(request) => AnyCall::Http(self.http_call(request, turn)?),
            Submitted::Capability { interface, function, arguments, line } => {
                let arguments = self.take(*arguments)?.into_owned().into();
                let (interface, function) = ((*interface).to_owned().into(), (*function).to_owned().into());
                let given = Given::new(&self.scope.guest.resources);
                AnyCall::Capability(CapabilityCall { capabilities, interface, function, arguments, line: *line, given })
            }
        })
    }
}
