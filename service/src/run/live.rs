//! A run that has not ended, or whose end is not stored yet.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use isolette::{CallRecord, CancellationToken, PausedCall, PausedRun};
use isolette_objects::Version;
use tokio::sync::{oneshot, watch};

use super::{Log, RunState, StoredRequest};
use crate::{
    clock::{self, Moment},
    failure::ErrorDetail,
    store::{Digest, Reservation, rows::RunRow},
};

/// A run.
pub(crate) struct LiveRun {
    pub(crate) id: String,
    pub(crate) owner: Arc<str>,
    pub(crate) sandbox: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) request: StoredRequest,
    pub(crate) created: Moment,
    pub(crate) log: Arc<Log>,
    pub(crate) cancel: CancellationToken,
    progress: Mutex<Progress>,
    ended: watch::Sender<bool>,
    pub(super) waiting: Mutex<Waiting>,
    /// The calls that have ended, until the result has them.
    ended_calls: Mutex<Vec<CallRecord>>,
    /// The program while it is paused.
    pub(crate) paused: tokio::sync::Mutex<Option<PausedRun>>,
    is_stored: AtomicBool,
    /// Room to store it when it is paused.
    room: Mutex<Option<Reservation>>,
    /// The version of its record in the shared store.
    pub(crate) version: tokio::sync::Mutex<Option<Version>>,
    /// The epoch of the replicas when it was last certain that the record is that of this run.
    pub(crate) epoch: AtomicU64,
}

/// The progress of a run.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) state: RunState,
    pub(crate) started: Option<Moment>,
    pub(crate) ended: Option<Moment>,
    /// The calls that wait for answers.
    pub(crate) calls: Vec<PausedCall>,
    /// The result as JSON.
    pub(crate) result: Option<Arc<str>>,
    pub(crate) error: Option<ErrorDetail>,
    /// Why its effects do not survive the server as others do.
    pub(crate) warning: Option<ErrorDetail>,
    pub(crate) blob: Option<Digest>,
}

/// A phase that a run can enter, with its data.
pub(crate) enum Phase {
    Running,
    Paused { calls: Vec<PausedCall>, blob: Option<Digest> },
    Ended { state: RunState, result: Option<String>, error: Option<ErrorDetail> },
}

/// The calls of a context's program that wait, by their numbers.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) last: u64,
    pub(super) answers: BTreeMap<u64, oneshot::Sender<isolette::Answer>>,
}

impl fmt::Debug for LiveRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LiveRun").field("id", &self.id).finish_non_exhaustive()
    }
}

impl LiveRun {
    pub(crate) fn new(
        id: String,
        owner: Arc<str>,
        place: Option<(String, String)>,
        request: StoredRequest,
        cancel: CancellationToken,
    ) -> Arc<Self> {
        let (sandbox, context) = place.unzip();
        Self::with(id, owner, (sandbox, context), request, clock::now(), (Log::default(), RunState::Queued), cancel)
    }

    /// A run from the database that has not ended.
    pub(crate) fn stored(row: &RunRow, request: StoredRequest, log: Log, cancel: CancellationToken) -> Arc<Self> {
        let place = (row.sandbox.clone(), row.context.clone());
        let state = RunState::stored(&row.state);
        let owner = row.owner.as_str().into();
        let run = Self::with(row.id.clone(), owner, place, request, row.created, (log, state), cancel);
        run.set_stored();
        {
            let mut progress = run.lock();
            progress.started = row.started;
            progress.blob.clone_from(&row.blob);
        }
        run
    }

    fn with(
        id: String,
        owner: Arc<str>,
        (sandbox, context): (Option<String>, Option<String>),
        request: StoredRequest,
        created: Moment,
        (log, state): (Log, RunState),
        cancel: CancellationToken,
    ) -> Arc<Self> {
        let is_background = request.is_background;
        let progress = Progress {
            state,
            started: None,
            ended: None,
            calls: Vec::new(),
            result: None,
            error: None,
            warning: None,
            blob: None,
        };
        Arc::new(Self {
            id,
            owner,
            sandbox,
            context,
            request,
            created,
            log: Arc::new(log),
            cancel,
            progress: Mutex::new(progress),
            ended: watch::Sender::new(false),
            waiting: Mutex::default(),
            ended_calls: Mutex::default(),
            paused: tokio::sync::Mutex::default(),
            is_stored: AtomicBool::new(is_background),
            room: Mutex::default(),
            version: tokio::sync::Mutex::default(),
            epoch: AtomicU64::new(0),
        })
    }

    pub(crate) fn progress(&self) -> Progress {
        self.lock().clone()
    }

    /// The length of its result in bytes, which most of its memory is for.
    pub(crate) fn result_bytes(&self) -> u64 {
        self.lock().result.as_ref().map_or(0, |result| result.len() as u64)
    }

    pub(crate) fn state(&self) -> RunState {
        self.lock().state
    }

    /// Whether the database has it before it ends: one in the background, or one that was paused. Then other requests than the one
    /// that began it may wait for its end.
    pub(crate) fn is_stored(&self) -> bool {
        self.is_stored.load(Ordering::SeqCst)
    }

    pub(crate) fn set_stored(&self) {
        self.is_stored.store(true, Ordering::SeqCst);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.lock().ended.is_some()
    }

    /// The progress that the run will have in another phase, before it enters that phase.
    pub(crate) fn after(&self, phase: Phase) -> Progress {
        let mut progress = Progress { warning: None, ..self.progress() };
        match phase {
            Phase::Running => {
                progress.state = RunState::Running;
                progress.started.get_or_insert_with(clock::now);
                progress.calls.clear();
                progress.blob = None;
            }
            Phase::Paused { calls, blob } => {
                progress.state = RunState::Paused;
                progress.calls = calls;
                progress.blob = blob;
            }
            Phase::Ended { state, result, error } => {
                progress.state = state;
                progress.ended = Some(clock::now());
                progress.calls.clear();
                progress.result = result.map(Into::into);
                progress.error = error;
                progress.blob = None;
            }
        }
        progress
    }

    /// Makes the progress of the run visible, which has to be stored before if it has to survive. The event comes after it, so that a
    /// reader of the event finds the run in the state that the event reports.
    pub(crate) fn enter(&self, progress: Progress) {
        let state = progress.state;
        *self.lock() = progress;
        self.log.state(state);
    }

    /// Sets the room to store it when it is paused. Returns the room that it had.
    pub(crate) fn set_room(&self, room: Option<Reservation>) -> Option<Reservation> {
        std::mem::replace(&mut *self.room.lock().unwrap_or_else(PoisonError::into_inner), room)
    }

    /// Notes that its effects survive the server after all.
    pub(crate) fn remove_warning(&self) {
        self.lock().warning = None;
    }

    /// Sets the calls that wait while the program runs.
    pub(super) fn set_calls(&self, change: impl FnOnce(&mut Vec<PausedCall>)) {
        change(&mut self.lock().calls);
        self.log.calls_changed();
    }

    /// Records a call that has ended, so that it is visible before the run has a result.
    pub(crate) fn call_ended(&self, call: &CallRecord) {
        self.ended_calls.lock().unwrap_or_else(PoisonError::into_inner).push(call.clone());
    }

    /// The calls that have ended in this process.
    pub(crate) fn ended_calls(&self) -> Vec<CallRecord> {
        self.ended_calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reports that the end is stored, to the requests that wait for it.
    pub(crate) fn finish(&self) {
        self.set_room(None);
        self.log.complete();
        self.ended.send_replace(true);
    }

    /// Waits until the end is stored.
    pub(crate) async fn finished(&self) {
        let _ = self.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Waits until the run has ended and that is stored, or is paused. Returns whether it is paused.
    pub(crate) async fn finished_or_paused(&self) -> bool {
        let mut changes = self.log.changes();
        loop {
            if self.state() == RunState::Paused {
                return true;
            }
            tokio::select! {
                biased;
                () = self.finished() => return false,
                _ = changes.changed() => {}
            }
        }
    }

    /// The row of the database.
    pub(crate) fn row(&self) -> RunRow {
        self.row_in(self.progress())
    }

    /// The row of the database for this progress.
    pub(crate) fn row_in(&self, progress: Progress) -> RunRow {
        let Progress { state, started, ended, calls, result, error, warning, blob } = progress;
        let json = |detail: ErrorDetail| serde_json::to_string(&detail).ok();
        RunRow {
            id: self.id.clone(),
            owner: self.owner.to_string(),
            sandbox: self.sandbox.clone(),
            context: self.context.clone(),
            state: state.as_str().into(),
            request: serde_json::to_string(&self.request).unwrap_or_default(),
            created: self.created,
            started,
            ended,
            calls: serde_json::to_string(&calls).unwrap_or_else(|_| "[]".into()),
            result: result.map(|result| result.to_string()),
            error: error.and_then(json),
            warning: warning.and_then(json),
            blob,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
