//! State that outlives the server: programs that wait for approval, and tasks, as files in one directory.
//!
//! | file | contents |
//! |---|---|
//! | `lock` | locked by the server that uses the directory |
//! | `*.json` | a [`Record`]: a task, or a program whose question is in a response |
//! | `*.run` | a paused program, which one of the records names |
//!
//! The state of a program is removed before the program goes on, and the program does not go on if this fails. If the server ends
//! in between, the program is lost; its calls are never made twice.

mod files;
mod quantities;
mod record;

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use isolette::{Error, PausedRun, SavedRun, SnapshotKey};

use self::quantities::Quantities;
pub(super) use self::{
    quantities::StateLimits,
    record::{Finished, Origin, Program, Record, Subject, TaskFacts, TaskStage},
};
use super::handles::chance;

/// A directory with state, used by this server only.
pub(super) struct State {
    directory: PathBuf,
    /// Held as long as the server runs.
    _lock: fs::File,
    key: SnapshotKey,
    /// The programs that wait.
    programs: Quantities,
    /// The names of the records of tasks.
    tasks: Mutex<HashSet<String>>,
    /// Whether all records are taken over: before that, a task that is not known may be one of them.
    is_taken_over: AtomicBool,
    /// Held while a record is written or removed, from before it is known what it says.
    order: tokio::sync::Mutex<()>,
    /// Number of changes that are being written.
    changing: AtomicUsize,
    /// Set when the server ends: what is in the directory then stays as it is.
    closed: AtomicBool,
}

/// The location of a paused program.
pub(super) enum Paused {
    /// In the file of this name, and nowhere else.
    File(String, Changing),
    /// In this process: it cannot be saved.
    Here(Box<PausedRun>),
}

/// A change that is not in the directory yet: the server does not end before it is.
pub(super) struct Changing(Arc<State>);

impl Drop for Changing {
    fn drop(&mut self) {
        self.0.changing.fetch_sub(1, Ordering::AcqRel);
    }
}

impl State {
    /// Opens a directory, which is made if it does not exist, and returns the records in it and why others cannot be used.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::InvalidArgument`] if another server uses the directory or other users can read it.
    pub(super) fn open(directory: &Path, limits: StateLimits) -> Result<(Self, Vec<Record>, Vec<String>), Error> {
        let lock = files::lock(directory)?;
        let files::Found { records, programs, refused } = files::read(directory)?;
        let tasks = records.iter().filter(|record| record.is_task()).map(|record| record.name.clone()).collect();
        let state = Self {
            directory: directory.to_owned(),
            _lock: lock,
            key: SnapshotKey::of_user()?,
            programs: Quantities::new(limits, programs),
            tasks: Mutex::new(tasks),
            is_taken_over: AtomicBool::new(false),
            order: tokio::sync::Mutex::default(),
            changing: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        };
        Ok((state, records, refused))
    }

    /// Leaves the directory as it is from now on.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Begins a change. The server waits for it to be dropped before it ends.
    pub(super) fn change(self: &Arc<Self>) -> Changing {
        self.changing.fetch_add(1, Ordering::AcqRel);
        Changing(Arc::clone(self))
    }

    /// Number of changes that are not in the directory yet.
    pub(super) fn changing(&self) -> usize {
        self.changing.load(Ordering::Acquire)
    }

    /// Counts a program that has not begun and waits for approval. Returns whether there is room for it.
    pub(super) fn admit(&self, name: &str, bytes: u64) -> bool {
        self.programs.add(name, bytes)
    }

    /// No longer counts a program.
    pub(super) fn dismiss(&self, name: &str) {
        self.programs.remove(name);
    }

    /// Moves a paused program to a file. `None` if the process is ending.
    pub(super) async fn save(self: &Arc<Self>, mut paused: PausedRun) -> Option<Paused> {
        let (state, change) = (Arc::clone(self), self.change());
        let work = move || match state.save_now(&mut paused) {
            Ok(name) => Paused::File(name, change),
            Err(reason) => {
                tracing::warn!("a program that waits for approval would not survive the server: {reason}");
                paused.forget_file();
                Paused::Here(Box::new(paused))
            }
        };
        tokio::task::spawn_blocking(work).await.ok()
    }

    fn save_now(&self, paused: &mut PausedRun) -> Result<String, String> {
        let name = format!("{}{}", chance(), files::PROGRAM);
        let full = |bytes: u64| format!("there is no room for its {bytes} bytes beside those that wait already");
        // Counted before it is written, and with its size afterwards.
        if !self.programs.add(&name, 1) {
            return Err(full(1));
        }
        let bytes = paused.to_bytes(&self.key).map_err(|error| error.to_string());
        let saved = bytes.and_then(|bytes| {
            if !self.programs.add(&name, bytes.len() as u64) {
                return Err(full(bytes.len() as u64));
            }
            files::write(&self.directory, &name, &bytes).map_err(|error| error.to_string())
        });
        match saved {
            Ok(()) => Ok(name),
            Err(reason) => {
                self.programs.remove(&name);
                Err(reason)
            }
        }
    }

    /// Loads a paused program.
    pub(super) async fn load(self: &Arc<Self>, name: &str) -> Result<SavedRun, Error> {
        let (state, name) = (Arc::clone(self), name.to_owned());
        let work = move || SavedRun::load_with(state.directory.join(name), &state.key);
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ending()))
    }

    /// Removes the file of a paused program, before it goes on or because it never will.
    ///
    /// # Errors
    /// [`Error::Io`]: it must not go on then.
    pub(super) async fn remove_program(self: &Arc<Self>, name: &str) -> Result<(), Error> {
        self.remove_file(name.to_owned()).await?;
        self.programs.remove(name);
        Ok(())
    }

    /// Writes a record, in place of an earlier one of the same name. `record` is called once no other record is being written; if it
    /// returns `None`, nothing is written. A failure is logged, and is an error for callers that rely on the record.
    pub(super) async fn write(self: &Arc<Self>, record: impl FnOnce() -> Option<Record>) -> Result<(), Error> {
        let (state, _change) = (Arc::clone(self), self.change());
        let _order = self.order.lock().await;
        let Some(record) = record() else { return Ok(()) };
        let work = move || {
            if state.is_closed() {
                return Err(ending());
            }
            if record.is_task() {
                state.tasks().insert(record.name.clone());
            }
            let text = serde_json::to_vec(&record).map_err(|error| Error::io("cannot write a record", error.into()))?;
            let written = files::write_record(&state.directory, &record.name, &text);
            written
                .inspect_err(|error| tracing::warn!("a program or task of this server would not survive it: {error}"))
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ending()))
    }

    /// Does work once no record is being written.
    pub(super) async fn settled<T>(&self, work: impl FnOnce() -> T) -> T {
        let _order = self.order.lock().await;
        work()
    }

    /// Removes a record.
    ///
    /// # Errors
    /// [`Error::Io`]: what it names must not go on then.
    pub(super) async fn remove(self: &Arc<Self>, name: &str) -> Result<(), Error> {
        let _order = self.order.lock().await;
        self.remove_file(files::record(name)).await?;
        self.tasks().remove(name);
        Ok(())
    }

    async fn remove_file(self: &Arc<Self>, name: String) -> Result<(), Error> {
        if self.is_closed() {
            return Err(ending());
        }
        let (state, _change) = (Arc::clone(self), self.change());
        let work = move || files::remove(&state.directory, &name);
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ending()))
    }

    /// Leaves a record as it is, which could not be taken over.
    pub(super) fn leave(&self, name: &str) {
        self.tasks().remove(name);
    }

    /// Marks all records as taken over.
    pub(super) fn set_taken_over(&self) {
        self.is_taken_over.store(true, Ordering::Release);
    }

    /// Removes the records of tasks that are not known any more.
    pub(super) async fn sweep_tasks(self: &Arc<Self>, is_known: impl Fn(&str) -> bool) {
        if !self.is_taken_over.load(Ordering::Acquire) {
            return;
        }
        let gone: Vec<_> = self.tasks().iter().filter(|name| !is_known(name)).cloned().collect();
        for name in gone {
            if let Err(error) = self.remove(&name).await {
                tracing::warn!("{error}");
            }
        }
    }

    fn tasks(&self) -> MutexGuard<'_, HashSet<String>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ending() -> Error {
    Error::io("the state of the server cannot be changed", io::Error::other("the server is ending"))
}
