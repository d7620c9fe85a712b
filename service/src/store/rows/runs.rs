//! The rows of runs and of their output.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::{add_reference, digest, release};
use crate::{
    clock::Moment,
    store::{Digest, kept},
};

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// [`ErrorDetail`](crate::failure::ErrorDetail) as JSON.
    #[serde(default)]
    pub(crate) warning: Option<String>,
    pub(crate) blob: Option<Digest>,
}

/// A part of the output of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputRow {
    pub(crate) number: i64,
    pub(crate) is_stderr: bool,
    #[serde(with = "base64_text")]
    pub(crate) bytes: Vec<u8>,
}

const RUN_COLUMNS: &str =
    "id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, blob, warning";

/// The length of the texts of a run.
const RUN_BYTES: &str = "512 + octet_length(request) + octet_length(calls) + coalesce(octet_length(result), 0)
    + coalesce(octet_length(error), 0)";

/// Writes a run, in place of what was known of it, and counts the reference to its blob. Returns the blob that it had, if nothing
/// refers to it any more.
pub(crate) fn put_run(connection: &Connection, row: &RunRow) -> rusqlite::Result<Option<Digest>> {
    write_run(connection, row, 0).map(|(_, unused)| unused)
}

/// Writes a run as [`put_run`] does, with further output. The end of a run makes room for it: the oldest of its owner are deleted
/// where too much is kept.
pub(crate) fn put_run_with_output(
    connection: &Connection,
    row: &RunRow,
    parts: &[OutputRow],
) -> rusqlite::Result<Vec<Digest>> {
    let (is_new, unused) = write_run(connection, row, bytes_of(parts))?;
    if is_new {
        write_output(connection, &row.id, parts)?;
    } else {
        put_output(connection, &row.id, parts)?;
    }
    if row.ended.is_some() {
        kept::delete_oldest_runs(connection, &row.owner, &row.id)?;
    }
    Ok(unused.into_iter().collect())
}

/// Writes a run as [`put_run`] does, with the length of its output if it is new. Returns whether it is.
fn write_run(connection: &Connection, row: &RunRow, output_bytes: i64) -> rusqlite::Result<(bool, Option<Digest>)> {
    let before = connection
        .prepare_cached("SELECT blob FROM runs WHERE id = ?1")?
        .query_row(params![row.id], |row| digest(row, 0))
        .optional()?;
    // An insertion in place of the row would delete its output.
    let mut statement = connection.prepare_cached(
        "INSERT INTO runs
             (id, owner, sandbox, context, state, request, created, started, ended, calls, result, error, blob, output_bytes,
             warning)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         ON CONFLICT (id) DO UPDATE SET state = ?5, started = ?8, ended = ?9, calls = ?10, result = ?11, error = ?12, blob = ?13,
             warning = ?15",
    )?;
    let RunRow {
        id,
        owner,
        sandbox,
        context,
        state,
        request,
        created,
        started,
        ended,
        calls,
        result,
        error,
        warning,
        blob,
    } = row;
    let digest = blob.as_ref().map(Digest::as_str);
    statement.execute(params![
        id,
        owner,
        sandbox,
        context,
        state,
        request,
        created,
        started,
        ended,
        calls,
        result,
        error,
        digest,
        output_bytes,
        warning
    ])?;
    if let Some(digest) = blob {
        add_reference(connection, owner, digest)?;
    }
    Ok((before.is_none(), release(connection, owner, before.flatten())?))
}

/// Writes output of a run, in place of parts that have the same numbers, and counts it.
pub(crate) fn put_output(connection: &Connection, run: &str, parts: &[OutputRow]) -> rusqlite::Result<()> {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Ok(()) };
    let before: i64 = connection
        .prepare_cached(
            "SELECT coalesce(sum(octet_length(bytes)), 0) FROM output WHERE run = ?1 AND number BETWEEN ?2 AND ?3",
        )?
        .query_row(params![run, first.number, last.number], |row| row.get(0))?;
    write_output(connection, run, parts)?;
    let more = bytes_of(parts).saturating_sub(before);
    let mut count = connection.prepare_cached("UPDATE runs SET output_bytes = output_bytes + ?2 WHERE id = ?1")?;
    count.execute(params![run, more]).map(drop)
}

/// Writes output of a run, in place of parts that have the same numbers. Its length is counted elsewhere.
fn write_output(connection: &Connection, run: &str, parts: &[OutputRow]) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO output (run, number, stream, bytes) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET stream = ?3, bytes = ?4",
    )?;
    for OutputRow { number, is_stderr, bytes } in parts {
        statement.execute(params![run, number, is_stderr, bytes])?;
    }
    Ok(())
}

fn bytes_of(parts: &[OutputRow]) -> i64 {
    let bytes: usize = parts.iter().map(|part| part.bytes.len()).sum();
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

pub(crate) fn output_of(connection: &Connection, run: &str) -> rusqlite::Result<Vec<OutputRow>> {
    let mut statement =
        connection.prepare_cached("SELECT number, stream, bytes FROM output WHERE run = ?1 ORDER BY number")?;
    let rows = statement.query_map(params![run], |row| {
        Ok(OutputRow { number: row.get(0)?, is_stderr: row.get(1)?, bytes: row.get(2)? })
    })?;
    rows.collect()
}

/// At most `limit` bytes of the output of a run from an offset, of one stream or of both.
pub(crate) fn output_part(
    connection: &Connection,
    run: &str,
    is_stderr: Option<bool>,
    offset: u64,
    limit: usize,
) -> rusqlite::Result<Vec<u8>> {
    let mut statement = connection
        .prepare_cached("SELECT bytes FROM output WHERE run = ?1 AND (?2 IS NULL OR stream = ?2) ORDER BY number")?;
    let mut rows = statement.query(params![run, is_stderr])?;
    let (mut skipped, mut found) = (offset, Vec::new());
    while let Some(row) = rows.next()?
        && found.len() < limit
    {
        let bytes = row.get_ref(0)?.as_blob()?;
        let skip = usize::try_from(skipped).unwrap_or(usize::MAX).min(bytes.len());
        skipped -= skip as u64;
        let rest = &bytes[skip..];
        found.extend_from_slice(&rest[..rest.len().min(limit - found.len())]);
    }
    Ok(found)
}

/// The bytes of the row of a run, without its output. `None` if it does not exist.
pub(crate) fn run_bytes(connection: &Connection, owner: &str, id: &str) -> rusqlite::Result<Option<u64>> {
    let sql = format!("SELECT {RUN_BYTES} FROM runs WHERE owner = ?1 AND id = ?2");
    let bytes =
        connection.prepare_cached(&sql)?.query_row(params![owner, id], |row| row.get::<_, i64>(0)).optional()?;
    Ok(bytes.map(|bytes| u64::try_from(bytes).unwrap_or(0)))
}

/// The bytes of the rows of runs that [`runs_of`] returns.
pub(crate) fn runs_bytes(
    connection: &Connection,
    owner: &str,
    sandbox: Option<&str>,
    limit: u32,
) -> rusqlite::Result<u64> {
    let filter = if sandbox.is_some() { "AND sandbox = ?3" } else { "AND ?3 IS NULL" };
    let sql = format!(
        "SELECT coalesce(sum(bytes), 0) FROM (
             SELECT {RUN_BYTES} AS bytes FROM runs WHERE owner = ?1 {filter} ORDER BY created DESC LIMIT ?2
         )"
    );
    let bytes: i64 = connection.prepare_cached(&sql)?.query_row(params![owner, limit, sandbox], |row| row.get(0))?;
    Ok(u64::try_from(bytes).unwrap_or(0))
}

/// The bytes of the output of a run.
pub(crate) fn output_bytes(connection: &Connection, run: &str) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT output_bytes FROM runs WHERE id = ?1")?;
    let bytes: Option<i64> = statement.query_row(params![run], |row| row.get(0)).optional()?;
    Ok(u64::try_from(bytes.unwrap_or(0)).unwrap_or(0))
}

pub(crate) fn find_run(connection: &Connection, owner: &str, id: &str) -> rusqlite::Result<Option<RunRow>> {
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE owner = ?1 AND id = ?2");
    connection.prepare_cached(&sql)?.query_row(params![owner, id], run).optional()
}

/// The runs of a caller, the latest first, each as `of` makes it of the row.
pub(crate) fn runs_of<T>(
    connection: &Connection,
    owner: &str,
    sandbox: Option<&str>,
    limit: u32,
    of: impl Fn(RunRow) -> T,
) -> rusqlite::Result<Vec<T>> {
    let filter = if sandbox.is_some() { "AND sandbox = ?3" } else { "AND ?3 IS NULL" };
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE owner = ?1 {filter} ORDER BY created DESC LIMIT ?2");
    connection.prepare_cached(&sql)?.query_map(params![owner, limit, sandbox], |row| run(row).map(&of))?.collect()
}

/// The runs that have not ended.
pub(crate) fn unfinished_runs(connection: &Connection) -> rusqlite::Result<Vec<RunRow>> {
    let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE ended IS NULL ORDER BY created");
    connection.prepare(&sql)?.query_map([], run)?.collect()
}

/// Deletes a run that was not accepted.
pub(crate) fn delete_run(connection: &Connection, id: &str) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM runs WHERE id = ?1")?.execute(params![id]).map(drop)
}

/// Deletes runs that ended before a moment, at most 1,000. Returns how many.
pub(crate) fn delete_runs(connection: &Connection, before: Moment) -> rusqlite::Result<usize> {
    let sql = "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended < ?1 LIMIT 1000)";
    connection.prepare_cached(sql)?.execute(params![before])
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
        warning: row.get(13)?,
    })
}

/// Bytes as text in JSON.
mod base64_text {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}
