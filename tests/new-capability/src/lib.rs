//! Provides `acme:new-capability/new-capability@0.1.0` to programs.

use std::collections::BTreeMap;

use isolette::CallContext;

isolette::capability!({ path: "wit", interface: "acme:new-capability/new-capability@0.1.0", implementation: NewCapabilityServer });

use self::new_capability::{Failure, Report};

/// Serves the interface: `Sandbox::builder().capability(NewCapabilityServer::new(…))`.
#[derive(Debug)]
pub struct NewCapabilityServer {
    /// Degrees by place, where they are known.
    places: BTreeMap<String, Option<f64>>,
}

impl NewCapabilityServer {
    /// Knows some places.
    pub fn new(places: impl IntoIterator<Item = (String, Option<f64>)>) -> Self {
        Self { places: places.into_iter().collect() }
    }
}

impl new_capability::NewCapability for NewCapabilityServer {
    fn get(&self, context: &CallContext, place: String) -> Result<Report, Failure> {
        match self.places.get(&place) {
            Some(Some(high_c)) => {
                // The record of the call has this note.
                context.note("known by heart");
                Ok(Report { high_c: *high_c, summary: format!("{place}: {high_c} °C") })
            }
            Some(None) => Err(Failure::NoReport),
            None => Err(Failure::UnknownPlace(place)),
        }
    }
}
