//! The server: what it offers, and how a request becomes a run.
//!
//! A value of [`Server`] serves any number of connections at once. It knows no client: what somebody is entitled to is
//! said by the handle in a request, and connections are told apart only to take turns.

mod annotations;
mod approval;
mod attachments;
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
mod patience;
mod profile;
mod progress;
mod queue;
mod report;
mod running;
mod sandboxes;
mod secrets;
mod sessions;
mod start;
mod tasks;
mod texts;
mod tool;

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use isolette::{Budget, CancellationToken, Metrics, Redaction, Sandbox};
use isolette_agent::rendering::Rendering;

use self::{
    approval::Parked, handles::Handles, kept::Kept, listeners::Listeners, queue::Queue, sandboxes::Sandboxes,
    tasks::Tasks,
};
pub use self::{
    limits::{BudgetLimits, ServerLimits},
    profile::{Profile, UnknownProfile},
};

/// How often it is looked whether what runs has ended, once the server is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// How long tasks have to end once they are told to.
const ENDING: Duration = Duration::from_secs(2);

/// How often what nobody wants any more is looked for, at the least.
const SWEEP: Duration = Duration::from_secs(60);

/// Lends sandboxes over the Model Context Protocol.
///
/// A clone is the same server.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
}

/// What all connections have in common.
struct Shared {
    profile: Profile,
    limits: ServerLimits,
    /// Replaced as a whole; runs under way keep what they began with.
    sandboxes: RwLock<Arc<Sandboxes>>,
    queue: Arc<Queue>,
    handles: Handles,
    /// Of all programs that run in none of the handles' sandboxes.
    budget: Option<Budget>,
    parked: Parked,
    tasks: Tasks,
    kept: Kept,
    listeners: Listeners,
    rendering: Rendering,
    /// Cancelled when no program may begin any more.
    stopping: CancellationToken,
    /// What no client gets to see.
    redaction: Redaction,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("profile", &self.shared.profile).finish_non_exhaustive()
    }
}

impl Server {
    /// A server over sandboxes, one for each language that programs may be written in. The first is the language of a
    /// program that does not say. No client gets to see what the redaction leaves out: give it every secret that tools are
    /// given.
    ///
    /// # Errors
    /// [`isolette::Error::InvalidArgument`] if there is no sandbox, or two are for one language.
    pub fn new(
        profile: Profile,
        sandboxes: Vec<Sandbox>,
        limits: ServerLimits,
        redaction: Redaction,
    ) -> Result<Self, isolette::Error> {
        let sandboxes = RwLock::new(Arc::new(Sandboxes::new(sandboxes)?));
        let queue = Queue::new(limits.concurrent_runs, limits.waiting_runs);
        let handles = Handles::new(limits.sandboxes, limits.sandbox_idle, limits.budget);
        let budget = limits.budget.budget();
        let tasks = Tasks::new(limits.tasks);
        let rendering = Rendering::new().limit(limits.text_characters).redaction(redaction.clone());
        let shared = Shared {
            profile,
            limits,
            sandboxes,
            queue,
            handles,
            budget,
            parked: Parked::default(),
            tasks,
            kept: Kept::default(),
            listeners: Listeners::default(),
            rendering,
            stopping: CancellationToken::new(),
            redaction,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Has later runs use other sandboxes, because what they may call has changed. Runs that are under way, and sandboxes
    /// that live on, go on as they are. Clients are told, as soon as the server is served, if their tools look otherwise now.
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

    /// The limits that it keeps.
    pub(crate) fn limits(&self) -> &ServerLimits {
        &self.shared.limits
    }

    /// Has no program begin any more. Those that wait for an answer or for a turn may come to their end.
    pub(crate) fn stop(&self) {
        self.shared.stopping.cancel();
    }

    /// Waits until no run is under way or waits, and no result has still to be fetched, while there is anybody who could.
    pub(crate) async fn idle(&self, anybody: impl Fn() -> bool) {
        let Shared { queue, tasks, .. } = &*self.shared;
        while queue.busy() + tasks.under_way() > 0 || (tasks.awaited() > 0 && anybody()) {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ends the programs that go on without a request, and waits until they have, but not for long.
    pub(crate) async fn end_tasks(&self) {
        self.shared.tasks.cancel_all();
        let ended = async {
            while self.shared.tasks.under_way() > 0 {
                tokio::time::sleep(LOOK).await;
            }
        };
        let _ = tokio::time::timeout(ENDING, ended).await;
    }

    /// Adds its own figures: `isolette_mcp_runs_waiting` for a place, `isolette_mcp_sandboxes` that live on, and
    /// `isolette_mcp_tasks`, under way or kept for whoever comes for the result.
    pub fn measure(&self, metrics: &Metrics) {
        let [of_queue, of_handles, of_tasks] = [(); 3].map(|()| Arc::clone(&self.shared));
        metrics.gauge("mcp_runs_waiting", "Programs that wait for a place", move || of_queue.queue.waiting() as u64);
        metrics.gauge("mcp_sandboxes", "Sandboxes that live on", move || of_handles.handles.count() as u64);
        metrics.gauge("mcp_tasks", "Tasks under way, and results of such", move || of_tasks.tasks.count() as u64);
    }

    /// Ends sandboxes that nobody uses any more, forgets results whose time is up, and tells clients of changes, for as long as it is polled.
    pub(crate) async fn keep_house(&self) {
        let sweep = async {
            loop {
                let next = self.shared.handles.sweep();
                self.shared.tasks.sweep();
                tokio::time::sleep(next.clamp(Duration::from_secs(1), SWEEP)).await;
            }
        };
        tokio::join!(sweep, self.shared.listeners.tell());
    }
}

impl Shared {
    /// The sandboxes as they are now.
    fn sandboxes(&self) -> Arc<Sandboxes> {
        Arc::clone(&self.sandboxes.read().unwrap_or_else(PoisonError::into_inner))
    }
}
