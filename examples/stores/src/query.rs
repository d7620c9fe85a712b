//! Queries of a SQLite file.
//!
//! Each query runs on its own thread, which blocks until the program reads more rows, so that a long result takes little
//! memory.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use isolette::{CallContext, Owned};
use rusqlite::{
    Connection, Error, OpenFlags, Row, ffi,
    hooks::{AuthAction, AuthContext, Authorization},
    limits::Limit,
    types::{ToSqlOutput, Value as Sql, ValueRef},
};

isolette::capability!({
    path: "wit",
    interface: "acme:stores/query",
    implementation: Query,
    resources: { rows: Rows },
});

use self::query::{Failure, Value};

/// Maximum number of rows in the channel of a query.
const BUFFER_LIMIT: usize = 16;
/// Maximum number of open queries of all sandboxes.
const OPEN_LIMIT: usize = 16;
/// Maximum number of bytes in a text, blob or row, and approximately in one batch of rows.
const SIZE_LIMIT: usize = 1 << 20;
/// Maximum number of rows in one batch.
const ROWS_LIMIT: usize = 10_000;
/// Instructions of the SQLite virtual machine between two checks for cancellation.
const STEPS: i32 = 10_000;

/// A read-only database that programs can query.
#[derive(Debug)]
pub struct Query {
    path: PathBuf,
    open: Arc<AtomicUsize>,
}

/// The result of a query in progress. Dropping it ends the query.
#[derive(Debug)]
pub struct Rows {
    columns: Vec<String>,
    rows: Mutex<Receiver<Result<Vec<Value>, String>>>,
    _permit: Arc<Permit>,
}

/// A permit for one open query.
#[derive(Debug)]
struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Query {
    /// Opens an existing database. Programs cannot read a text, blob or row that is longer than 1 MiB.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(path: impl AsRef<Path>) -> rusqlite::Result<Self> {
        let path = path.as_ref().to_owned();
        connect(&path)?;
        Ok(Self { path, open: Arc::default() })
    }

    fn permit(&self) -> Result<Permit, Failure> {
        let permit = Permit(Arc::clone(&self.open));
        if self.open.fetch_add(1, Ordering::Relaxed) < OPEN_LIMIT { Ok(permit) } else { Err(Failure::TooManyOpen) }
    }
}

/// Opens a connection that cannot write, and cannot access other files.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, SIZE_LIMIT as i32)?;
    connection.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive | AuthAction::Function { .. } => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }))?;
    Ok(connection)
}

impl query::Query for Query {
    fn ask(&self, context: &CallContext, statement: String, parameters: Vec<Value>) -> Result<Owned<Rows>, Failure> {
        let permit = Arc::new(self.permit()?);
        let (path, context) = (self.path.clone(), context.clone());
        let (head, columns) = sync_channel(1);
        let (body, rows) = sync_channel(BUFFER_LIMIT);
        let alive = Arc::downgrade(&permit);
        thread::spawn(move || run(&path, &statement, parameters, &context, &alive, &head, &body));
        let columns = columns.recv().unwrap_or_else(|_| Err("the query ended without a result".into()));
        let columns = columns.map_err(Failure::Statement)?;
        Ok(Owned::new(Rows { columns, rows: Mutex::new(rows), _permit: permit }))
    }
}

impl query::RowsMethods for Rows {
    fn columns(&self, _: &CallContext) -> Vec<String> {
        self.columns.clone()
    }

    fn next(&self, _: &CallContext, limit: u32) -> Result<Vec<Vec<Value>>, Failure> {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut found, mut size) = (Vec::new(), 0);
        while found.len() < ROWS_LIMIT.min(limit as usize) && size < SIZE_LIMIT {
            let Ok(row) = rows.recv() else { break };
            let row = row.map_err(Failure::Running)?;
            size += row.iter().map(Value::size).sum::<usize>();
            found.push(row);
        }
        Ok(found)
    }
}

/// Runs a query: sends the names of the columns, and then each row while the receiver exists.
fn run(
    path: &Path,
    statement: &str,
    parameters: Vec<Value>,
    context: &CallContext,
    permit: &Weak<Permit>,
    head: &SyncSender<Result<Vec<String>, String>>,
    body: &SyncSender<Result<Vec<Value>, String>>,
) {
    let result = || -> rusqlite::Result<()> {
        let mut connection = connect(path)?;
        let (context, permit) = (context.clone(), Weak::clone(permit));
        // Stop the query if the run was cancelled, or if the program has dropped the result.
        connection.progress_handler(STEPS, Some(move || context.is_cancelled() || permit.strong_count() == 0))?;
        let mut statement = connection.prepare(statement)?;
        let columns: Vec<String> = statement.column_names().map(ToOwned::to_owned).collect();
        let width = columns.len();
        let mut rows = statement.query(rusqlite::params_from_iter(parameters))?;
        let _ = head.send(Ok(columns));
        while let Some(row) = rows.next()? {
            if body.send(Ok(read(row, width)?)).is_err() {
                break;
            }
        }
        Ok(())
    };
    if let Err(error) = result() {
        // The program waits for one of the two.
        let _ = head.try_send(Err(error.to_string()));
        let _ = body.send(Err(error.to_string()));
    }
}

fn read(row: &Row<'_>, width: usize) -> rusqlite::Result<Vec<Value>> {
    let (mut values, mut size) = (Vec::with_capacity(width), 0);
    for column in 0..width {
        let value = match row.get_ref(column)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        };
        size += value.size();
        if size > SIZE_LIMIT {
            let why = format!(
                "a row is larger than {SIZE_LIMIT} bytes\nhint: select less data, such as substr(text, 1, 1000)"
            );
            return Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), Some(why)));
        }
        values.push(value);
    }
    Ok(values)
}

impl Value {
    /// Returns the size in memory, in bytes.
    fn size(&self) -> usize {
        let content = match self {
            Self::Text(text) => text.len(),
            Self::Blob(bytes) => bytes.len(),
            Self::Null | Self::Integer(_) | Self::Real(_) => 0,
        };
        size_of::<Self>() + content
    }
}

impl rusqlite::ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(match self.clone() {
            Self::Null => Sql::Null,
            Self::Integer(number) => Sql::Integer(number),
            Self::Real(number) => Sql::Real(number),
            Self::Text(text) => Sql::Text(text),
            Self::Blob(bytes) => Sql::Blob(bytes),
        }))
    }
}
