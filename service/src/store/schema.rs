//! The directory and the tables.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
    time::Duration,
};

use isolette::Error;
use rusqlite::{Connection, config::DbConfig};

use super::{
    database,
    kept::{self, KeptBytes},
    references,
};

/// Incremented with each change of the tables.
const VERSION: i64 = 5;

/// The tables of version 1.
const TABLES: &str = "
-- `folder` has the files.
CREATE TABLE sandboxes (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT, access TEXT NOT NULL, folder TEXT NOT NULL, spec TEXT NOT NULL,
    metadata TEXT NOT NULL, origin TEXT,
    is_checkpointed INTEGER NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL, idle INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX sandbox_names ON sandboxes (owner, name) WHERE name IS NOT NULL;

-- `blob` is the saved state; NULL before the first one.
CREATE TABLE contexts (
    sandbox TEXT NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE, name TEXT NOT NULL, language TEXT NOT NULL,
    blob TEXT, is_changed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (sandbox, name)
) WITHOUT ROWID;

-- `blob` is the paused program.
CREATE TABLE runs (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, sandbox TEXT, context TEXT, state TEXT NOT NULL, request TEXT NOT NULL,
    created INTEGER NOT NULL, started INTEGER, ended INTEGER, calls TEXT NOT NULL DEFAULT '[]', result TEXT, error TEXT,
    blob TEXT
) WITHOUT ROWID;
CREATE INDEX run_owners ON runs (owner, created);
CREATE INDEX run_sandboxes ON runs (sandbox, created);
CREATE INDEX run_ends ON runs (ended);

CREATE TABLE output (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, number INTEGER NOT NULL, stream INTEGER NOT NULL,
    bytes BLOB NOT NULL, PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE snapshots (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, sandbox TEXT NOT NULL, note TEXT NOT NULL, created INTEGER NOT NULL,
    spec TEXT NOT NULL, contexts TEXT NOT NULL, files TEXT NOT NULL, bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX snapshot_owners ON snapshots (owner, created);

-- How many rows refer to each file.
CREATE TABLE blobs (digest TEXT PRIMARY KEY, uses INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE responses (
    owner TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL,
    created INTEGER NOT NULL, PRIMARY KEY (owner, key)
) WITHOUT ROWID;
";

/// The change to version 3, which drops a column that is not used.
const DROP_UNUSED: &str = "ALTER TABLE contexts DROP COLUMN is_changed;";

/// The change to version 4: the directory that programs of a context begin in.
const ADD_DIRECTORY: &str = "ALTER TABLE contexts ADD COLUMN cwd TEXT NOT NULL DEFAULT '/workspace';";

/// The other change to version 5: why the context of a program that has ended was not saved.
const ADD_WARNING: &str = "ALTER TABLE runs ADD COLUMN warning TEXT;";

/// Makes the directory if it does not exist, and locks it.
pub(super) fn lock(directory: &Path) -> Result<File, Error> {
    let failed = |error| Error::io(format!("cannot keep state in `{}`", directory.display()), error);
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    let found = fs::metadata(directory).map_err(failed)?;
    // The owner of what this process makes is its user.
    let own = tempfile::tempfile_in(directory).map_err(failed)?;
    if found.mode() & 0o077 != 0 || own.metadata().map_err(failed)?.uid() != found.uid() {
        return Err(Error::invalid(
            format!("cannot keep state in `{}`: it is not for this user only", directory.display()),
            "name a directory of your own that others cannot read: `chmod 700`",
        ));
    }
    let mut options = OpenOptions::new();
    let file = options.create(true).write(true).truncate(false).mode(0o600).open(directory.join("lock"));
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::invalid(
            format!("cannot keep state in `{}`: another server uses it", directory.display()),
            "end that server, or name another directory",
        )),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The file of a directory whose content is a copy of what is in a shared store.
const COPY: &str = "copy-of-shared-store";

/// Removes what an earlier process of the same shared store has left, and notes that nothing here has to survive.
pub(super) fn empty_if_shared(directory: &Path, shared: Option<&str>) -> Result<(), Error> {
    let failed = |error| Error::io(format!("cannot keep state in `{}`", directory.display()), error);
    let (marker, database) = (directory.join(COPY), directory.join("service.db"));
    match (shared, marker.exists()) {
        (None, true) => Err(Error::invalid(
            format!("`{}` has copies of what is in a shared store", directory.display()),
            "name that store with `--shared-store`, or another directory",
        )),
        (Some(_), false) if database.exists() => Err(Error::invalid(
            format!("`{}` has sandboxes that are in no shared store", directory.display()),
            "name another directory for a server with a shared store",
        )),
        (None, false) => Ok(()),
        (Some(_), _) => {
            fs::write(&marker, "").map_err(failed)?;
            for name in ["service.db", "service.db-wal", "service.db-shm"] {
                match fs::remove_file(directory.join(name)) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                    _ => {}
                }
            }
            Ok(())
        }
    }
}

/// Opens the database. Makes its tables if it is new, and changes them if they are of an earlier version.
pub(super) fn open(path: &Path, limits: KeptBytes) -> Result<Connection, Error> {
    // The database and its log are for the user alone, as the directory is.
    let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
    opened.map_err(|error| Error::io(format!("cannot open `{}`", path.display()), error))?;
    let connect = || {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        // Else a statement may be prepared again whenever its values are others.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let (counters, of_blobs) = (kept::add_tables(), kept::count_blobs());
        let count_each = [references::TABLE, &of_blobs, references::TAKE_OVER, ADD_WARNING].concat();
        // In their order: a directory of version N gets those from N on.
        let all = [TABLES, &counters, DROP_UNUSED, ADD_DIRECTORY, &count_each];
        let changes = usize::try_from(version).ok().and_then(|version| all.get(version..)).unwrap_or_default().concat();
        if !changes.is_empty() {
            connection.execute_batch(&format!("BEGIN; {changes} PRAGMA user_version = {VERSION}; COMMIT;"))?;
        }
        kept::set_limits(&connection, limits)?;
        Ok((connection, version))
    };
    let (connection, version) = connect().map_err(|error: rusqlite::Error| database(&error))?;
    if version > VERSION {
        return Err(Error::invalid(
            format!("`{}` is of version {version}, and this program uses version {VERSION}", path.display()),
            "use the program that made it, or name another directory",
        ));
    }
    Ok(connection)
}
