//! The thread that has the database.

use std::{
    fs::File,
    io::ErrorKind,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use isolette::Error;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::database;

/// Maximum number of changes that wait for the thread; further ones wait to be passed to it.
const WAITING: usize = 1024;

/// Maximum number of changes in one transaction.
const BATCH: usize = 128;

/// Delay of changes that no caller waits for, so that they are made together with others.
const TOGETHER: Duration = Duration::from_millis(10);

/// The kind of the error of work that came after the database was closed.
pub(crate) const CLOSED: ErrorKind = ErrorKind::NotConnected;

/// Work for the thread, within a transaction. It returns what to do once it is known whether that was committed.
type Job = Box<dyn FnOnce(Transaction<'_>) -> Acknowledge + Send>;
/// The connection within a transaction, or why there is none.
type Transaction<'a> = Result<&'a mut Connection, Error>;
type Acknowledge = Box<dyn FnOnce(Result<(), &rusqlite::Error>) + Send>;

/// Called after each transaction that was committed, before its changes are acknowledged.
pub(super) type Committed = Box<dyn Fn(&Connection) + Send>;

enum Message {
    Job(Job),
    /// There are jobs that no caller waits for.
    Deferred,
    Close(oneshot::Sender<()>),
}

pub(super) struct Thread {
    messages: mpsc::Sender<Message>,
    deferred: Arc<Deferred>,
}

/// Jobs that no caller waits for. They are in the next transaction.
#[derive(Default)]
struct Deferred(Mutex<Vec<Job>>);

impl Deferred {
    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. Returns how many there are.
    fn add(&self, job: Job) -> usize {
        let mut jobs = self.lock();
        jobs.push(job);
        jobs.len()
    }
}

impl Thread {
    /// `lock` is held until the database is closed.
    pub(super) fn start(connection: Connection, lock: File, committed: Committed) -> Result<Self, Error> {
        let (messages, received) = mpsc::channel(WAITING);
        let deferred = Arc::new(Deferred::default());
        let jobs = Arc::clone(&deferred);
        thread::Builder::new()
            .name("isolette-store".into())
            .spawn(move || work(connection, received, &jobs, lock, &committed))
            .map_err(|error| Error::io("cannot start the thread of the database", error))?;
        Ok(Self { messages, deferred })
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let (sender, answer) = oneshot::channel();
        let job = job(work, move |result| {
            let _ = sender.send(result);
        });
        self.messages.send(Message::Job(job)).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    pub(super) async fn post(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static) {
        let job = job(work, |result: Result<(), Error>| {
            if let Err(error) = result {
                tracing::error!(%error, "a change was not stored");
            }
        });
        if self.messages.send(Message::Job(job)).await.is_err() {
            tracing::error!("a change was not stored: the database is closed");
        }
    }

    pub(super) async fn post_deferred<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        done: impl FnOnce(Result<T, Error>) + Send + 'static,
    ) {
        let (messages, deferred) = (self.messages.clone(), Arc::clone(&self.deferred));
        let tell = async move {
            if messages.send(Message::Deferred).await.is_err() {
                deferred.lock().clear();
                tracing::error!("changes were not stored: the database is closed");
            }
        };
        match self.deferred.add(job(work, done)) {
            1 => {
                tokio::spawn(async move {
                    tokio::time::sleep(TOGETHER).await;
                    tell.await;
                });
            }
            count if count >= BATCH => tell.await,
            _ => {}
        }
    }

    pub(super) async fn close(&self) {
        let (sender, closed) = oneshot::channel();
        if self.messages.send(Message::Close(sender)).await.is_ok() {
            let _ = closed.await;
        }
    }
}

/// Makes changes that are all made or none, beside others of the same transaction.
fn job<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    done: impl FnOnce(Result<T, Error>) + Send + 'static,
) -> Job {
    Box::new(move |connection| {
        let result =
            connection.and_then(|connection| within_savepoint(connection, work).map_err(|error| database(&error)));
        Box::new(move |committed| {
            done(match (result, committed) {
                (Err(error), _) => Err(error),
                (Ok(_), Err(error)) => Err(database(error)),
                (Ok(result), Ok(())) => Ok(result),
            });
        })
    })
}

fn within_savepoint<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let mut savepoint = connection.savepoint()?;
    match work(&savepoint) {
        Ok(result) => savepoint.commit().map(|()| result),
        Err(error) => {
            // If the disk is full, the whole transaction can be rolled back already. The first error is the cause.
            let _ = savepoint.rollback();
            Err(error)
        }
    }
}

fn work(
    mut connection: Connection,
    mut messages: mpsc::Receiver<Message>,
    deferred: &Deferred,
    lock: File,
    committed: &Committed,
) {
    let mut closing = None;
    while let Some(message) = messages.blocking_recv() {
        let mut jobs = Vec::new();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            match message {
                Message::Job(job) => jobs.push(job),
                Message::Deferred => {}
                Message::Close(sender) => closing = Some(sender),
            }
            if jobs.len() < BATCH && closing.is_none() {
                next = messages.try_recv().ok();
            }
        }
        // They were requested before, or do not depend on the others.
        let mut first = mem::take(&mut *deferred.lock());
        first.append(&mut jobs);
        transact(&mut connection, first, committed);
        if closing.is_some() {
            break;
        }
    }
    if let Err((_, error)) = connection.close() {
        tracing::error!(%error, "the database was not closed");
    }
    drop(lock);
    if let Some(closed) = closing {
        let _ = closed.send(());
    }
}

fn transact(connection: &mut Connection, jobs: Vec<Job>, after: &Committed) {
    if jobs.is_empty() {
        return;
    }
    let begun = connection.execute_batch("BEGIN IMMEDIATE");
    let mut acknowledge = Vec::new();
    for job in jobs {
        acknowledge.push(match &begun {
            Err(error) => job(Err(database(error))),
            // Outside of the transaction a change would be committed, and reported as failed with those before it.
            Ok(()) if connection.is_autocommit() => job(Err(rolled_back())),
            Ok(()) => job(Ok(&mut *connection)),
        });
    }
    let committed = begun.and_then(|()| connection.execute_batch("COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    if committed.is_ok() {
        after(connection);
    }
    acknowledge.into_iter().for_each(|acknowledge| acknowledge(committed.as_ref().copied()));
}

fn rolled_back() -> Error {
    let source = std::io::Error::other("a change before this one has failed\nhint: try again");
    Error::io("the database of the service has made no changes", source)
}

fn closed() -> Error {
    let source = std::io::Error::new(CLOSED, "the server is being stopped");
    Error::io("the database of the service is closed", source)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn start(path: &Path) -> Thread {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch("CREATE TABLE IF NOT EXISTS numbers (number INTEGER)").unwrap();
        Thread::start(connection, tempfile::tempfile().unwrap(), Box::new(|_| {})).unwrap()
    }

    async fn count(thread: &Thread) -> u32 {
        let count =
            |connection: &Connection| connection.query_row("SELECT count(*) FROM numbers", [], |row| row.get(0));
        thread.run(count).await.unwrap()
    }

    fn insert(number: u32) -> impl FnOnce(&Connection) -> rusqlite::Result<usize> + Send {
        move |connection| connection.execute("INSERT INTO numbers VALUES (?1)", [number])
    }

    #[tokio::test]
    async fn deferred_changes_are_visible_to_the_next_read_and_after_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.db");
        let thread = start(&path);
        for number in 0..10 {
            thread.post_deferred(insert(number), |_| {}).await;
            assert_eq!(count(&thread).await, number + 1);
        }
        thread.post_deferred(insert(10), |_| {}).await;
        thread.close().await;
        assert_eq!(count(&start(&path)).await, 11);
    }

    #[test]
    fn a_change_after_one_that_ended_the_transaction_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let mut connection = Connection::open(folder.path().join("numbers.db")).unwrap();
        connection.execute_batch("CREATE TABLE numbers (number INTEGER)").unwrap();
        let (sender, results) = std::sync::mpsc::channel();
        let change = |sql: &'static str| {
            let sender = sender.clone();
            let work = move |connection: &Connection| connection.execute_batch(sql);
            job(work, move |result: Result<(), Error>| sender.send(result.is_ok()).unwrap())
        };
        // As SQLite does where the disk is full.
        let insert = "INSERT INTO numbers VALUES (1)";
        let committed: Committed = Box::new(|_| {});
        transact(&mut connection, vec![change(insert), change("ROLLBACK; wrong"), change(insert)], &committed);
        assert_eq!(results.try_iter().collect::<Vec<_>>(), [false, false, false]);
        let count: i64 = connection.query_row("SELECT count(*) FROM numbers", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 0);
    }

    #[tokio::test]
    async fn deferred_changes_are_made_without_others_and_one_that_fails_alone() {
        let folder = tempfile::tempdir().unwrap();
        let thread = start(&folder.path().join("numbers.db"));
        let (sender, mut done) = mpsc::channel(3 * BATCH);
        for number in 0..2 * BATCH {
            let sender = sender.clone();
            let work = move |connection: &Connection| {
                let wrong = number == BATCH / 2;
                connection.execute(if wrong { "wrong" } else { "INSERT INTO numbers VALUES (1)" }, [])
            };
            thread.post_deferred(work, move |result| sender.try_send(result.is_ok()).unwrap()).await;
        }
        let mut succeeded = 0;
        for _ in 0..2 * BATCH {
            succeeded += usize::from(done.recv().await.unwrap());
        }
        assert_eq!((succeeded, count(&thread).await as usize), (2 * BATCH - 1, 2 * BATCH - 1));
    }
}
