//! Calls of interfaces of the embedder's own.

use isolette_abi::{
    Payload,
    capabilities::{Call, CapabilityError, Summary},
    encode,
};

use super::{Broker, Stop};

impl Broker {
    pub(super) fn capabilities(&mut self, call: &Call<'_>) -> Result<Vec<u8>, Stop> {
        let missing = |interface| CapabilityError::Missing(format!("no interface {interface}: this run has none"));
        match *call {
            Call::Call { interface, arguments, .. } => {
                self.take(arguments)?;
                Ok(encode(&Err::<Payload<'_>, _>(missing(interface))))
            }
            Call::Describe { interface } => Ok(encode(&Err::<Payload<'_>, _>(missing(interface)))),
            Call::List => Ok(encode(&Payload::Inline(&encode::<[Summary<'_>]>(&[])))),
            Call::Drop { .. } => Ok(encode(&())),
        }
    }
}
