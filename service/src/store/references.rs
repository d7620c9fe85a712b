//! The number of rows of each caller that refer to each blob. A blob without references is removed.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, functions::FunctionFlags, params};

use super::{Blobs, Digest};

/// The table, from version 5 on. Triggers of the module `kept` count the bytes.
pub(super) const TABLE: &str = "
CREATE TABLE owned_blobs (
    digest TEXT NOT NULL, owner TEXT NOT NULL, uses INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (digest, owner)
) WITHOUT ROWID;
";

/// The change to version 5: from the number of references of all callers to that of each. The sizes are set by [`set_sizes`].
pub(super) const TAKE_OVER: &str = "
INSERT INTO owned_blobs (digest, owner, uses, bytes) SELECT digest, owner, count(*), 0 FROM (
    SELECT owner, blob AS digest FROM contexts JOIN sandboxes ON sandboxes.id = contexts.sandbox
    UNION ALL SELECT owner, blob FROM runs
    UNION ALL SELECT owner, json_extract(value, '$.blob') FROM snapshots, json_each(snapshots.contexts)
    UNION ALL SELECT owner, json_extract(value, '$.blob') FROM snapshots, json_each(snapshots.files)
) WHERE digest IS NOT NULL GROUP BY digest, owner;
DROP TABLE blobs;
";

/// Lets statements ask for the size of a blob.
pub(super) fn add_size_of_blob(connection: &Connection, blobs: &std::sync::Arc<Blobs>) -> rusqlite::Result<()> {
    let blobs = std::sync::Arc::clone(blobs);
    connection.create_scalar_function("size_of_blob", 1, FunctionFlags::SQLITE_UTF8, move |context| {
        let size = blobs.size(&Digest::stored(context.get(0)?)).unwrap_or(0);
        Ok(i64::try_from(size).unwrap_or(i64::MAX))
    })
}

/// Sets the sizes of blobs that were taken over from an earlier version.
pub(super) fn set_sizes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE owned_blobs SET bytes = size_of_blob(digest) WHERE bytes = 0", []).map(drop)
}

/// Counts a reference of a caller. It belongs into the transaction that makes it.
pub(crate) fn add_reference(connection: &Connection, owner: &str, digest: &Digest) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO owned_blobs (digest, owner, uses, bytes) VALUES (?1, ?2, 1, size_of_blob(?1))
         ON CONFLICT DO UPDATE SET uses = uses + 1",
    )?;
    statement.execute(params![digest.as_str(), owner]).map(drop)
}

/// Counts a reference of a caller no longer. Returns the blob if that was the last one of all: its file can be removed after the
/// transaction.
pub(crate) fn remove_reference(
    connection: &Connection,
    owner: &str,
    digest: &Digest,
) -> rusqlite::Result<Option<Digest>> {
    let mut statement = connection
        .prepare_cached("UPDATE owned_blobs SET uses = uses - 1 WHERE digest = ?1 AND owner = ?2 RETURNING uses")?;
    let uses: Option<i64> = statement.query_row(params![digest.as_str(), owner], |row| row.get(0)).optional()?;
    if uses.is_none_or(|uses| uses > 0) {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached("DELETE FROM owned_blobs WHERE digest = ?1 AND owner = ?2")?;
    statement.execute(params![digest.as_str(), owner])?;
    Ok((!exists(connection, digest)?).then(|| digest.clone()))
}

/// All blobs that have a reference.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<HashSet<String>> {
    connection.prepare("SELECT DISTINCT digest FROM owned_blobs")?.query_map([], |row| row.get(0))?.collect()
}

/// Whether a blob has a reference.
pub(super) fn exists(connection: &Connection, digest: &Digest) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM owned_blobs WHERE digest = ?1")?.exists(params![digest.as_str()])
}

/// Whether a blob has a reference of this caller.
pub(super) fn is_owned(connection: &Connection, owner: &str, digest: &Digest) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM owned_blobs WHERE digest = ?1 AND owner = ?2")?;
    statement.exists(params![digest.as_str(), owner])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::store::{
        KeptBytes, Store, StoredBytes,
        rows::{self, ContextRow, RunRow, SandboxRow, SnapshotRow},
        schema,
    };

    const KEPT: KeptBytes = KeptBytes { runs: u64::MAX, responses: u64::MAX };

    fn open(directory: &Path, of_caller: u64) -> Store {
        let stored = StoredBytes { of_all: 10_000, of_caller: Some(of_caller) };
        Store::open(directory, stored, KEPT, None).unwrap()
    }

    fn sandbox(id: &str, owner: &str) -> SandboxRow {
        SandboxRow {
            id: id.into(),
            owner: owner.into(),
            name: None,
            access: String::new(),
            folder: id.into(),
            spec: "{}".into(),
            metadata: "{}".into(),
            origin: None,
            is_checkpointed: true,
            created: 0,
            expires: i64::MAX,
            idle: 0,
        }
    }

    fn context(sandbox: &str, blob: &Digest) -> ContextRow {
        ContextRow {
            sandbox: sandbox.into(),
            name: "default".into(),
            language: "python".into(),
            cwd: "/workspace".into(),
            blob: Some(blob.clone()),
        }
    }

    async fn save(store: &Store, (sandbox, owner): (&str, &str), bytes: &[u8]) -> Result<(), isolette::Error> {
        let written = store.write(owner, bytes, &mut None).await?;
        let row = context(sandbox, &written.digest);
        let unused = store.change(move |connection| rows::put_context(connection, &row)).await?;
        store.remove_blobs(unused.into_iter().collect()).await;
        Ok(())
    }

    async fn settled(store: &Store) -> u64 {
        // What was posted is done before what is asked next, and what is written is looked at after a change.
        for _ in 0..2 {
            store.change(|_| Ok(())).await.unwrap();
        }
        store.blobs.bytes()
    }

    #[tokio::test]
    async fn each_caller_is_charged_for_what_it_refers_to_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("state"), 1000);
        for (id, owner) in [("a1", "alice"), ("a2", "alice"), ("b1", "bob")] {
            let row = sandbox(id, owner);
            store.change(move |connection| rows::insert_sandbox(connection, &row)).await.unwrap();
        }
        // The same state in both sandboxes of one caller, and in that of another one, is one file.
        for place in [("a1", "alice"), ("a2", "alice"), ("b1", "bob")] {
            save(&store, place, &[1; 600]).await.unwrap();
        }
        assert_eq!(settled(&store).await, 600);
        for owner in ["alice", "bob"] {
            store.blobs.room.check(owner, 400).unwrap();
            assert!(store.blobs.room.check(owner, 401).is_err(), "{owner}");
        }
        // Nothing is left of what has no room.
        assert!(save(&store, ("a1", "alice"), &[2; 401]).await.is_err());
        assert_eq!(settled(&store).await, 600);
        save(&store, ("a1", "alice"), &[3; 400]).await.unwrap();
        assert!(store.blobs.room.check("alice", 1).is_err());
        let unused = store.change(|connection| rows::delete_sandbox(connection, "a2")).await.unwrap();
        assert!(unused.is_empty(), "the other caller has it");
        store.blobs.room.check("alice", 600).unwrap();
        let unused = store.change(|connection| rows::delete_sandbox(connection, "b1")).await.unwrap();
        store.remove_blobs(unused).await;
        assert_eq!(settled(&store).await, 400);
        // One that was written, and that nothing refers to, is removed.
        drop(store.write("bob", &[4; 100], &mut None).await.unwrap());
        assert_eq!(settled(&store).await, 400);
        store.close().await;
        drop(store);
        let store = open(&folder.path().join("state"), 1000);
        store.blobs.room.check("alice", 600).unwrap();
        assert!(store.blobs.room.check("alice", 601).is_err());
        store.blobs.room.check("bob", 1000).unwrap();
    }

    #[tokio::test]
    async fn a_directory_of_version_4_is_charged_to_its_owners() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("state");
        let store = open(&directory, 1000);
        let row = sandbox("a1", "alice");
        store.change(move |connection| rows::insert_sandbox(connection, &row)).await.unwrap();
        save(&store, ("a1", "alice"), &[1; 300]).await.unwrap();
        let file = store.write("bob", &[2; 200], &mut None).await.unwrap();
        let program = store.write("bob", &[3; 100], &mut None).await.unwrap();
        let files = format!(r#"[{{"path": "a", "blob": "{}"}}, {{"path": "b", "blob": null}}]"#, file.digest);
        let snapshot = SnapshotRow {
            id: "snap_1".into(),
            owner: "bob".into(),
            sandbox: "b1".into(),
            note: String::new(),
            created: 0,
            spec: "{}".into(),
            contexts: "[]".into(),
            files,
            bytes: 200,
        };
        let blobs = vec![file.digest.clone()];
        let run = RunRow {
            id: "run_1".into(),
            owner: "bob".into(),
            sandbox: None,
            context: None,
            state: "paused".into(),
            request: "{}".into(),
            created: 0,
            started: None,
            ended: None,
            calls: "[]".into(),
            result: None,
            error: None,
            warning: None,
            blob: Some(program.digest.clone()),
        };
        store
            .change(move |connection| {
                rows::insert_snapshot(connection, &snapshot, &blobs)?;
                rows::put_run(connection, &run).map(drop)
            })
            .await
            .unwrap();
        drop((file, program));
        store.close().await;
        drop(store);
        let connection = schema::open(&directory.join("service.db"), KEPT).unwrap();
        connection
            .execute_batch(
                "DROP TRIGGER blob_added; DROP TRIGGER blob_changed; DROP TRIGGER blob_removed;
                 CREATE TABLE blobs (digest TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;
                 INSERT INTO blobs SELECT digest, uses FROM owned_blobs;
                 DROP TABLE owned_blobs; DELETE FROM kept WHERE what = 2;
                 ALTER TABLE runs DROP COLUMN warning; PRAGMA user_version = 4;",
            )
            .unwrap();
        drop(connection);
        for _ in 0..2 {
            let store = open(&directory, 1000);
            assert_eq!(store.blobs.bytes(), 600);
            for (owner, left) in [("alice", 700), ("bob", 700)] {
                store.blobs.room.check(owner, left).unwrap();
                assert!(store.blobs.room.check(owner, left + 1).is_err(), "{owner}");
            }
            store.close().await;
        }
    }
}
