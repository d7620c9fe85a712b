//! The number of rows of the database that refer to each blob. A blob without references is removed.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::Digest;

/// Counts a reference. It belongs into the transaction that makes it.
pub(crate) fn add_reference(connection: &Connection, digest: &Digest) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO blobs (digest, uses) VALUES (?1, 1) ON CONFLICT (digest) DO UPDATE SET uses = uses + 1",
    )?;
    statement.execute(params![digest.as_str()]).map(drop)
}

/// Counts a reference no longer. Returns the blob if that was the last one: its file can be removed after the transaction.
pub(crate) fn remove_reference(connection: &Connection, digest: &Digest) -> rusqlite::Result<Option<Digest>> {
    let mut statement =
        connection.prepare_cached("UPDATE blobs SET uses = uses - 1 WHERE digest = ?1 RETURNING uses")?;
    let uses: Option<i64> = statement.query_row(params![digest.as_str()], |row| row.get(0)).optional()?;
    if uses.is_none_or(|uses| uses > 0) {
        return Ok(None);
    }
    connection.prepare_cached("DELETE FROM blobs WHERE digest = ?1")?.execute(params![digest.as_str()])?;
    Ok(Some(digest.clone()))
}

/// All blobs that have a reference.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<HashSet<String>> {
    connection.prepare("SELECT digest FROM blobs")?.query_map([], |row| row.get(0))?.collect()
}

/// Whether a blob has a reference.
pub(super) fn exists(connection: &Connection, digest: &Digest) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM blobs WHERE digest = ?1")?.exists(params![digest.as_str()])
}
