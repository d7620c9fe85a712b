//! Host calls about custom interfaces: calls of functions, listing, description, and release of resources.

use std::sync::Arc;

use isolette_abi::{
    CHUNK_LIMIT, Payload,
    capabilities::{Call, CapabilityError, Summary},
    encode,
};

use super::{
    Broker, Stop,
    capability_call::{CapabilityCall, Given},
};

impl Broker {
    pub(super) fn capabilities(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        match *call {
            Call::Call { interface, function, arguments, line } => {
                let arguments = self.take(arguments)?;
                let call = CapabilityCall {
                    capabilities: Arc::clone(&self.scope.capabilities),
                    interface: interface.into(),
                    function: function.into(),
                    arguments,
                    line,
                    given: Given::new(&self.scope.guest.resources),
                };
                let reply = self.guard_or_pause(&call)?;
                self.transfers.reuse(call.arguments);
                Ok(reply)
            }
            Call::List => {
                let interfaces = &self.scope.capabilities.interfaces;
                let names: Vec<String> = interfaces.iter().map(|one| one.name().to_string()).collect();
                let summaries = interfaces.iter().zip(&names);
                let listing: Vec<_> =
                    summaries.map(|(one, name)| Summary { name, description: one.interface().summary() }).collect();
                let listing = encode(&listing);
                // The embedder registered the interfaces, so the guest is not ended if the listing is too long; it gets
                // an empty list.
                let empty = encode::<[Summary<'_>]>(&[]);
                Ok(encode(&self.provide(&listing, CHUNK_LIMIT).unwrap_or(Payload::Inline(&empty))))
            }
            Call::Describe { interface } => {
                let described =
                    self.scope.capabilities.interfaces.find(interface).map(|found| found.capability.clone());
                let described = match &described {
                    Ok(capability) => self
                        .provide(capability.json().as_bytes(), CHUNK_LIMIT)
                        .map_err(|_| CapabilityError::Budget("the description is too long".into())),
                    Err(error) => Err(error.clone()),
                };
                Ok(encode(&described))
            }
            Call::Drop { interface, resource, handle } => {
                if let Ok(found) = self.scope.capabilities.interfaces.find(interface)
                    && let Some((definition, _)) = found.capability.interface().definition(resource)
                {
                    self.scope.guest.resources.release(found.place, definition, handle);
                }
                Ok(encode(&()))
            }
        }
    }
}
