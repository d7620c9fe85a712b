//! Interfaces that the embedder defines and serves (`wit/capabilities.wit`).

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::Payload;

/// A call that concerns interfaces of the embedder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// Calls a function. The reply is `Result<Payload, CapabilityError>`: the encoded result, empty without one.
    Call {
        /// The name of the interface, with or without its version.
        interface: &'a str,
        /// The name of the function in the component model.
        function: &'a str,
        /// The encoded values of the parameters, in order ([`crate::value`]).
        #[serde(borrow)]
        arguments: Payload<'a>,
        /// The line of the program that makes the call, from 1; 0 if it is not known.
        line: u32,
    },
    /// Lists the interfaces that the run may use. The reply is [`Payload`]: an encoded `Vec<Summary>`.
    List,
    /// Describes one interface. The reply is `Result<Payload, CapabilityError>`: a JSON object (docs/capabilities.md).
    Describe {
        /// The name of the interface, with or without its version.
        interface: &'a str,
    },
    /// Drops a resource that the guest owns. The reply is `()`, also for an unknown handle.
    Drop {
        /// The name of the interface that defines the resource.
        interface: &'a str,
        /// The name of the resource type.
        resource: &'a str,
        /// The handle that the host issued.
        handle: u32,
    },
}

/// One entry of the list of interfaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary<'a> {
    /// The name of the interface, with its version.
    pub name: &'a str,
    /// The purpose of the interface. May be empty.
    pub description: &'a str,
}

/// Why a call returned no result. Each case carries a human-readable message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CapabilityError {
    /// The interface, function or resource does not exist.
    Missing(String),
    /// The arguments do not decode as the parameter types. The function was not called.
    Invalid(String),
    /// The function was called and failed.
    Failed(String),
    /// The policy denied the call. The function was not called.
    Denied(String),
    /// The run has used up a budget. The function was not called.
    Budget(String),
    /// The function was called, but its result exceeds the remaining budget of the run.
    Exhausted(String),
}
