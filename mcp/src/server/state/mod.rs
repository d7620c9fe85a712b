//! What outlives the server: programs that wait for approval, and tasks, as files in one directory.
//!
//! | file | contents |
//! |---|---|
//! | `lock` | locked by the server that uses the directory |
//! | `*.json` | a [`Record`]: a task, or a program whose question is in a response |
//! | `*.run` | a paused program, which one of the records names |
//!
//! A record that names a paused program is replaced or removed before the program goes on. If the server ends in between, the
//! program is lost; its calls are never made twice.

mod files;
mod record;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use isolette::{Error, PausedRun, SavedRun, SnapshotKey};

pub(super) use self::record::{Finished, Origin, Program, Record, Subject, TaskFacts, TaskStage};
use super::handles::chance;

/// A directory with state, used by this server only.
pub(super) struct State {
    directory: PathBuf,
    /// Held as long as the server lives.
    _lock: fs::File,
    key: SnapshotKey,
    limits: StateLimits,
    /// Bytes of each paused program, by the name of its file.
    programs: Mutex<HashMap<String, u64>>,
    /// Set when the server ends: what is in the directory then stays as it is.
    closed: AtomicBool,
}

/// Limits of the paused programs in files.
#[derive(Clone, Copy)]
pub(super) struct StateLimits {
    pub(super) programs: usize,
    pub(super) bytes: u64,
}

/// Where a paused program is.
pub(super) enum Kept {
    /// In the file of this name, and nowhere else.
    File(String),
    /// In this process: it cannot be saved.
    Here(Box<PausedRun>),
}

impl State {
    /// Opens a directory, which is made if it does not exist, and returns the records in it and why others cannot be used.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::InvalidArgument`] if another server uses the directory or other users can write to it.
    pub(super) fn open(directory: &Path, limits: StateLimits) -> Result<(Self, Vec<Record>, Vec<String>), Error> {
        let lock = files::lock(directory)?;
        let files::Found { records, programs, refused } = files::read(directory)?;
        let state = Self {
            directory: directory.to_owned(),
            _lock: lock,
            key: SnapshotKey::of_user()?,
            limits,
            programs: Mutex::new(programs),
            closed: AtomicBool::new(false),
        };
        Ok((state, records, refused))
    }

    /// Leaves the directory as it is from now on.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Moves a paused program to a file. `None` if the process is ending.
    pub(super) async fn save(self: &Arc<Self>, mut paused: PausedRun) -> Option<Kept> {
        let state = Arc::clone(self);
        let work = move || match state.save_now(&mut paused) {
            Ok(name) => Kept::File(name),
            Err(reason) => {
                tracing::warn!("a program that waits for approval would not survive the server: {reason}");
                Kept::Here(Box::new(paused))
            }
        };
        tokio::task::spawn_blocking(work).await.ok()
    }

    fn save_now(&self, paused: &mut PausedRun) -> Result<String, String> {
        let StateLimits { programs, bytes } = self.limits;
        if self.programs().len() >= programs {
            return Err(format!("there are {programs} such programs already"));
        }
        let name = format!("{}.run", chance());
        let path = self.directory.join(&name);
        paused.save_with(&path, &self.key).map_err(|error| error.to_string())?;
        let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let mut kept = self.programs();
        if kept.values().sum::<u64>().saturating_add(size) > bytes {
            drop(kept);
            files::remove(&path);
            return Err(format!("its file has {size} bytes, and all together can have {bytes}"));
        }
        kept.insert(name.clone(), size);
        Ok(name)
    }

    /// Loads a paused program.
    pub(super) async fn load(self: &Arc<Self>, name: &str) -> Result<SavedRun, Error> {
        let (state, name) = (Arc::clone(self), name.to_owned());
        let work = move || SavedRun::load_with(state.directory.join(name), &state.key);
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ending()))
    }

    /// Loads a paused program and removes its file, since it goes on.
    pub(super) async fn take(self: &Arc<Self>, name: &str) -> Result<SavedRun, Error> {
        let saved = self.load(name).await;
        if self.is_closed() {
            return Err(ending());
        }
        files::remove(&self.directory.join(name));
        self.programs().remove(name);
        saved
    }

    /// Writes a record, in place of an earlier one of the same name.
    pub(super) async fn write(self: &Arc<Self>, record: Record) {
        if self.is_closed() {
            return;
        }
        let state = Arc::clone(self);
        let work = move || {
            if let Err(error) = files::write(&state.directory, &record) {
                let what = "a program or task of this server would not survive it";
                tracing::warn!("{what}: `{}` cannot be written: {error}", state.directory.display());
            }
        };
        let _ = tokio::task::spawn_blocking(work).await;
    }

    /// Removes a record.
    pub(super) fn remove(&self, name: &str) {
        if !self.is_closed() {
            files::remove(&files::place(&self.directory, name));
        }
    }

    /// Removes the records of tasks that are not known any more.
    pub(super) fn sweep_tasks(&self, is_known: impl Fn(&str) -> bool) {
        if self.is_closed() {
            return;
        }
        for name in files::names(&self.directory) {
            if name.starts_with(TASK_PREFIX) && !is_known(&name) {
                self.remove(&name);
            }
        }
    }

    fn programs(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the names of tasks begin with.
pub(super) const TASK_PREFIX: &str = "task_";

fn ending() -> Error {
    Error::io("the program was not taken over", io::Error::other("the server is ending"))
}
