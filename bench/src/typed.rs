//! An interface in WIT whose functions do next to nothing, so that what is measured is the way to them.

use isolette::CallContext;

use self::echo::{Echo, Pair, Place};

isolette::capability!({
    path: "wit",
    interface: "bench:typed/echo",
    serve: Server,
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
