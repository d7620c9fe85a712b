//! A copy: its guest runs one program after the other.

use alloc::{boxed::Box, vec::Vec};
use core::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use isolette_abi::{frames::Kind, runtime::HostReply};
use isolette_instance::{Host, Stopped};
use isolette_runtime::{Guest, memory_limit};
use wasmtime::{Error, Result};

use crate::{channel, system_calls};

/// The host, which a process reaches through its socket.
pub(crate) struct Socket;

impl Host for Socket {
    fn call(&self, message: &[u8]) -> Result<Vec<u8>> {
        match channel::exchange(Kind::Call, message) {
            (Kind::Reply, reply) => match HostReply::decode(reply) {
                HostReply::Reply(reply) => Ok(reply),
                HostReply::ReplyAfterPause(limit, reply) => {
                    memory_limit::keep(limit);
                    Ok(reply)
                }
                // To pause a process, the host lets it wait.
                HostReply::Stop | HostReply::Pause => Err(Error::new(Stopped)),
            },
            _ => system_calls::exit(1),
        }
    }

    fn new_memory_limit(&self) -> Option<u64> {
        memory_limit::take()
    }
}

/// The guest of this process, which has been created before the process was forked.
static GUEST: AtomicPtr<Guest<Socket>> = AtomicPtr::new(ptr::null_mut());

/// Keeps the guest for [`serve`].
pub(crate) fn keep(guest: Guest<Socket>) {
    GUEST.store(Box::into_raw(Box::new(guest)), Relaxed);
}

/// Runs programs until the host closes the socket. To be called once in each process.
pub(crate) extern "C" fn serve() -> ! {
    // SAFETY: `keep` stored it, there is one thread, and this is called once.
    let Some(guest) = (unsafe { GUEST.load(Relaxed).as_mut() }) else { system_calls::exit(1) };
    let mut received = channel::exchange(Kind::Ready, &[]);
    loop {
        let (Kind::Run, mut contents) = received else { system_calls::exit(1) };
        let Some((limit, _)) = contents.split_first_chunk() else { system_calls::exit(1) };
        let limit = u64::from_le_bytes(*limit);
        let reply = guest.run(contents.split_off(size_of::<u64>()), limit);
        received = channel::exchange(Kind::Ended, &reply.encode());
    }
}
