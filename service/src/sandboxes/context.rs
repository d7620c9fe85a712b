//! A context: the state that programs leave for the next one, in a running guest or saved.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use isolette::{Language, Session};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore, watch};

use crate::{
    blocking::blocking,
    failure::Failure,
    spec::parse_language,
    store::{Digest, Reservation, rows::ContextRow},
};

/// Maximum number of programs that wait for one context.
const WAITING: usize = 64;

/// A context of a sandbox.
pub(crate) struct Context {
    pub(crate) name: String,
    pub(crate) language: Language,
    /// The directory that its programs begin in.
    pub(crate) cwd: String,
    state: Arc<Mutex<State>>,
    waiting: Semaphore,
    /// Number of programs that were begun in this process.
    begun: AtomicU64,
    /// Whether a guest runs, readable without the lock of the state.
    pub(super) is_live: AtomicBool,
    /// Whether it waits for the programs that run in it, to be removed from its sandbox.
    is_being_deleted: AtomicBool,
    /// The program that is paused in it.
    paused: watch::Sender<Option<Paused>>,
}

/// A program that is paused in a context, and keeps it locked.
struct Paused {
    run: String,
    state: OwnedMutexGuard<State>,
}

/// The state of a context, locked while a program runs in it.
#[derive(Default)]
pub(super) struct State {
    pub(super) session: Option<Session>,
    pub(super) saved: Option<Digest>,
    /// Whether a program has run since it was saved.
    pub(super) is_changed: bool,
    /// Number of programs that have run since then, with the one that runs.
    pub(super) unsaved: u64,
    /// Room for the state that programs have left, until it is saved.
    pub(super) room: Option<Reservation>,
    /// When it could not be saved the last time.
    pub(super) was_not_saved: Option<Instant>,
    /// Whether it was removed from its sandbox.
    is_deleted: bool,
}

/// A context that no other program uses at the same time.
pub(crate) struct Guard {
    pub(super) context: Arc<Context>,
    pub(super) state: OwnedMutexGuard<State>,
}

impl Context {
    pub(crate) fn new(name: &str, language: Language, cwd: &str) -> Self {
        Self::with(name.to_owned(), language, cwd.to_owned(), State::default())
    }

    /// A context that is in this state.
    pub(crate) fn saved(name: &str, language: Language, cwd: &str, saved: Option<Digest>) -> Self {
        Self::with(name.to_owned(), language, cwd.to_owned(), State { saved, ..State::default() })
    }

    pub(crate) fn stored(row: ContextRow) -> Result<Self, Failure> {
        let language = parse_language(&row.language)?;
        // State that was not saved is lost with the process that had it.
        Ok(Self::saved(&row.name, language, &row.cwd, row.blob))
    }

    fn with(name: String, language: Language, cwd: String, state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        Self {
            name,
            language,
            cwd,
            state,
            waiting: Semaphore::new(WAITING),
            begun: AtomicU64::new(0),
            is_live: AtomicBool::new(false),
            is_being_deleted: AtomicBool::new(false),
            paused: watch::Sender::new(None),
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Relaxed)
    }

    /// Counts another program, and returns its number, from 1.
    pub(crate) fn count(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Waits until no other program uses the context. Fails if a paused program uses it, since that may take days.
    pub(crate) async fn lock(self: &Arc<Self>) -> Result<Guard, Failure> {
        let _waits = self.waiting.try_acquire().map_err(|_| {
            Failure::busy(format!("{WAITING} programs wait for this context already"), "wait for some of them")
        })?;
        let mut paused = self.paused.subscribe();
        let paused = async {
            let found = paused.wait_for(Option::is_some).await;
            found.ok().and_then(|paused| paused.as_ref().map(|paused| paused.run.clone()))
        };
        let state = tokio::select! {
            biased;
            state = Arc::clone(&self.state).lock_owned() => state,
            run = paused => return Err(self.kept_for(&run.unwrap_or_default())),
        };
        if state.is_deleted || self.is_being_deleted() {
            return Err(Failure::not_found("context", &self.name));
        }
        Ok(Guard { context: Arc::clone(self), state })
    }

    /// The error for other programs while a paused program keeps the context.
    fn kept_for(&self, run: &str) -> Failure {
        Failure::conflict(
            format!("the program {run} is paused in the context `{}` until its calls are answered", self.name),
            "answer its calls, cancel it, or name another context",
        )
    }

    /// The context that this run keeps while it is paused, if it does.
    pub(crate) fn kept_by(self: &Arc<Self>, run: &str) -> Option<Guard> {
        let mut found = None;
        self.paused.send_if_modified(|paused| {
            found = paused.take_if(|paused| paused.run == run);
            found.is_some()
        });
        found.map(|paused| Guard { context: Arc::clone(self), state: paused.state })
    }

    /// Prevents other programs from beginning or being paused in it, before the programs that run in it are cancelled.
    pub(crate) fn begin_deletion(&self) {
        self.is_being_deleted.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_being_deleted(&self) -> bool {
        self.is_being_deleted.load(Ordering::SeqCst)
    }

    /// Ends the guest for good, after the program that runs in it has ended.
    pub(crate) async fn delete(self: &Arc<Self>) {
        let state = Arc::clone(&self.state).lock_owned().await;
        Guard { context: Arc::clone(self), state }.delete();
    }

    /// The context, unless a program uses it.
    pub(crate) fn try_lock(self: &Arc<Self>) -> Option<Guard> {
        let state = Arc::clone(&self.state).try_lock_owned().ok()?;
        Some(Guard { context: Arc::clone(self), state })
    }
}

impl Guard {
    /// The state that is stored.
    pub(crate) fn saved(&self) -> Option<&Digest> {
        self.state.saved.as_ref()
    }

    pub(crate) fn is_live(&self) -> bool {
        self.state.session.is_some()
    }

    /// Ends the guest, which may wait for its audit; the next program begins with the state that was saved last.
    pub(crate) async fn discard(mut self) {
        let session = self.state.session.take();
        let _ = blocking(move || {
            drop(session);
            Ok(())
        })
        .await;
        self.drop_guest();
    }

    /// Releases room that was reserved for a program which has not begun.
    pub(crate) fn release_unused_room(mut self) {
        if !self.state.is_changed {
            self.state.room = None;
        }
    }

    /// Ends the guest for good.
    pub(crate) fn delete(mut self) {
        self.state.is_deleted = true;
        self.drop_guest();
    }

    /// Keeps the context for a program that is paused in it.
    pub(crate) fn keep_for(self, run: &str) {
        let Self { context, state } = self;
        context.paused.send_replace(Some(Paused { run: run.to_owned(), state }));
    }

    pub(super) fn drop_guest(&mut self) {
        self.state.session = None;
        (self.state.is_changed, self.state.unsaved) = (false, 0);
        (self.state.room, self.state.was_not_saved) = (None, None);
        self.context.is_live.store(false, Ordering::Relaxed);
    }
}
