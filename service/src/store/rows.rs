//! The rows of the database, and the statements that read and write them.

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::Digest;
use crate::clock::Moment;

/// A sandbox.
#[derive(Clone, Debug)]
pub(crate) struct SandboxRow {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) name: Option<String>,
    /// The token that grants access to its programs and files.
    pub(crate) access: String,
    /// The name of the folder with its files.
    pub(crate) folder: String,
    /// `SandboxSpec` as JSON.
    pub(crate) spec: String,
    pub(crate) metadata: String,
    pub(crate) is_checkpointed: bool,
    pub(crate) created: Moment,
    pub(crate) expires: Moment,
    /// In milliseconds.
    pub(crate) idle: i64,
}

/// A context of a sandbox.
#[derive(Clone, Debug)]
pub(crate) struct ContextRow {
    pub(crate) sandbox: String,
    pub(crate) name: String,
    pub(crate) language: String,
    pub(crate) blob: Option<Digest>,
    /// Whether a program has run in it since it was saved.
    pub(crate) is_changed: bool,
}

/// A run.
#[derive(Clone, Debug)]
pub(crate) struct RunRow {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) sandbox: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) state: String,
    /// `StoredRequest` as JSON.
    pub(crate) request: String,
    pub(crate) created: Moment,
    pub(crate) started: Option<Moment>,
    pub(crate) ended: Option<Moment>,
    /// The calls that wait, as JSON.
    pub(crate) calls: String,
    /// The result as JSON.
    pub(crate) result: Option<String>,
    /// [`ErrorDetail`](crate::failure::ErrorDetail) as JSON.
    pub(crate) error: Option<String>,
    pub(crate) blob: Option<Digest>,
}

/// A part of the output of a run.
#[derive(Clone, Debug)]
pub(crate) struct OutputRow {
    pub(crate) number: i64,
    pub(crate) is_stderr: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A snapshot of a sandbox.
#[derive(Clone, Debug)]
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

const RUN_COLUMNS: &str =
    "id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, blob";
const SNAPSHOT_COLUMNS: &str = "id, owner, sandbox, note, created, spec, contexts, files, bytes";

pub(crate) fn insert_sandbox(connection: &Connection, row: &SandboxRow) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO sandboxes (id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let SandboxRow { id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle } = row;
    let values: [&dyn ToSql; 11] =
        [id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle];
    statement.execute(values.as_slice()).map(drop)
}

pub(crate) fn all_sandboxes(connection: &Connection) -> rusqlite::Result<Vec<SandboxRow>> {
    let mut statement = connection.prepare(
        "SELECT id, owner, name, folder, spec, metadata, is_checkpointed, created, expires, idle, access FROM sandboxes",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(SandboxRow {
            id: row.get(0)?,
            owner: row.get(1)?,
            name: row.get(2)?,
            access: row.get(10)?,
            folder: row.get(3)?,
            spec: row.get(4)?,
            metadata: row.get(5)?,
            is_checkpointed: row.get(6)?,
            created: row.get(7)?,
            expires: row.get(8)?,
            idle: row.get(9)?,
        })
    })?;
    rows.collect()
}

pub(crate) fn set_expiry(connection: &Connection, id: &str, expires: Moment, idle: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE sandboxes SET expires = ?2, idle = ?3 WHERE id = ?1")?;
    statement.execute(params![id, expires, idle]).map(drop)
}

pub(crate) fn set_folder(connection: &Connection, id: &str, folder: &str) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE sandboxes SET folder = ?2 WHERE id = ?1")?;
    statement.execute(params![id, folder]).map(drop)
}

/// Deletes a sandbox with its contexts. Returns the blobs that have no reference any more.
pub(crate) fn delete_sandbox(connection: &Connection, id: &str) -> rusqlite::Result<Vec<Digest>> {
    let mut unused = Vec::new();
    for context in contexts_of(connection, id)? {
        unused.extend(release(connection, context.blob)?);
    }
    connection.prepare_cached("DELETE FROM sandboxes WHERE id = ?1")?.execute(params![id])?;
    Ok(unused)
}

/// Writes a context, and counts the reference to its blob. Returns the blob that it had, if nothing refers to it any more.
pub(crate) fn put_context(connection: &Connection, row: &ContextRow) -> rusqlite::Result<Option<Digest>> {
    let ContextRow { sandbox, name, language, blob, is_changed } = row;
    let before = connection
        .prepare_cached("SELECT blob FROM contexts WHERE sandbox = ?1 AND name = ?2")?
        .query_row(params![sandbox, name], |row| digest(row, 0))
        .optional()?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO contexts (sandbox, name, language, blob, is_changed) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (sandbox, name) DO UPDATE SET language = ?3, blob = ?4, is_changed = ?5",
    )?;
    statement.execute(params![sandbox, name, language, blob.as_ref().map(Digest::as_str), is_changed])?;
    if let Some(digest) = blob {
        super::add_reference(connection, digest)?;
    }
    release(connection, before.flatten())
}

/// Adds a context without a state, unless the sandbox was deleted or has it.
pub(crate) fn add_context(connection: &Connection, row: &ContextRow) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO contexts (sandbox, name, language) SELECT id, ?2, ?3 FROM sandboxes WHERE id = ?1
         ON CONFLICT (sandbox, name) DO NOTHING",
    )?;
    statement.execute(params![row.sandbox, row.name, row.language]).map(drop)
}

/// Notes that a program has run in a context since it was saved.
pub(crate) fn mark_changed(connection: &Connection, sandbox: &str, name: &str) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare_cached("UPDATE contexts SET is_changed = 1 WHERE sandbox = ?1 AND name = ?2")?;
    statement.execute(params![sandbox, name]).map(drop)
}

/// Deletes a context. Returns its blob, if nothing refers to it any more.
pub(crate) fn delete_context(connection: &Connection, sandbox: &str, name: &str) -> rusqlite::Result<Option<Digest>> {
    let mut statement =
        connection.prepare_cached("DELETE FROM contexts WHERE sandbox = ?1 AND name = ?2 RETURNING blob")?;
    let blob = statement.query_row(params![sandbox, name], |row| digest(row, 0)).optional()?;
    release(connection, blob.flatten())
}

pub(crate) fn contexts_of(connection: &Connection, sandbox: &str) -> rusqlite::Result<Vec<ContextRow>> {
    let mut statement = connection
        .prepare_cached("SELECT sandbox, name, language, blob, is_changed FROM contexts WHERE sandbox = ?1")?;
    let rows = statement.query_map(params![sandbox], |row| {
        Ok(ContextRow {
            sandbox: row.get(0)?,
            name: row.get(1)?,
            language: row.get(2)?,
            blob: digest(row, 3)?,
            is_changed: row.get(4)?,
        })
    })?;
    rows.collect()
}

/// Writes a run, in place of what was known of it, and counts the reference to its blob. Returns the blob that it had, if nothing
/// refers to it any more.
pub(crate) fn put_run(connection: &Connection, row: &RunRow) -> rusqlite::Result<Option<Digest>> {
    let before = connection
        .prepare_cached("SELECT blob FROM runs WHERE id = ?1")?
        .query_row(params![row.id], |row| digest(row, 0))
        .optional()?;
    // An insertion in place of the row would delete its output.
    let mut statement = connection.prepare_cached(
        "INSERT INTO runs (id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, blob)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (id) DO UPDATE SET state = ?5, started = ?8, ended = ?9, calls = ?10, result = ?11, error = ?12, blob = ?13",
    )?;
    let RunRow { id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, blob } =
        row;
    let digest = blob.as_ref().map(Digest::as_str);
    statement.execute(params![
        id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, digest
    ])?;
    if let Some(digest) = blob {
        super::add_reference(connection, digest)?;
    }
    release(connection, before.flatten())
}

pub(crate) fn put_output(connection: &Connection, run: &str, parts: &[OutputRow]) -> rusqlite::Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT OR REPLACE INTO output (run, number, stream, bytes) VALUES (?1, ?2, ?3, ?4)")?;
    for OutputRow { number, is_stderr, bytes } in parts {
        statement.execute(params![run, number, is_stderr, bytes])?;
    }
    Ok(())
}

pub(crate) fn output_of(connection: &Connection, run: &str) -> rusqlite::Result<Vec<OutputRow>> {
    let mut statement =
        connection.prepare_cached("SELECT number, stream, bytes FROM output WHERE run = ?1 ORDER BY number")?;
    let rows = statement.query_map(params![run], |row| {
        Ok(OutputRow { number: row.get(0)?, is_stderr: row.get(1)?, bytes: row.get(2)? })
    })?;
    rows.collect()
}

pub(crate) fn find_run(connection: &Connection, owner: &str, id: &str) -> rusqlite::Result<Option<RunRow>> {
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE owner = ?1 AND id = ?2");
    connection.prepare_cached(&sql)?.query_row(params![owner, id], run).optional()
}

/// The runs of a caller, the latest first.
pub(crate) fn runs_of(
    connection: &Connection,
    owner: &str,
    sandbox: Option<&str>,
    limit: u32,
) -> rusqlite::Result<Vec<RunRow>> {
    let filter = if sandbox.is_some() { "AND sandbox = ?3" } else { "AND ?3 IS NULL" };
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE owner = ?1 {filter} ORDER BY created DESC LIMIT ?2");
    connection.prepare_cached(&sql)?.query_map(params![owner, limit, sandbox], run)?.collect()
}

/// The runs that have not ended.
pub(crate) fn unfinished_runs(connection: &Connection) -> rusqlite::Result<Vec<RunRow>> {
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE ended IS NULL ORDER BY created");
    connection.prepare(&sql)?.query_map([], run)?.collect()
}

/// Deletes runs that ended before a moment, at most 1,000. Returns how many.
pub(crate) fn delete_runs(connection: &Connection, before: Moment) -> rusqlite::Result<usize> {
    let sql = "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended < ?1 LIMIT 1000)";
    connection.prepare_cached(sql)?.execute(params![before])
}

pub(crate) fn insert_snapshot(connection: &Connection, row: &SnapshotRow, blobs: &[Digest]) -> rusqlite::Result<()> {
    let SnapshotRow { id, owner, sandbox, note, created, spec, contexts, files, bytes } = row;
    let sql = format!("INSERT INTO snapshots ({SNAPSHOT_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    let values: [&dyn ToSql; 9] = [id, owner, sandbox, note, created, spec, contexts, files, bytes];
    connection.prepare_cached(&sql)?.execute(values.as_slice())?;
    blobs.iter().try_for_each(|digest| super::add_reference(connection, digest))
}

pub(crate) fn find_snapshot(connection: &Connection, owner: &str, id: &str) -> rusqlite::Result<Option<SnapshotRow>> {
    let sql = format!("SELECT {SNAPSHOT_COLUMNS} FROM snapshots WHERE owner = ?1 AND id = ?2");
    connection.prepare_cached(&sql)?.query_row(params![owner, id], snapshot).optional()
}

/// Whether a snapshot exists.
pub(crate) fn has_snapshot(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM snapshots WHERE id = ?1")?.exists(params![id])
}

/// The snapshots of a caller, the latest first.
pub(crate) fn snapshots_of(
    connection: &Connection,
    owner: &str,
    sandbox: Option<&str>,
) -> rusqlite::Result<Vec<SnapshotRow>> {
    let filter = if sandbox.is_some() { "AND sandbox = ?2" } else { "AND ?2 IS NULL" };
    let sql = format!("SELECT {SNAPSHOT_COLUMNS} FROM snapshots WHERE owner = ?1 {filter} ORDER BY created DESC");
    connection.prepare_cached(&sql)?.query_map(params![owner, sandbox], snapshot)?.collect()
}

pub(crate) fn count_snapshots(connection: &Connection, owner: &str) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached("SELECT COUNT(*) FROM snapshots WHERE owner = ?1")?;
    statement.query_row(params![owner], |row| row.get(0))
}

/// Deletes a snapshot. Returns the blobs that have no reference any more.
pub(crate) fn delete_snapshot(connection: &Connection, id: &str, blobs: &[Digest]) -> rusqlite::Result<Vec<Digest>> {
    if connection.prepare_cached("DELETE FROM snapshots WHERE id = ?1")?.execute(params![id])? == 0 {
        return Ok(Vec::new());
    }
    let mut unused = Vec::new();
    for digest in blobs {
        unused.extend(super::remove_reference(connection, digest)?);
    }
    Ok(unused)
}

fn release(connection: &Connection, blob: Option<Digest>) -> rusqlite::Result<Option<Digest>> {
    blob.map_or(Ok(None), |digest| super::remove_reference(connection, &digest))
}

fn digest(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Digest>> {
    Ok(row.get::<_, Option<String>>(column)?.map(Digest::stored))
}

fn run(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        owner: row.get(1)?,
        sandbox: row.get(2)?,
        context: row.get(3)?,
        state: row.get(4)?,
        request: row.get(5)?,
        created: row.get(6)?,
        started: row.get(7)?,
        ended: row.get(8)?,
        calls: row.get(9)?,
        result: row.get(10)?,
        error: row.get(11)?,
        blob: digest(row, 12)?,
    })
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
