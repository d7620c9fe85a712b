//! Provides `acme:weather/forecast@1.0.0` to programs.

use std::collections::BTreeMap;

use isolette::CallContext;

isolette::capability!({ path: "wit", interface: "acme:weather/forecast@1.0.0", serve: Weather });

use self::forecast::{Failure, Report};

/// Serves the interface: `Sandbox::builder().capability(Weather::new(…))`.
#[derive(Debug)]
pub struct Weather {
    /// The temperature of each place, if it is known.
    places: BTreeMap<String, Option<f64>>,
}

impl Weather {
    /// Makes a server that knows these places.
    pub fn new(places: impl IntoIterator<Item = (String, Option<f64>)>) -> Self {
        Self { places: places.into_iter().collect() }
    }
}

impl forecast::Forecast for Weather {
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
