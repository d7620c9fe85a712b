//! `isolette:sandbox/capabilities`: interfaces that the embedder wrote and serves.

use isolette_abi::{
    Call, Payload,
    capabilities::{self, CapabilityError},
    decode,
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::capabilities as wit,
    state::{self, State},
    tools::NO_RUN,
    waist::{Reply, contract_broken},
};

impl State {
    fn capabilities(&mut self, call: capabilities::Call<'_>) -> Option<Reply> {
        self.wall.try_ask(&Call::Capabilities(call)).ok()
    }

    pub(crate) fn call_capability(
        &mut self,
        interface: &str,
        function: &str,
        arguments: &[u8],
    ) -> Result<Vec<u8>, CapabilityError> {
        if !self.wall.live() {
            return Err(CapabilityError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.wall);
        let Some(payload) = self.wall.payload(arguments, interface.len() + function.len()) else {
            return Err(CapabilityError::Budget(format!(
                "the arguments of {function} are {} bytes long, more than the host keeps for one run; hint: pass less at \
                 a time",
                arguments.len()
            )));
        };
        let reply = self.capabilities(capabilities::Call::Call { interface, function, arguments: payload });
        self.wall.release(payload);
        let result = reply.ok_or_else(|| no_such_name(interface, function))?;
        let result = result.read::<Result<Payload<'_>, CapabilityError>>()?;
        Ok(self.wall.fetch(result))
    }

    fn list_interfaces(&mut self) -> Vec<wit::Summary> {
        if !self.wall.live() {
            return Vec::new();
        }
        let reply = self.capabilities(capabilities::Call::List).unwrap_or_else(|| contract_broken());
        let listing = self.wall.fetch(reply.read());
        let listing: Vec<capabilities::Summary<'_>> = decode(&listing).unwrap_or_else(|_| contract_broken());
        let copy = |summary: capabilities::Summary<'_>| wit::Summary {
            name: summary.name.into(),
            description: summary.description.into(),
        };
        listing.into_iter().map(copy).collect()
    }

    fn describe_interface(&mut self, interface: &str) -> Result<String, CapabilityError> {
        if !self.wall.live() {
            return Err(CapabilityError::Denied(NO_RUN.into()));
        }
        let reply = self.capabilities(capabilities::Call::Describe { interface });
        let reply = reply.ok_or_else(|| no_such_name(interface, ""))?;
        let description = reply.read::<Result<Payload<'_>, CapabilityError>>()?;
        Ok(self.wall.fetch_text(description))
    }

    pub(crate) fn drop_resource(&mut self, interface: &str, resource: &str, handle: u32) {
        // With its run every resource has gone; and no interface has a name that does not fit a message.
        if self.wall.live()
            && let Some(reply) = self.capabilities(capabilities::Call::Drop { interface, resource, handle })
        {
            reply.read::<()>();
        }
    }
}

fn no_such_name(interface: &str, function: &str) -> CapabilityError {
    CapabilityError::Missing(format!("nothing has a name of {} bytes", interface.len() + function.len()))
}

impl From<CapabilityError> for wit::CapabilityError {
    fn from(error: CapabilityError) -> Self {
        match error {
            CapabilityError::Missing(why) => Self::Missing(why),
            CapabilityError::Invalid(why) => Self::Invalid(why),
            CapabilityError::Failed(why) => Self::Failed(why),
            CapabilityError::Denied(why) => Self::Denied(why),
            CapabilityError::Budget(why) => Self::Budget(why),
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

    fn call(interface: String, function: String, arguments: Vec<u8>) -> Result<Vec<u8>, wit::CapabilityError> {
        Ok(state::with(|state| state.call_capability(&interface, &function, &arguments))?)
    }

    fn drop_resource(interface: String, resource: String, handle: u32) {
        state::with(|state| state.drop_resource(&interface, &resource, handle));
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::{CHUNK_LIMIT, MESSAGE_LIMIT};

    use super::*;
    use crate::testing::running;

    const ECHO: &str = "test:echo/bytes";

    #[test]
    fn arguments_and_results_of_any_length_arrive() {
        let (mut state, host) = running();
        for length in [0, 1, CHUNK_LIMIT - 1, CHUNK_LIMIT, CHUNK_LIMIT + 1, 3 * CHUNK_LIMIT] {
            let arguments = vec![0xff; length];
            assert!(state.call_capability(ECHO, "echo", &arguments) == Ok(arguments), "{length}");
            assert!(host.0.borrow().payloads.is_empty(), "what was stored is released");
        }
    }

    #[test]
    fn what_the_host_will_not_keep_is_an_error() {
        let (mut state, host) = running();
        let error = state.call_capability(ECHO, "echo", &vec![0; 11 * CHUNK_LIMIT]);
        assert!(matches!(&error, Err(CapabilityError::Budget(why)) if why.contains("hint:")), "{error:?}");
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn no_name_is_too_long_for_a_clear_error() {
        let (mut state, _host) = running();
        let name = "n".repeat(2 * MESSAGE_LIMIT);
        assert!(matches!(state.call_capability(&name, "f", &[]), Err(CapabilityError::Missing(_))));
        assert!(matches!(state.call_capability(ECHO, &name, &[0; 100]), Err(CapabilityError::Missing(_))));
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
        assert!(matches!(state.call_capability(ECHO, "echo", &[]), Err(CapabilityError::Denied(_))));
        assert!(matches!(state.describe_interface(ECHO), Err(CapabilityError::Denied(_))));
        assert!(state.list_interfaces().is_empty());
        state.drop_resource(ECHO, "r", 1);
        assert!(host.log().is_empty());
    }
}
