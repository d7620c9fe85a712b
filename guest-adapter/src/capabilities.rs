//! `isolette:sandbox/capabilities`: custom interfaces of the embedder.

use isolette_abi::{
    Call, Payload,
    capabilities::{self, CapabilityError},
    decode,
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::capabilities as wit,
    host_calls::{Reply, malformed_reply},
    state::{self, State},
    submissions::{Bytes, OwnedCall},
    tools::{NO_REPLY, NO_RUN},
};

impl State {
    fn capabilities(&mut self, call: capabilities::Call<'_>) -> Option<Reply> {
        self.calls.try_call(&Call::Capabilities(call)).ok()
    }

    pub(crate) fn call_capability(
        &mut self,
        interface: &str,
        function: &str,
        arguments: wit::Payload,
    ) -> Result<wit::Payload, CapabilityError> {
        if !self.calls.is_running() {
            return Err(CapabilityError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.calls);
        let (bytes, stored) = &arguments;
        let payload = match stored {
            Some(wit::Stored { handle, length }) => Payload::Stored { handle: *handle, length: *length },
            None => self
                .calls
                .payload(bytes, interface.len() + function.len())
                .ok_or_else(|| too_long(function, bytes.len()))?,
        };
        let line = self.calls.line;
        let Some(reply) = self.capabilities(capabilities::Call::Call { interface, function, arguments: payload, line })
        else {
            self.calls.release(payload);
            return Err(no_such_name(interface.len() + function.len()));
        };
        capability_result(&reply)
    }

    pub(crate) fn start_capability(
        &mut self,
        interface: String,
        function: String,
        (bytes, stored): wit::Payload,
    ) -> u32 {
        let (beside, length) = (interface.len() + function.len(), bytes.len());
        let arguments = match stored {
            _ if !self.calls.is_running() => Err(CapabilityError::Denied(NO_RUN.into())),
            Some(wit::Stored { handle, length }) => Ok(Bytes::Stored { handle, length }),
            None => self.calls.own_payload(bytes, beside).ok_or_else(|| too_long(&function, length)),
        };
        let line = self.calls.line;
        let call = arguments.map(|arguments| OwnedCall::Capability { interface, function, arguments, line });
        self.submit(call, || no_such_name(beside))
    }

    pub(crate) fn finish_capability(&mut self, ticket: u32) -> Result<wit::Payload, CapabilityError> {
        match self.reply_of(ticket) {
            Some(reply) => capability_result(&reply),
            None => Err(CapabilityError::Failed(NO_REPLY.into())),
        }
    }

    fn list_interfaces(&mut self) -> Vec<wit::Summary> {
        if !self.calls.is_running() {
            return Vec::new();
        }
        let reply = self.capabilities(capabilities::Call::List).unwrap_or_else(|| malformed_reply());
        let listing = self.calls.fetch(reply.read());
        let listing: Vec<capabilities::Summary<'_>> = decode(&listing).unwrap_or_else(|_| malformed_reply());
        let copy = |summary: capabilities::Summary<'_>| wit::Summary {
            name: summary.name.into(),
            description: summary.description.into(),
        };
        listing.into_iter().map(copy).collect()
    }

    fn describe_interface(&mut self, interface: &str) -> Result<String, CapabilityError> {
        if !self.calls.is_running() {
            return Err(CapabilityError::Denied(NO_RUN.into()));
        }
        let reply = self.capabilities(capabilities::Call::Describe { interface });
        let reply = reply.ok_or_else(|| no_such_name(interface.len()))?;
        let description = reply.read::<Result<Payload<'_>, CapabilityError>>()?;
        Ok(self.calls.fetch_text(description))
    }

    pub(crate) fn drop_resource(&mut self, interface: &str, resource: &str, handle: u32) {
        // Resources end with their run, and the name of an interface always fits a message.
        if self.calls.is_running()
            && let Some(reply) = self.capabilities(capabilities::Call::Drop { interface, resource, handle })
        {
            reply.read::<()>();
        }
    }
}

fn capability_result(reply: &Reply) -> Result<wit::Payload, CapabilityError> {
    Ok(match reply.read::<Result<Payload<'_>, CapabilityError>>()? {
        Payload::Inline(bytes) => (bytes.to_vec(), None),
        Payload::Stored { handle, length } => (Vec::new(), Some(wit::Stored { handle, length })),
    })
}

fn no_such_name(length: usize) -> CapabilityError {
    CapabilityError::Missing(format!("nothing has a name of {length} bytes"))
}

fn too_long(function: &str, length: usize) -> CapabilityError {
    CapabilityError::Budget(format!(
        "the arguments of {function} are {length} bytes long, more than the host keeps for one run; hint: pass less at a time"
    ))
}

impl From<CapabilityError> for wit::CapabilityError {
    fn from(error: CapabilityError) -> Self {
        match error {
            CapabilityError::Missing(why) => Self::Missing(why),
            CapabilityError::Invalid(why) => Self::Invalid(why),
            CapabilityError::Failed(why) => Self::Failed(why),
            CapabilityError::Denied(why) => Self::Denied(why),
            CapabilityError::Budget(why) => Self::Budget(why),
            CapabilityError::Exhausted(why) => Self::Exhausted(why),
        }
    }
}

impl wit::Guest for Component {
    fn list_interfaces() -> Vec<wit::Summary> {
        state::with(State::list_interfaces)
    }

    fn describe_interface(name: String) -> Result<String, wit::CapabilityError> {
        Ok(state::with(|state| state.describe_interface(&name))?)
    }

    fn call(
        interface: String,
        function: String,
        arguments: wit::Payload,
    ) -> Result<wit::Payload, wit::CapabilityError> {
        Ok(state::with(|state| state.call_capability(&interface, &function, arguments))?)
    }

    fn start(interface: String, function: String, arguments: wit::Payload) -> u32 {
        state::with(|state| state.start_capability(interface, function, arguments))
    }

    fn finish(ticket: u32) -> Result<wit::Payload, wit::CapabilityError> {
        Ok(state::with(|state| state.finish_capability(ticket))?)
    }

    fn drop_resource(interface: String, resource: String, handle: u32) {
        state::with(|state| state.drop_resource(&interface, &resource, handle));
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::{CHUNK_LIMIT, MESSAGE_LIMIT, host_call};

    use super::*;
    use crate::testing::running;

    const ECHO: &str = "test:echo/bytes";

    fn inline(length: usize) -> wit::Payload {
        (vec![0xff; length], None)
    }

    #[test]
    fn arguments_of_any_length_arrive() {
        let (mut state, host) = running();
        for length in [0, 1, CHUNK_LIMIT - 1, CHUNK_LIMIT, CHUNK_LIMIT + 1, 3 * CHUNK_LIMIT] {
            let bytes = match state.call_capability(ECHO, "echo", inline(length)) {
                Ok((bytes, None)) => bytes,
                Ok((_, Some(wit::Stored { handle, length }))) => state.calls.fetch(Payload::Stored { handle, length }),
                Err(error) => panic!("{error:?}"),
            };
            assert!(bytes == vec![0xff; length], "{length}");
            assert!(host.0.borrow().payloads.is_empty(), "what was stored is released");
        }
    }

    #[test]
    fn what_an_interpreter_stored_is_handed_on() {
        let (mut state, mut host) = running();
        let bytes = vec![0xff; 3 * CHUNK_LIMIT];
        let handle = host_call::store(&mut host, &bytes).unwrap().unwrap();
        host.log();
        let stored = (Vec::new(), Some(wit::Stored { handle, length: bytes.len() as u64 }));
        let result = state.call_capability(ECHO, "echo", stored);
        assert_eq!(host.log().len(), 1, "nothing is moved");
        let Ok((_, Some(wit::Stored { handle, length }))) = result else { panic!("it is long") };
        assert!(host_call::fetch(&mut host, Payload::Stored { handle, length }) == Ok(bytes));
        // A payload of a call that is not made is released.
        let handle = host_call::store(&mut host, &[1]).unwrap().unwrap();
        let stored = (Vec::new(), Some(wit::Stored { handle, length: 1 }));
        assert!(state.call_capability(ECHO, &"n".repeat(2 * MESSAGE_LIMIT), stored).is_err());
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn what_the_host_will_not_keep_is_an_error() {
        let (mut state, host) = running();
        let error = state.call_capability(ECHO, "echo", inline(11 * CHUNK_LIMIT));
        assert!(matches!(&error, Err(CapabilityError::Budget(why)) if why.contains("hint:")), "{error:?}");
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn no_name_is_too_long_for_a_clear_error() {
        let (mut state, _host) = running();
        let name = "n".repeat(2 * MESSAGE_LIMIT);
        assert!(matches!(state.call_capability(&name, "f", inline(0)), Err(CapabilityError::Missing(_))));
        assert!(matches!(state.call_capability(ECHO, &name, inline(100)), Err(CapabilityError::Missing(_))));
        assert!(matches!(state.describe_interface(&name), Err(CapabilityError::Missing(_))));
        state.drop_resource(&name, "r", 1);
    }

    #[test]
    fn interfaces_are_listed_and_described() {
        let (mut state, _host) = running();
        let names: Vec<String> = state.list_interfaces().into_iter().map(|summary| summary.name).collect();
        assert_eq!(names, [ECHO]);
        assert_eq!(state.describe_interface(ECHO), Ok("{}".into()));
    }

    #[test]
    fn outside_of_a_run_there_are_none() {
        let (mut state, host) = running();
        state.finish();
        assert!(matches!(state.call_capability(ECHO, "echo", inline(0)), Err(CapabilityError::Denied(_))));
        assert!(matches!(state.describe_interface(ECHO), Err(CapabilityError::Denied(_))));
        assert!(state.list_interfaces().is_empty());
        state.drop_resource(ECHO, "r", 1);
        assert!(host.log().is_empty());
    }
}
