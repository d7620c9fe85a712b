//! The state that survives the process: a database, and files that are named by the digest of their content.
//!
//! One thread has the database. It takes the changes that wait, makes them in one transaction, and acknowledges them after it is
//! committed: a change that was acknowledged survives if the process is killed, as a whole, and so do changes that belong
//! together. Commits are written to the disk by the system, in its own time: after a loss of power the last ones can be missing,
//! never half of one.

mod blobs;
mod kept;
mod references;
pub(crate) mod responses;
mod room;
pub(crate) mod rows;
mod saved;
mod schema;
mod thread;
mod tree;

use std::{path::Path, sync::Arc};

use isolette::Error;
use rusqlite::Connection;

pub(crate) use self::thread::CLOSED;
pub(crate) use self::{
    blobs::{Blobs, Digest, Written},
    kept::KeptBytes,
    references::{add_reference, remove_reference},
    room::{Reservation, StoredBytes},
    saved::SavedContext,
    tree::{BYTES as FILE_BYTES, StoredTree, TreeEntry, Visited, read_file, visit},
};
use self::{room::Room, thread::Thread};

/// A directory with state, used by this process only. Clones are the same store.
#[derive(Clone)]
pub(crate) struct Store {
    thread: Arc<Thread>,
    pub(crate) blobs: Arc<Blobs>,
}

impl Store {
    /// Opens a directory, which is made if it does not exist, for this user only. If what survives is elsewhere, in `shared`, it
    /// begins empty.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::InvalidArgument`] if another process uses it, other users can read it, it is of another version, or
    /// it has the state of a server that keeps it elsewhere than this one.
    pub(crate) fn open(
        directory: &Path,
        stored: StoredBytes,
        kept: KeptBytes,
        shared: Option<&str>,
    ) -> Result<Self, Error> {
        let lock = schema::lock(directory)?;
        schema::empty_if_shared(directory, shared)?;
        let connection = schema::open(&directory.join("service.db"), kept)?;
        let blobs = Arc::new(Blobs::open(directory, Room::new(stored))?);
        let counted = || {
            references::add_size_of_blob(&connection, &blobs)?;
            references::set_sizes(&connection)?;
            kept::all_blobs(&connection)?.iter().for_each(|(owner, bytes)| blobs.room.set_stored(owner, *bytes));
            references::all(&connection)
        };
        let known = counted().map_err(|error| database(&error))?;
        blobs.keep_only(&known)?;
        let of_thread = Arc::clone(&blobs);
        let committed = move |connection: &Connection| after_commit(connection, &of_thread);
        Ok(Self { thread: Arc::new(Thread::start(connection, lock, Box::new(committed))?), blobs })
    }

    /// Writes a blob for a caller as a whole, unless it exists, into room that was reserved for it. What is missing of that is reserved
    /// now; the rest is given back.
    ///
    /// # Errors
    /// [`Error::Io`], of the kind `StorageFull` if there is no room for it. The room is still reserved then.
    pub(crate) async fn write(
        &self,
        owner: &str,
        bytes: &[u8],
        room: &mut Option<Reservation>,
    ) -> Result<Written, Error> {
        let mut written = self.blobs.pin(bytes);
        if self.blobs.size(&written.digest) == Some(bytes.len() as u64) {
            let (owner, digest) = (owner.to_owned(), written.digest.clone());
            if self.read(move |connection| references::is_owned(connection, &owner, &digest)).await? {
                *room = None;
                return Ok(written);
            }
        }
        let reservation = room.get_or_insert_with(|| self.blobs.room.none(owner));
        reservation.resize(bytes.len() as u64)?;
        self.blobs.put(&mut written, bytes, room)?;
        Ok(written)
    }

    /// Makes changes in one transaction, or none of them, and waits until they are committed.
    ///
    /// # Errors
    /// [`Error::Io`]. Nothing was changed then.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.thread.run(work).await
    }

    /// Reads from the database, after all changes that were requested before.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        self.thread.run(work).await
    }

    /// Makes changes in their turn, and does not wait for them. A failure is logged.
    pub(crate) async fn post(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + 'static) {
        self.thread.post(work).await;
    }

    /// Makes changes together with others, within some milliseconds, and passes the result to `done` once they are committed. What
    /// is read from now on has them. `done` must not block.
    pub(crate) async fn post_deferred<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
        done: impl FnOnce(Result<T, Error>) + Send + 'static,
    ) {
        self.thread.post_deferred(work, done).await;
    }

    /// Removes the files of blobs that have no reference. This is done where changes are made: a reference that another change
    /// adds is then either seen, or its blob is still marked as being written.
    pub(crate) async fn remove_blobs(&self, unused: Vec<Digest>) {
        if unused.is_empty() {
            return;
        }
        let blobs = Arc::clone(&self.blobs);
        let remove = move |connection: &Connection| {
            for digest in unused {
                if !references::exists(connection, &digest)? {
                    blobs.remove(&digest);
                }
            }
            Ok(())
        };
        // What it took is free when this returns, for the next program of the same caller.
        if let Err(error) = self.change(remove).await {
            tracing::error!(%error, "a file that nothing refers to was not removed");
        }
    }

    /// Makes the changes that wait, and closes the database.
    pub(crate) async fn close(&self) {
        self.thread.close().await;
    }
}

/// Counts what callers refer to, and removes blobs that were written and that no change refers to.
fn after_commit(connection: &Connection, blobs: &Blobs) {
    let counted = || {
        for (owner, bytes) in kept::changed_blobs(connection)? {
            blobs.room.set_stored(&owner, bytes);
        }
        for digest in blobs.take_unchecked() {
            if !references::exists(connection, &digest)? {
                blobs.remove(&digest);
            }
        }
        Ok(())
    };
    if let Err(error) = counted() {
        let error: rusqlite::Error = error;
        tracing::error!(%error, "what is stored was not counted");
    }
}

/// An error of the database, for people.
pub(crate) fn database(error: &rusqlite::Error) -> Error {
    let source = match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => std::io::Error::new(
            std::io::ErrorKind::StorageFull,
            format!("{error}\nhint: the disk of the server is full: tell its operator, and try again later"),
        ),
        _ => std::io::Error::other(error.to_string()),
    };
    Error::io("the database of the service failed", source)
}
