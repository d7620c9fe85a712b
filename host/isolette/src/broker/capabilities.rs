//! Host calls about custom interfaces: calls of functions, listing, description, and release of resources.

use std::sync::Arc;

use isolette_abi::{
    CHUNK_LIMIT, Payload,
    capabilities::{Call, CapabilityError, Summary},
    encode,
};

use super::{Broker, Stop, capability_call::CapabilityCall};

impl Broker {
    pub(super) fn capabilities(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        match *call {
            Call::Call { interface, function, arguments } => {
                let arguments = self.take(arguments)?;
                let capabilities = Arc::clone(&self.capabilities);
                let number = self.guest.resources.begin_call();
                let interfaces = &capabilities.interfaces;
                let call = CapabilityCall { interfaces, interface, function, arguments: &arguments, number };
                let result = self.guard(&call)?;
                self.transfers.reuse(arguments);
                if result.is_err() {
                    self.guest.resources.withdraw(number);
                }
                Ok(encode(&result.as_ref().map(|output| output.payload())))
            }
            Call::List => {
                let interfaces = &self.capabilities.interfaces;
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
                let described = self.capabilities.interfaces.find(interface).map(|found| found.capability.clone());
                let described = match &described {
                    Ok(capability) => self
                        .provide(capability.json().as_bytes(), CHUNK_LIMIT)
                        .map_err(|_| CapabilityError::Budget("the description is too long".into())),
                    Err(error) => Err(error.clone()),
                };
                Ok(encode(&described))
            }
            Call::Drop { interface, resource, handle } => {
                if let Ok(found) = self.capabilities.interfaces.find(interface)
                    && let Some((definition, _)) = found.capability.interface().definition(resource)
                {
                    self.guest.resources.release(found.place, definition, handle);
                }
                Ok(encode(&()))
            }
        }
    }
}
