//! Responses to requests with an idempotency key.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::kept::{self, What};
use crate::clock::{self, Moment};

/// Time for which responses are kept.
pub(crate) const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyedResponse {
    /// The digest of the request.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

/// Whether a response of this moment is still repeated.
pub(crate) fn is_kept(created: Moment) -> bool {
    created > kept_since()
}

fn kept_since() -> Moment {
    clock::now().saturating_sub(i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX))
}

/// Number of bytes of responses that are kept of a caller, if they reach the limit.
pub(crate) fn reached(connection: &Connection, owner: &str) -> rusqlite::Result<Option<i64>> {
    kept::reached(connection, owner, What::Responses)
}

/// Stores a response.
pub(crate) fn put(connection: &Connection, owner: &str, key: &str, response: &KeyedResponse) -> rusqlite::Result<()> {
    let KeyedResponse { request, status, body } = response;
    // The triggers that count do not see a row that is replaced.
    connection.prepare_cached("DELETE FROM responses WHERE owner = ?1 AND key = ?2")?.execute(params![owner, key])?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO responses (owner, key, request, status, body, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    statement.execute(params![owner, key, request, status, body, clock::now()]).map(drop)
}

/// The response to the request with a key.
pub(crate) fn find(connection: &Connection, owner: &str, key: &str) -> rusqlite::Result<Option<KeyedResponse>> {
    connection
        .prepare_cached("SELECT request, status, body FROM responses WHERE owner = ?1 AND key = ?2")?
        .query_row(params![owner, key], |row| {
            Ok(KeyedResponse { request: row.get(0)?, status: row.get(1)?, body: row.get(2)? })
        })
        .optional()
}

/// Deletes responses that were kept long enough.
pub(crate) fn forget(connection: &Connection) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM responses WHERE created <= ?1")?.execute(params![kept_since()]).map(drop)
}
