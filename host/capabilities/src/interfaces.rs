//! The interfaces of one sandbox.

use std::collections::HashMap;

use isolette_abi::capabilities::CapabilityError;
use isolette_interface::{Function, InterfaceName};
use isolette_types::Error;
use isolette_work::nearest;

use crate::Capability;

const NAMES_SUGGESTED: usize = 3;

/// The interfaces that a sandbox serves, sorted by name.
#[derive(Debug, Default)]
pub struct Interfaces {
    capabilities: Vec<Capability>,
    /// Index by name with and without version; a name without version refers to the latest one.
    by_name: HashMap<String, usize>,
}

/// A capability that was found by name.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Index of the capability, which resources are associated with.
    pub place: usize,
    /// The capability.
    pub capability: &'a Capability,
}

impl Interfaces {
    /// Makes the set from capabilities that are sorted by name.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if two capabilities have the same name.
    pub fn new(capabilities: Vec<Capability>) -> Result<Self, Error> {
        if let Some([twice, ..]) = capabilities.windows(2).find(|two| two[0].name() == two[1].name()) {
            return Err(Error::invalid(
                format!("there are two capabilities for the interface `{}`", twice.name()),
                "serve each interface once, or in versions that differ",
            ));
        }
        let mut by_name = HashMap::with_capacity(capabilities.len() * 2);
        for (place, capability) in capabilities.iter().enumerate() {
            by_name.insert(capability.name().to_string(), place);
            by_name.insert(capability.name().unversioned(), place);
        }
        Ok(Self { capabilities, by_name })
    }

    /// Returns all capabilities, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &Capability> {
        self.capabilities.iter()
    }

    /// Finds an interface by name: that version if it exists, else the latest compatible version.
    ///
    /// # Errors
    /// [`CapabilityError::Missing`], with the names of the existing interfaces.
    pub fn find(&self, name: &str) -> Result<Found<'_>, CapabilityError> {
        let place = self.by_name.get(name).copied().or_else(|| {
            let wanted: InterfaceName = name.parse().ok()?;
            self.capabilities.iter().rposition(|capability| capability.name().serves(&wanted))
        });
        let found = place.and_then(|place| Some(Found { place, capability: self.capabilities.get(place)? }));
        found.ok_or_else(|| CapabilityError::Missing(self.missing(name)))
    }

    fn missing(&self, name: &str) -> String {
        let names: Vec<String> = self.iter().map(|capability| capability.name().to_string()).collect();
        if names.is_empty() {
            return format!("no interface {name}: this run has none");
        }
        format!("no interface {name}\nhint: there are {}", names.join(", "))
    }
}

impl Found<'_> {
    /// Finds a function of the interface by its name. Returns its index and its definition.
    ///
    /// # Errors
    /// [`CapabilityError::Missing`], with similar names.
    pub fn function(&self, name: &str) -> Result<(usize, &Function), CapabilityError> {
        self.capability.function(name).ok_or_else(|| {
            let interface = self.capability.name();
            let names: Vec<String> =
                self.capability.interface().functions.iter().map(|one| one.name.readable()).collect();
            let meant = nearest(name, names.iter().map(String::as_str), NAMES_SUGGESTED);
            let hint =
                if meant.is_empty() { String::new() } else { format!("\nhint: did you mean {}?", meant.join(" or ")) };
            CapabilityError::Missing(format!("{interface} has no function {name}{hint}"))
        })
    }
}
