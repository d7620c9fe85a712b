//! The server: which tools it offers, and how it handles requests.
//!
//! One [`Server`] serves any number of connections. It does not authenticate clients: rights come from the handle in a
//! request, and connections are only distinguished for scheduling.

mod annotations;
mod approval;
mod attachments;
mod client;
mod control;
mod discovery;
mod execute;
mod figures;
mod handler;
mod handles;
mod kept;
mod limits;
mod listeners;
mod listing;
mod outcome;
mod parked;
mod profile;
mod program;
mod progress;
mod report;
mod restored;
mod running;
mod sandboxes;
mod secrets;
mod sessions;
mod snapshot_tools;
mod snapshots;
mod start;
mod state;
mod tasks;
mod texts;
mod timeouts;
mod tool;

use std::{
    io,
    path::Path,
    sync::{Arc, OnceLock, PoisonError, RwLock},
    time::Duration,
};

use isolette::{
    Budget, CancellationToken, Metrics, Redaction, Sandbox,
    queue::{Queue, QueueLimits},
};
use isolette_agent::rendering::Rendering;

use self::{
    client::Client,
    handles::Handles,
    kept::Kept,
    listeners::Listeners,
    parked::Parked,
    sandboxes::Sandboxes,
    snapshots::Snapshots,
    state::{State, StateLimits},
    tasks::Tasks,
};
pub use self::{
    limits::{BudgetLimits, ServerLimits},
    profile::{Profile, UnknownProfile},
};

/// Poll interval while shutting down.
const LOOK: Duration = Duration::from_millis(20);

/// Time that tasks have to end after they are cancelled.
const ENDING: Duration = Duration::from_secs(2);

/// Maximum interval between sweeps of expired entries.
const SWEEP: Duration = Duration::from_secs(60);

/// Provides sandboxes over the Model Context Protocol.
///
/// Clones are the same server.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

/// The state that all connections share.
struct Shared {
    profile: Profile,
    limits: ServerLimits,
    /// Replaced as a whole; runs in flight keep those that they started with.
    sandboxes: RwLock<Arc<Sandboxes>>,
    queue: Arc<Queue<Client>>,
    handles: Handles,
    snapshots: Snapshots,
    /// The budget of all programs outside of the sandboxes with handles.
    budget: Option<Budget>,
    parked: Parked,
    tasks: Tasks,
    /// The directory of tasks and of programs that wait, if the server keeps them.
    state: OnceLock<Arc<State>>,
    kept: Kept,
    listeners: Listeners,
    rendering: Rendering,
    /// Cancelled when no further program may start.
    stopping: CancellationToken,
    /// Secrets that are removed from everything that clients get.
    redaction: Redaction,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("profile", &self.shared.profile).finish_non_exhaustive()
    }
}

impl Server {
    /// Makes a server over sandboxes, one for each language of programs. The first one is used if a program names no
    /// language. `redaction` removes secrets from everything that clients get; it must contain every secret that tools
    /// are given.
    ///
    /// # Errors
    /// [`isolette::Error::InvalidArgument`] if there is no sandbox, or if two have the same language.
    pub fn new(
        profile: Profile,
        sandboxes: Vec<Sandbox>,
        limits: ServerLimits,
        redaction: Redaction,
    ) -> Result<Self, isolette::Error> {
        let sandboxes = RwLock::new(Arc::new(Sandboxes::new(sandboxes)?));
        let queue = Queue::new(QueueLimits {
            running: limits.concurrent_runs,
            waiting: limits.waiting_runs,
            // The memory of each run is limited.
            memory: None,
        });
        let handles = Handles::new(limits.sandboxes, limits.sandbox_idle, limits.budget);
        let snapshots = Snapshots::new(limits.snapshots, limits.snapshot_bytes, limits.sandbox_idle);
        let budget = limits.budget.budget();
        let tasks = Tasks::new(limits.tasks);
        let rendering = Rendering::new().limit(limits.text_characters).redaction(redaction.clone());
        let shared = Shared {
            profile,
            limits,
            sandboxes,
            queue,
            handles,
            snapshots,
            budget,
            parked: Parked::default(),
            tasks,
            state: OnceLock::new(),
            kept: Kept::default(),
            listeners: Listeners::default(),
            rendering,
            stopping: CancellationToken::new(),
            redaction,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Keeps programs that wait for approval, and tasks, in a directory: they then survive this process. A program is paused and
    /// moved to a file while a person is asked; the calls that it waits for are made by whichever process gets the answer. What an
    /// earlier server has left there is taken over. The directory is made if it does not exist, for this user only.
    ///
    /// Isolation `wasm` cannot pause programs, and sandboxes with handles exist only in the process; programs in them wait there, too.
    /// A program that ran when the process ended is not continued: its task has failed. Texts that results link to end with the
    /// process.
    ///
    /// To be called once, before the server is served, on a runtime of Tokio. Returns what could not be taken over, and why.
    ///
    /// # Errors
    /// [`isolette::Error::Io`] if the directory cannot be used; [`isolette::Error::InvalidArgument`] if another server uses it, other
    /// users can read it, or this server keeps state already.
    pub async fn keep_state(&self, directory: impl AsRef<Path>) -> Result<Vec<String>, isolette::Error> {
        let ServerLimits { paused_programs: programs, paused_bytes: bytes, .. } = self.shared.limits;
        let (directory, limits) = (directory.as_ref().to_owned(), StateLimits { programs, bytes });
        let opened = tokio::task::spawn_blocking(move || State::open(&directory, limits)).await;
        let failed = |error| isolette::Error::io("the directory of the state was not read", io::Error::other(error));
        let (state, records, refused) = opened.map_err(failed)??;
        self.shared.keep(state)?;
        let mut refused = refused;
        refused.extend(self.shared.take_over(records).await);
        Ok(refused)
    }

    /// Replaces the sandboxes for later runs, for example after a change of the tools. Runs in flight and existing
    /// sandboxes with handles are not affected. While the server is being served, clients are notified if the listing
    /// of tools has changed.
    ///
    /// # Errors
    /// As [`Server::new`].
    pub fn replace(&self, sandboxes: Vec<Sandbox>) -> Result<(), isolette::Error> {
        let sandboxes = Arc::new(Sandboxes::new(sandboxes)?);
        let before = self.shared.tools();
        *self.shared.sandboxes.write().unwrap_or_else(PoisonError::into_inner) = sandboxes;
        if self.shared.tools() != before {
            self.shared.listeners.tools_changed();
        }
        Ok(())
    }

    /// The limits of this server.
    pub(crate) fn limits(&self) -> &ServerLimits {
        &self.shared.limits
    }

    /// Prevents further programs from starting. Parked and queued programs may still end.
    pub(crate) fn stop(&self) {
        self.shared.stopping.cancel();
    }

    /// Waits until no run is in flight or queued, and until all results of tasks are fetched, as long as `is_connected` says
    /// that a client is connected. What is kept for the next process is not waited for.
    pub(crate) async fn idle(&self, is_connected: impl Fn() -> bool) {
        let Shared { queue, tasks, .. } = &*self.shared;
        let is_awaited = || self.shared.state().is_none() && tasks.awaited() > 0 && is_connected();
        let changing = || self.shared.state().map_or(0, |state| state.changing());
        while queue.busy() + tasks.in_flight() + changing() > 0 || is_awaited() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Cancels the tasks, and waits a short time until they have ended. What is kept for the next process stays as it is.
    pub(crate) async fn end_tasks(&self) {
        if let Some(state) = self.shared.state() {
            let recorded = async {
                while state.changing() > 0 {
                    tokio::time::sleep(LOOK).await;
                }
            };
            let _ = tokio::time::timeout(ENDING, recorded).await;
            state.close();
        }
        self.shared.tasks.cancel_all();
        let ended = async {
            while self.shared.tasks.in_flight() > 0 {
                tokio::time::sleep(LOOK).await;
            }
        };
        let _ = tokio::time::timeout(ENDING, ended).await;
    }

    /// Adds metrics of this server: `isolette_mcp_runs_waiting` (programs waiting for their turn),
    /// `isolette_mcp_sandboxes` (sandboxes with handles), and `isolette_mcp_tasks` (running tasks and kept results).
    pub fn measure(&self, metrics: &Metrics) {
        let [of_queue, of_handles, of_tasks] = [(); 3].map(|()| Arc::clone(&self.shared));
        metrics.gauge("mcp_runs_waiting", "Programs that wait for a place", move || of_queue.queue.waiting() as u64);
        metrics.gauge("mcp_sandboxes", "Sandboxes that live on", move || of_handles.handles.count() as u64);
        metrics.gauge("mcp_tasks", "Tasks in flight, and results that are kept", move || of_tasks.tasks.count() as u64);
    }

    /// Removes expired sandboxes, snapshots and results, and notifies clients of changes, as long as it is polled.
    pub(crate) async fn keep_house(&self) {
        let sweep = async {
            loop {
                let next = self.shared.handles.sweep();
                self.shared.snapshots.sweep();
                self.shared.tasks.sweep();
                self.shared.sweep_tasks().await;
                tokio::time::sleep(next.clamp(Duration::from_secs(1), SWEEP)).await;
            }
        };
        tokio::join!(sweep, self.shared.listeners.notify_peers());
    }
}

impl Shared {
    fn state(&self) -> Option<&Arc<State>> {
        self.state.get()
    }

    /// The current sandboxes.
    fn sandboxes(&self) -> Arc<Sandboxes> {
        Arc::clone(&self.sandboxes.read().unwrap_or_else(PoisonError::into_inner))
    }
}
