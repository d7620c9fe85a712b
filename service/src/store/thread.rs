//! The thread that has the database.

use std::{fs::File, io::ErrorKind, thread};

use isolette::Error;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::database;

/// Maximum number of changes that wait for the thread; further ones wait to be passed to it.
const WAITING: usize = 1024;

/// Maximum number of changes in one transaction.
const BATCH: usize = 128;

/// The kind of the error of work that came after the database was closed.
pub(crate) const CLOSED: ErrorKind = ErrorKind::NotConnected;

/// Work for the thread, within a transaction. It returns what to do once it is known whether that was committed.
type Job = Box<dyn FnOnce(&mut Connection) -> Acknowledge + Send>;
type Acknowledge = Box<dyn FnOnce(Result<(), &rusqlite::Error>) + Send>;

enum Message {
    Job(Job),
    Close(oneshot::Sender<()>),
}

pub(super) struct Thread {
    messages: mpsc::Sender<Message>,
}

impl Thread {
    /// `lock` is held until the database is closed.
    pub(super) fn start(connection: Connection, lock: File) -> Result<Self, Error> {
        let (messages, received) = mpsc::channel(WAITING);
        thread::Builder::new()
            .name("isolette-store".into())
            .spawn(move || work(connection, received, lock))
            .map_err(|error| Error::io("cannot start the thread of the database", error))?;
        Ok(Self { messages })
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
        let result = connection.savepoint().and_then(|mut savepoint| {
            let result = work(&savepoint);
            match result {
                Ok(result) => savepoint.commit().map(|()| result),
                Err(error) => savepoint.rollback().and(Err(error)),
            }
        });
        Box::new(move |committed| {
            done(match (result, committed) {
                (Err(error), _) => Err(database(&error)),
                (Ok(_), Err(error)) => Err(database(error)),
                (Ok(result), Ok(())) => Ok(result),
            });
        })
    })
}

fn work(mut connection: Connection, mut messages: mpsc::Receiver<Message>, lock: File) {
    let mut closing = None;
    while let Some(message) = messages.blocking_recv() {
        let mut jobs = Vec::new();
        let mut next = Some(message);
        while let Some(message) = next.take() {
            match message {
                Message::Job(job) => jobs.push(job),
                Message::Close(sender) => closing = Some(sender),
            }
            if jobs.len() < BATCH && closing.is_none() {
                next = messages.try_recv().ok();
            }
        }
        transact(&mut connection, jobs);
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

fn transact(connection: &mut Connection, jobs: Vec<Job>) {
    if jobs.is_empty() {
        return;
    }
    let begun = connection.execute_batch("BEGIN IMMEDIATE");
    let acknowledge: Vec<_> = jobs.into_iter().map(|job| job(connection)).collect();
    let committed = begun.and_then(|()| connection.execute_batch("COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    acknowledge.into_iter().for_each(|acknowledge| acknowledge(committed.as_ref().copied()));
}

fn closed() -> Error {
    let source = std::io::Error::new(CLOSED, "the server is being stopped");
    Error::io("the database of the service is closed", source)
}
