//! A copy: its guest runs one program after the other.

use alloc::vec::Vec;

use isolette_abi::{frames::Kind, runtime::HostReply};
use isolette_instance::{Host, Stopped};
use isolette_runtime::Guest;
use wasmtime::{Error, Result};

use crate::{channel, system_calls};

/// The host, which a process reaches through its socket.
pub(crate) struct Socket;

impl Host for Socket {
    fn call(&self, message: &[u8]) -> Result<Vec<u8>> {
        channel::send(Kind::Call, message);
        match channel::receive() {
            (Kind::Reply, reply) => HostReply::decode(reply).ok_or_else(|| Error::new(Stopped)),
            _ => system_calls::exit(1),
        }
    }
}

/// Runs programs until the host closes the socket.
pub(crate) fn serve(mut guest: Guest<Socket>) -> ! {
    loop {
        let (Kind::Run, mut contents) = channel::receive() else { system_calls::exit(1) };
        let Some((limit, _)) = contents.split_first_chunk() else { system_calls::exit(1) };
        let limit = u64::from_le_bytes(*limit);
        let reply = guest.run(contents.split_off(size_of::<u64>()), limit);
        channel::send(Kind::Ended, &reply.encode());
    }
}
