//! Transfer of long arguments and results directly between the interpreter and the host, without the adapter.

use isolette_abi::{
    DecodeError,
    waist::{self, Waist},
};

use crate::bindings::isolette::{
    sandbox::capabilities::{Payload, Stored},
    waist::host,
};

struct Host;

impl Waist for Host {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        host::call(message)
    }
}

/// The payload of the arguments.
pub(super) fn outgoing(bytes: Vec<u8>) -> Payload {
    let (bytes, stored) = waist::hand_over(&mut Host, bytes);
    (bytes, stored.map(|(handle, length)| Stored { handle, length }))
}

/// The bytes of the result.
pub(super) fn incoming((bytes, stored): Payload) -> Result<Vec<u8>, DecodeError> {
    waist::receive(&mut Host, (bytes, stored.map(|stored| (stored.handle, stored.length))))
}
