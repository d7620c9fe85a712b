//! A connection in use, with the count of what it transfers.

use std::sync::Arc;

use super::{connection::Connection, hooks::RequestHooks, meter::Tally};

/// A connection in use. The connection is dropped first, so that what it leaves unread is counted.
pub(super) struct InUse<'a> {
    pub(super) connection: Connection,
    pub(super) tally: Tally<'a>,
}

impl<'a> InUse<'a> {
    /// One that was used before.
    pub(super) fn again(connection: Connection, hooks: &'a dyn RequestHooks) -> Self {
        let tally = Tally::new(hooks, Arc::clone(&connection.meter));
        Self { connection, tally }
    }
}
