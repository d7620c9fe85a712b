//! Rows of each caller that the database keeps for days: records of ended runs with their output, and responses to requests with keys.
//!
//! Triggers count the bytes, so that whatever changes the tables is counted in the same transaction. Output, of which there are many
//! rows, is counted in the row of its run, with which it is removed. The bytes of the blobs that a caller refers to are counted in the
//! same way; their limit is that of the [room](super::room).

use rusqlite::{Connection, OptionalExtension as _, params};

/// Approximate size of a row without its texts, in bytes.
const ROW: u64 = 512;

/// Number of the oldest runs that are deleted at a time.
const DELETED: u32 = 64;

/// Limits for each caller, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptBytes {
    pub(crate) runs: u64,
    pub(crate) responses: u64,
}

/// The kind of rows that is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Responses = 0,
    Runs = 1,
    Blobs = 2,
}

/// Adds the counters to the tables of version 1, with what is in these.
pub(super) fn add_tables() -> String {
    let response = |row: &str| format!("{ROW} + octet_length({row}.body)");
    let run = |row: &str| {
        format!(
            "{ROW} + {row}.output_bytes + octet_length({row}.request) + octet_length({row}.calls) \
             + coalesce(octet_length({row}.result), 0) + coalesce(octet_length({row}.error), 0)"
        )
    };
    let add = |what: What, row: &str, bytes: &str| {
        format!(
            "INSERT INTO kept VALUES ({row}.owner, {}, {bytes})
             ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;",
            what as u8
        )
    };
    let (responses, runs) = (What::Responses as u8, What::Runs as u8);
    [
        "CREATE TABLE kept (
             owner TEXT NOT NULL, what INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (owner, what)
         ) WITHOUT ROWID;
         ALTER TABLE runs ADD COLUMN output_bytes INTEGER NOT NULL DEFAULT 0;
         UPDATE runs SET output_bytes =
             (SELECT coalesce(sum(octet_length(bytes)), 0) FROM output WHERE output.run = runs.id);"
            .into(),
        format!(
            "INSERT INTO kept SELECT owner, {responses}, sum({}) FROM responses GROUP BY owner;",
            response("responses")
        ),
        format!("INSERT INTO kept SELECT owner, {runs}, sum({}) FROM runs GROUP BY owner;", run("runs")),
        trigger("response_added", "INSERT ON responses", &add(What::Responses, "new", &response("new"))),
        trigger(
            "response_removed",
            "DELETE ON responses",
            &add(What::Responses, "old", &format!("-({})", response("old"))),
        ),
        trigger("run_added", "INSERT ON runs", &add(What::Runs, "new", &run("new"))),
        trigger(
            "run_changed",
            "UPDATE ON runs",
            &add(What::Runs, "new", &format!("{} - ({})", run("new"), run("old"))),
        ),
        trigger("run_removed", "DELETE ON runs", &add(What::Runs, "old", &format!("-({})", run("old")))),
    ]
    .concat()
}

/// Adds the counters of blobs to the tables of version 4, with what is in these.
pub(super) fn count_blobs() -> String {
    let add = |row: &str, bytes: &str| {
        format!(
            "INSERT INTO kept VALUES ({row}.owner, {}, {bytes}) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;",
            What::Blobs as u8
        )
    };
    [
        trigger("blob_added", "INSERT ON owned_blobs", &add("new", "new.bytes")),
        trigger("blob_changed", "UPDATE OF bytes ON owned_blobs", &add("new", "new.bytes - old.bytes")),
        trigger("blob_removed", "DELETE ON owned_blobs", &add("old", "-old.bytes")),
    ]
    .concat()
}

fn trigger(name: &str, event: &str, change: &str) -> String {
    format!("CREATE TRIGGER {name} AFTER {event} BEGIN {change} END;\n")
}

/// Sets the limits, for as long as the connection exists.
pub(super) fn set_limits(connection: &Connection, limits: KeptBytes) -> rusqlite::Result<()> {
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.execute_batch("CREATE TEMP TABLE kept_limits (what INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);")?;
    let noted = |name: &str, event: &str| {
        format!(
            "CREATE TEMP TRIGGER {name} AFTER {event} ON main.kept WHEN new.what = {}
             BEGIN INSERT INTO changed_callers VALUES (new.owner) ON CONFLICT DO NOTHING; END;",
            What::Blobs as u8
        )
    };
    connection.execute_batch(&format!(
        "CREATE TEMP TABLE changed_callers (owner TEXT PRIMARY KEY) WITHOUT ROWID; {} {}",
        noted("blobs_first", "INSERT"),
        noted("blobs_changed", "UPDATE")
    ))?;
    for (what, bytes) in [(What::Responses, limits.responses), (What::Runs, limits.runs)] {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        connection.execute("INSERT INTO kept_limits VALUES (?1, ?2)", params![what as u8, bytes])?;
    }
    Ok(())
}

/// The callers whose blobs have changed since the last call, with the bytes of these blobs.
pub(super) fn changed_blobs(connection: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut statement = connection.prepare_cached("DELETE FROM changed_callers RETURNING owner")?;
    let owners: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut statement = connection.prepare_cached("SELECT bytes FROM kept WHERE owner = ?1 AND what = ?2")?;
    let mut bytes = |owner: &String| statement.query_row(params![owner, What::Blobs as u8], |row| row.get::<_, i64>(0));
    owners.into_iter().map(|owner| Ok((owner.clone(), u64::try_from(bytes(&owner)?).unwrap_or(0)))).collect()
}

/// The bytes of the blobs of each caller.
pub(super) fn all_blobs(connection: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    let mut statement = connection.prepare("SELECT owner, bytes FROM kept WHERE what = ?1")?;
    let rows = statement.query_map(params![What::Blobs as u8], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    rows.map(|row| row.map(|(owner, bytes)| (owner, u64::try_from(bytes).unwrap_or(0)))).collect()
}

const REACHED: &str = "SELECT kept.bytes FROM kept JOIN kept_limits USING (what)
     WHERE owner = ?1 AND what = ?2 AND kept.bytes >= kept_limits.bytes";

/// Number of bytes that are kept of a caller, if they reach the limit.
pub(super) fn reached(connection: &Connection, owner: &str, what: What) -> rusqlite::Result<Option<i64>> {
    connection.prepare_cached(REACHED)?.query_row(params![owner, what as u8], |row| row.get(0)).optional()
}

/// Deletes the oldest runs of a caller that have ended, but not this one, until the others are within the limit.
pub(super) fn delete_oldest_runs(connection: &Connection, owner: &str, last: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM runs WHERE id IN (
                   SELECT id FROM runs WHERE owner = ?1 AND id <> ?2 AND ended IS NOT NULL ORDER BY created LIMIT ?3
               )";
    while reached(connection, owner, What::Runs)?.is_some() {
        if connection.prepare_cached(sql)?.execute(params![owner, last, DELETED])? == 0 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;
    use tempfile::TempDir;

    use super::*;
    use crate::store::{
        responses::{self, KeyedResponse},
        rows::{self, OutputRow, RunRow},
        schema,
    };

    fn open(folder: &TempDir, bytes: u64) -> Connection {
        schema::open(&folder.path().join("service.db"), KeptBytes { runs: bytes, responses: bytes }).unwrap()
    }

    fn run(number: i64, is_ended: bool) -> RunRow {
        RunRow {
            id: format!("run_{number}"),
            owner: "alice".into(),
            sandbox: None,
            context: None,
            state: "running".into(),
            request: "ä".repeat(100),
            created: number,
            started: Some(number),
            ended: is_ended.then_some(number),
            calls: "[]".into(),
            result: is_ended.then(|| "r".repeat(1000)),
            error: None,
            warning: None,
            blob: None,
        }
    }

    fn put_response(connection: &Connection, key: &str, length: usize) {
        let response = KeyedResponse { request: "digest".into(), status: 200, body: vec![0; length] };
        responses::put(connection, "alice", key, &response).unwrap();
    }

    fn kept(connection: &Connection, what: What) -> u64 {
        let sql = "SELECT bytes FROM kept WHERE owner = 'alice' AND what = ?1";
        connection
            .query_row(sql, params![what as u8], |row| row.get(0))
            .optional()
            .unwrap()
            .unwrap_or(0_i64)
            .cast_unsigned()
    }

    fn output(number: i64, length: usize) -> OutputRow {
        OutputRow { number, is_stderr: false, bytes: vec![b'x'; length] }
    }

    #[test]
    fn whatever_changes_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder, u64::MAX);
        rows::put_run(&connection, &run(1, false)).unwrap();
        assert_eq!(kept(&connection, What::Runs), ROW + 200 + 2);
        rows::put_output(&connection, "run_1", &[output(0, 10), output(1, 20)]).unwrap();
        rows::put_run_with_output(&connection, &run(1, true), &[output(1, 30)]).unwrap();
        assert_eq!(kept(&connection, What::Runs), ROW + 200 + 2 + 1000 + 40);
        rows::delete_run(&connection, "run_1").unwrap();
        put_response(&connection, "one", 100);
        put_response(&connection, "one", 200);
        put_response(&connection, "two", 300);
        assert_eq!((kept(&connection, What::Runs), kept(&connection, What::Responses)), (0, 2 * ROW + 500));
        connection.execute("DELETE FROM responses", []).unwrap();
        assert_eq!(kept(&connection, What::Responses), 0);
    }

    #[test]
    fn the_oldest_runs_make_room_and_responses_are_not_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder, 10_000);
        rows::put_run(&connection, &run(0, false)).unwrap();
        for number in 1..100 {
            rows::put_run_with_output(&connection, &run(number, true), &[output(0, 100)]).unwrap();
            assert!(kept(&connection, What::Runs) < 10_000 + 2000);
        }
        assert!(rows::find_run(&connection, "alice", "run_0").unwrap().is_some(), "it has not ended");
        assert!(rows::find_run(&connection, "alice", "run_1").unwrap().is_none());
        assert!(rows::find_run(&connection, "alice", "run_99").unwrap().is_some());
        // A run that is larger than the limit is kept until the next one ends.
        rows::put_run_with_output(&connection, &run(100, true), &[output(0, 20_000)]).unwrap();
        assert!(rows::find_run(&connection, "alice", "run_100").unwrap().is_some());
        assert_eq!(responses::reached(&connection, "alice").unwrap(), None);
        put_response(&connection, "one", 20_000);
        assert_eq!(responses::reached(&connection, "alice").unwrap(), Some(20_000 + ROW.cast_signed()));
        assert_eq!(responses::reached(&connection, "bob").unwrap(), None);
    }

    #[test]
    fn other_values_do_not_prepare_a_statement_again() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder, 10_000);
        for number in 0..10 {
            rows::put_run_with_output(&connection, &run(number, true), &[output(0, 100)]).unwrap();
            reached(&connection, &format!("caller {number}"), What::Runs).unwrap();
        }
        let statement = connection.prepare_cached(REACHED).unwrap();
        assert!(statement.get_status(StatementStatus::Run) >= 20);
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }

    #[test]
    fn a_directory_of_version_1_is_counted_once() {
        let folder = tempfile::tempdir().unwrap();
        let connection = open(&folder, u64::MAX);
        rows::put_run_with_output(&connection, &run(1, true), &[output(0, 100), output(1, 50)]).unwrap();
        put_response(&connection, "one", 100);
        let before = (kept(&connection, What::Runs), kept(&connection, What::Responses));
        for name in ["response_added", "response_removed", "run_added", "run_changed", "run_removed"] {
            connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
        }
        for name in ["blob_added", "blob_changed", "blob_removed"] {
            connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
        }
        let back = "DROP TRIGGER temp.blobs_first; DROP TRIGGER temp.blobs_changed; DROP TABLE owned_blobs;
                    CREATE TABLE blobs (digest TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;
                    ALTER TABLE runs DROP COLUMN warning;
                    DROP TABLE kept; ALTER TABLE runs DROP COLUMN output_bytes; PRAGMA user_version = 1;
                    ALTER TABLE contexts DROP COLUMN cwd;
                    ALTER TABLE contexts ADD COLUMN is_changed INTEGER NOT NULL DEFAULT 0;";
        connection.execute_batch(back).unwrap();
        drop(connection);
        for _ in 0..2 {
            let connection = open(&folder, u64::MAX);
            assert_eq!((kept(&connection, What::Runs), kept(&connection, What::Responses)), before);
            rows::put_run(&connection, &run(2, false)).unwrap();
            rows::delete_run(&connection, "run_2").unwrap();
        }
    }
}
