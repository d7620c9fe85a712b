//! Provides `acme:new-capability/new-capability@0.1.0` to programs.

use std::collections::BTreeMap;

use isolette::CallContext;

isolette::capability!({ path: "wit", interface: "acme:new-capability/new-capability@0.1.0", serve: NewCapabilityServer });

use self::new_capability::{Failure, Report};

/// Serves the interface: `Sandbox::builder().capability(NewCapabilityServer::new(…))`.
#[derive(Debug)]
pub struct NewCapabilityServer {
    /// The temperature of each place, if it is known.
    places: BTreeMap<String, Option<f64>>,
}

impl NewCapabilityServer {
    /// Makes a server that knows these places.
    pub fn new(places: impl IntoIterator<Item = (String, Option<f64>)>) -> Self {
        Self { places: places.into_iter().collect() }
    }
}

impl new_capability::NewCapability for NewCapabilityServer {
    fn get(&self, context: &CallContext, place: String) -> Result<Report, Failure> {
        match self.places.get(&place) {
            Some(Some(high_c)) => {
                // The note is part of the record of the call.
                context.note("found in the table");
                Ok(Report { high_c: *high_c, summary: format!("{place}: {high_c} °C") })
            }
            Some(None) => Err(Failure::NoReport),
            None => Err(Failure::UnknownPlace(place)),
        }
    }
}
