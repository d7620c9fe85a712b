//! The rows of snapshots.

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use serde::{Deserialize, Serialize};

use super::{add_reference, remove_reference};
use crate::{clock::Moment, store::Digest};

/// A snapshot of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SnapshotRow {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) sandbox: String,
    pub(crate) note: String,
    pub(crate) created: Moment,
    pub(crate) spec: String,
    pub(crate) contexts: String,
    pub(crate) files: String,
    pub(crate) bytes: i64,
}

const SNAPSHOT_COLUMNS: &str = "id, owner, sandbox, note, created, spec, contexts, files, bytes";

pub(crate) fn insert_snapshot(connection: &Connection, row: &SnapshotRow, blobs: &[Digest]) -> rusqlite::Result<()> {
    let SnapshotRow { id, owner, sandbox, note, created, spec, contexts, files, bytes } = row;
    let sql = format!("INSERT INTO snapshots ({SNAPSHOT_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    let values: [&dyn ToSql; 9] = [id, owner, sandbox, note, created, spec, contexts, files, bytes];
    connection.prepare_cached(&sql)?.execute(values.as_slice())?;
    blobs.iter().try_for_each(|digest| add_reference(connection, owner, digest))
}

pub(crate) fn find_snapshot(connection: &Connection, owner: &str, id: &str) -> rusqlite::Result<Option<SnapshotRow>> {
    let sql = format!("SELECT {SNAPSHOT_COLUMNS} FROM snapshots WHERE owner = ?1 AND id = ?2");
    connection.prepare_cached(&sql)?.query_row(params![owner, id], snapshot).optional()
}

/// Whether a snapshot exists.
pub(crate) fn has_snapshot(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM snapshots WHERE id = ?1")?.exists(params![id])
}

/// The snapshots of a caller, the latest first, each as `of` makes it of the row: the list of its files is long.
pub(crate) fn snapshots_of<T>(
    connection: &Connection,
    owner: &str,
    sandbox: Option<&str>,
    of: impl Fn(SnapshotRow) -> T,
) -> rusqlite::Result<Vec<T>> {
    let filter = if sandbox.is_some() { "AND sandbox = ?2" } else { "AND ?2 IS NULL" };
    let sql = format!("SELECT {SNAPSHOT_COLUMNS} FROM snapshots WHERE owner = ?1 {filter} ORDER BY created DESC");
    connection.prepare_cached(&sql)?.query_map(params![owner, sandbox], |row| snapshot(row).map(&of))?.collect()
}

pub(crate) fn count_snapshots(connection: &Connection, owner: &str) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached("SELECT COUNT(*) FROM snapshots WHERE owner = ?1")?;
    statement.query_row(params![owner], |row| row.get(0))
}

/// Deletes a snapshot. Returns the blobs that have no reference any more.
pub(crate) fn delete_snapshot(connection: &Connection, id: &str, blobs: &[Digest]) -> rusqlite::Result<Vec<Digest>> {
    let mut statement = connection.prepare_cached("DELETE FROM snapshots WHERE id = ?1 RETURNING owner")?;
    let owner: Option<String> = statement.query_row(params![id], |row| row.get(0)).optional()?;
    let Some(owner) = owner else { return Ok(Vec::new()) };
    let mut unused = Vec::new();
    for digest in blobs {
        unused.extend(remove_reference(connection, &owner, digest)?);
    }
    Ok(unused)
}

fn snapshot(row: &Row<'_>) -> rusqlite::Result<SnapshotRow> {
    Ok(SnapshotRow {
        id: row.get(0)?,
        owner: row.get(1)?,
        sandbox: row.get(2)?,
        note: row.get(3)?,
        created: row.get(4)?,
        spec: row.get(5)?,
        contexts: row.get(6)?,
        files: row.get(7)?,
        bytes: row.get(8)?,
    })
}
