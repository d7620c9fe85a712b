//! Responses to requests with an idempotency key.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::clock;

/// How long responses are kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Stores a response: the digest of its request, its status and its body.
pub(crate) fn put(
    connection: &Connection,
    owner: &str,
    key: &str,
    (request, status, body): (&str, u16, &[u8]),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO responses (owner, key, request, status, body, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    statement.execute(params![owner, key, request, status, body, clock::now()]).map(drop)
}

/// The digest of the request with a key, and the status and the body of its response.
pub(crate) fn find(
    connection: &Connection,
    owner: &str,
    key: &str,
) -> rusqlite::Result<Option<(String, u16, Vec<u8>)>> {
    connection
        .prepare_cached("SELECT request, status, body FROM responses WHERE owner = ?1 AND key = ?2")?
        .query_row(params![owner, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()
}

/// Deletes responses that were kept long enough.
pub(crate) fn forget(connection: &Connection) -> rusqlite::Result<()> {
    let before = clock::now().saturating_sub(i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX));
    connection.prepare_cached("DELETE FROM responses WHERE created < ?1")?.execute(params![before]).map(drop)
}
