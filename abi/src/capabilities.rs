//! Interfaces of the embedder's own (`wit/capabilities.wit`).

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::Payload;

/// What a guest does with interfaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// The reply is `Result<Payload, CapabilityError>`: the value of the result.
    Call {
        /// Which interface, with or without its version.
        interface: &'a str,
        /// Which function, by its name in the component model.
        function: &'a str,
        /// The values of the parameters.
        #[serde(borrow)]
        arguments: Payload<'a>,
    },
    /// The reply is [`Payload`]: an encoded `Vec<Summary>`.
    List,
    /// The reply is `Result<Payload, CapabilityError>`: a JSON object.
    Describe {
        /// Which interface, with or without its version.
        interface: &'a str,
    },
    /// The reply is `()`.
    Drop {
        /// Whose resource.
        interface: &'a str,
        /// Which of its resources.
        resource: &'a str,
        /// From the host.
        handle: u32,
    },
}

/// One line of the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary<'a> {
    /// With its version.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
}

/// Why a call brought no result; each with a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CapabilityError {
    /// There is no such interface, function or resource.
    Missing(String),
    /// The arguments are not what the parameters are.
    Invalid(String),
    /// The function could not finish.
    Failed(String),
    /// The policy refused.
    Denied(String),
    /// The run has used up what it was given.
    Budget(String),
    /// The function has been called, and what it gave is more than what is left of what the run was given.
    Exhausted(String),
}
