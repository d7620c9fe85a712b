//! An interface in WIT with trivial functions, so that the measured time is that of the call.

use isolette::CallContext;

use self::echo::{Echo, Pair, Place};

isolette::capability!({
    path: "wit",
    interface: "bench:typed/echo",
    implementation: Server,
});

pub(crate) struct Server;

impl Echo for Server {
    fn add(&self, _: &CallContext, pair: Pair) -> i64 {
        pair.a + pair.b
    }

    fn echo_place(&self, _: &CallContext, place: Place) -> Place {
        place
    }

    fn echo_bytes(&self, _: &CallContext, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }
}
