//! The rows of sandboxes and contexts.

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};
use serde::{Deserialize, Serialize};

use super::{add_reference, digest, release};
use crate::{clock::Moment, store::Digest};

/// A sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The sandbox or the snapshot that it continues from.
    #[serde(default)]
    pub(crate) origin: Option<String>,
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
    /// The directory that its programs begin in.
    pub(crate) cwd: String,
    pub(crate) blob: Option<Digest>,
}

pub(crate) fn insert_sandbox(connection: &Connection, row: &SandboxRow) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO sandboxes (id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle,
         origin) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    let SandboxRow { id, owner, name, access, folder, spec, metadata, origin, is_checkpointed, created, expires, idle } =
        row;
    let values: [&dyn ToSql; 12] =
        [id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle, origin];
    statement.execute(values.as_slice()).map(drop)
}

const SANDBOX_COLUMNS: &str =
    "id, owner, name, access, folder, spec, metadata, is_checkpointed, created, expires, idle, origin";

pub(crate) fn all_sandboxes(connection: &Connection) -> rusqlite::Result<Vec<SandboxRow>> {
    connection.prepare(&format!("SELECT {SANDBOX_COLUMNS} FROM sandboxes"))?.query_map([], sandbox)?.collect()
}

pub(crate) fn find_sandbox(connection: &Connection, id: &str) -> rusqlite::Result<Option<SandboxRow>> {
    let sql = format!("SELECT {SANDBOX_COLUMNS} FROM sandboxes WHERE id = ?1");
    connection.prepare_cached(&sql)?.query_row(params![id], sandbox).optional()
}

fn sandbox(row: &Row<'_>) -> rusqlite::Result<SandboxRow> {
    Ok(SandboxRow {
        id: row.get(0)?,
        owner: row.get(1)?,
        name: row.get(2)?,
        access: row.get(3)?,
        folder: row.get(4)?,
        spec: row.get(5)?,
        metadata: row.get(6)?,
        is_checkpointed: row.get(7)?,
        created: row.get(8)?,
        expires: row.get(9)?,
        idle: row.get(10)?,
        origin: row.get(11)?,
    })
}

pub(crate) fn set_expiry(connection: &Connection, id: &str, expires: Moment, idle: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE sandboxes SET expires = ?2, idle = ?3 WHERE id = ?1")?;
    statement.execute(params![id, expires, idle]).map(drop)
}

pub(crate) fn set_folder(connection: &Connection, id: &str, folder: &str) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("UPDATE sandboxes SET folder = ?2 WHERE id = ?1")?;
    statement.execute(params![id, folder]).map(drop)
}

fn owner_of(connection: &Connection, id: &str) -> rusqlite::Result<Option<String>> {
    let mut statement = connection.prepare_cached("SELECT owner FROM sandboxes WHERE id = ?1")?;
    statement.query_row(params![id], |row| row.get(0)).optional()
}

/// Deletes a sandbox with its contexts. Returns the blobs that have no reference any more.
pub(crate) fn delete_sandbox(connection: &Connection, id: &str) -> rusqlite::Result<Vec<Digest>> {
    let Some(owner) = owner_of(connection, id)? else { return Ok(Vec::new()) };
    let mut unused = Vec::new();
    for context in contexts_of(connection, id)? {
        unused.extend(release(connection, &owner, context.blob)?);
    }
    connection.prepare_cached("DELETE FROM sandboxes WHERE id = ?1")?.execute(params![id])?;
    Ok(unused)
}

/// Writes a context, and counts the reference to its blob. Returns the blob that it had, if nothing refers to it any more.
pub(crate) fn put_context(connection: &Connection, row: &ContextRow) -> rusqlite::Result<Option<Digest>> {
    let ContextRow { sandbox, name, language, cwd, blob } = row;
    let before = connection
        .prepare_cached("SELECT blob FROM contexts WHERE sandbox = ?1 AND name = ?2")?
        .query_row(params![sandbox, name], |row| digest(row, 0))
        .optional()?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO contexts (sandbox, name, language, blob, cwd) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (sandbox, name) DO UPDATE SET language = ?3, blob = ?4, cwd = ?5",
    )?;
    statement.execute(params![sandbox, name, language, blob.as_ref().map(Digest::as_str), cwd])?;
    // A context without a sandbox was refused by now.
    let Some(owner) = owner_of(connection, sandbox)? else { return Ok(None) };
    if let Some(digest) = blob {
        add_reference(connection, &owner, digest)?;
    }
    release(connection, &owner, before.flatten())
}

/// Adds a context without a state, unless the sandbox was deleted or has it.
pub(crate) fn add_context(connection: &Connection, row: &ContextRow) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO contexts (sandbox, name, language, cwd) SELECT id, ?2, ?3, ?4 FROM sandboxes WHERE id = ?1
         ON CONFLICT (sandbox, name) DO NOTHING",
    )?;
    statement.execute(params![row.sandbox, row.name, row.language, row.cwd]).map(drop)
}

/// Deletes a context. Returns its blob, if nothing refers to it any more.
pub(crate) fn delete_context(connection: &Connection, sandbox: &str, name: &str) -> rusqlite::Result<Option<Digest>> {
    let mut statement =
        connection.prepare_cached("DELETE FROM contexts WHERE sandbox = ?1 AND name = ?2 RETURNING blob")?;
    let blob = statement.query_row(params![sandbox, name], |row| digest(row, 0)).optional()?;
    let Some(owner) = owner_of(connection, sandbox)? else { return Ok(None) };
    release(connection, &owner, blob.flatten())
}

pub(crate) fn contexts_of(connection: &Connection, sandbox: &str) -> rusqlite::Result<Vec<ContextRow>> {
    let mut statement =
        connection.prepare_cached("SELECT sandbox, name, language, blob, cwd FROM contexts WHERE sandbox = ?1")?;
    let rows = statement.query_map(params![sandbox], |row| {
        let (sandbox, name, language, cwd) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?);
        Ok(ContextRow { sandbox, name, language, cwd, blob: digest(row, 3)? })
    })?;
    rows.collect()
}
