//! A connection in use, with the counter of its transferred bytes.

use std::sync::Arc;

use super::{connection::Connection, hooks::RequestHooks, meter::Tally};

/// A connection in use. The connection is dropped before the counter, so that bytes it leaves unread are counted.
pub(super) struct InUse<'a> {
    pub(super) connection: Connection,
    pub(super) tally: Tally<'a>,
}

impl<'a> InUse<'a> {
    /// Wraps a connection that was used before.
    pub(super) fn again(connection: Connection, hooks: &'a dyn RequestHooks) -> Self {
        let tally = Tally::new(hooks, Arc::clone(&connection.meter));
        Self { connection, tally }
    }
}
