//! Transfer of long arguments and results directly between the interpreter and the host, without the adapter.

use isolette_abi::{
    DecodeError,
    host_call::{self, HostCall},
};

use crate::bindings::isolette::{
    sandbox::capabilities::{Payload, Stored},
    waist::host,
};

struct Host;

impl HostCall for Host {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        host::call(message)
    }
}

/// The payload of the arguments.
pub(super) fn outgoing(bytes: Vec<u8>) -> Payload {
    let (bytes, stored) = host_call::hand_over(&mut Host, bytes);
    (bytes, stored.map(|(handle, length)| Stored { handle, length }))
}

/// The bytes of the result.
pub(super) fn incoming((bytes, stored): Payload) -> Result<Vec<u8>, DecodeError> {
    host_call::receive(&mut Host, (bytes, stored.map(|stored| (stored.handle, stored.length))))
}
