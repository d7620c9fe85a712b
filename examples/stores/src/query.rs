//! Questions to a SQLite file.
//!
//! Each answer is made on a thread of its own and waits there until somebody reads on, so that a long one takes no memory.

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
    serve: Query,
    resources: { rows: Rows },
});

use self::query::{Failure, Value};

/// Rows that wait to be read.
const AHEAD: usize = 16;
/// Answers that are open at the same time, whoever asked.
const OPEN_LIMIT: usize = 16;
/// Bytes of a text or blob, of a row, and, about, of all rows that are handed out together.
const SIZE_LIMIT: usize = 1 << 20;
/// Rows that are handed out together, however small.
const ROWS_LIMIT: usize = 10_000;
/// Steps of SQLite's machine between two looks at whether anybody still waits.
const STEPS: i32 = 10_000;

/// A database that programs can ask and not change.
#[derive(Debug)]
pub struct Query {
    path: PathBuf,
    open: Arc<AtomicUsize>,
}

/// An answer under way. When it is dropped, so is the rest of it.
#[derive(Debug)]
pub struct Rows {
    columns: Vec<String>,
    rows: Mutex<Receiver<Result<Vec<Value>, String>>>,
    _place: Arc<Place>,
}

/// One of the answers that may be open.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Query {
    /// Takes a database that is there. Programs can read no text or blob in it that is longer than a mebibyte, and no row.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> rusqlite::Result<Self> {
        let path = path.as_ref().to_owned();
        connect(&path)?;
        Ok(Self { path, open: Arc::default() })
    }

    fn place(&self) -> Result<Place, Failure> {
        let place = Place(Arc::clone(&self.open));
        if self.open.fetch_add(1, Ordering::Relaxed) < OPEN_LIMIT { Ok(place) } else { Err(Failure::TooManyOpen) }
    }
}

/// Nothing that is reached by this can be written, and no other file can be reached.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, SIZE_LIMIT as i32)?;
    connection.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive | AuthAction::Function { .. } => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }));
    Ok(connection)
}

impl query::Query for Query {
    fn ask(&self, context: &CallContext, statement: String, parameters: Vec<Value>) -> Result<Owned<Rows>, Failure> {
        let place = Arc::new(self.place()?);
        let (path, context) = (self.path.clone(), context.clone());
        let (head, columns) = sync_channel(1);
        let (body, rows) = sync_channel(AHEAD);
        let alive = Arc::downgrade(&place);
        thread::spawn(move || answer(&path, &statement, parameters, &context, &alive, &head, &body));
        let columns = columns.recv().unwrap_or_else(|_| Err("the answer was given up".into()));
        let columns = columns.map_err(Failure::Statement)?;
        Ok(Owned::new(Rows { columns, rows: Mutex::new(rows), _place: place }))
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

/// Sends the names of the columns, and then row after row as long as somebody takes them.
fn answer(
    path: &Path,
    statement: &str,
    parameters: Vec<Value>,
    context: &CallContext,
    place: &Weak<Place>,
    head: &SyncSender<Result<Vec<String>, String>>,
    body: &SyncSender<Result<Vec<Value>, String>>,
) {
    let answered = || -> rusqlite::Result<()> {
        let connection = connect(path)?;
        let (context, place) = (context.clone(), Weak::clone(place));
        // Nobody waits any more: the program's time is over, or it let go of the answer.
        connection.progress_handler(STEPS, Some(move || context.is_cancelled() || place.strong_count() == 0));
        let mut statement = connection.prepare(statement)?;
        let columns: Vec<String> = statement.column_names().into_iter().map(ToOwned::to_owned).collect();
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
    if let Err(error) = answered() {
        // Whichever of the two is still waited for.
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
                "a row is larger than {SIZE_LIMIT} bytes\nhint: select less of it, such as substr(text, 1, 1000)"
            );
            return Err(Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), Some(why)));
        }
        values.push(value);
    }
    Ok(values)
}

impl Value {
    /// In bytes of memory.
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
