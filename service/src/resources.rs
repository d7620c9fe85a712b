//! The resources that the sandboxes and the runs of a service share.

use std::{
    fmt,
    sync::{Arc, Mutex},
    time::Instant,
};

use isolette::{
    CancellationToken, Error, Metrics, Sandbox, SandboxPool, SnapshotKey,
    queue::{Place, Queue},
};
use tokio_util::task::TaskTracker;

use crate::{
    blocking::blocking,
    failure::Failure,
    grants::{Grants, Key},
    limits::ServiceLimits,
    replicas::Replicas,
    run::{LiveRun, LiveRuns, StoredRequest},
    store::Store,
};

/// Limits, queues, guests and the store.
pub(crate) struct Resources {
    pub(crate) limits: ServiceLimits,
    pub(crate) grants: Arc<Grants>,
    pub(crate) pool: SandboxPool<Key>,
    pub(crate) queue: Arc<Queue<Arc<str>>>,
    pub(crate) store: Store,
    pub(crate) key: SnapshotKey,
    /// The servers that share a store with this one.
    pub(crate) replicas: Option<Replicas>,
    pub(crate) metrics: Metrics,
    /// The time of the last request.
    pub(crate) last_request: Mutex<Instant>,
    pub(crate) runs: LiveRuns,
    /// The tasks of runs.
    pub(crate) tasks: TaskTracker,
    /// Cancelled when no further program may start.
    pub(crate) stopping: CancellationToken,
    /// Cancelled when programs that still run have to end.
    pub(crate) ending: CancellationToken,
}

impl fmt::Debug for Resources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Resources").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Resources {
    /// An identifier for another run. It says which replica has begun the run.
    fn run_id(&self) -> String {
        let id = crate::id::random_in_order("run");
        match &self.replicas {
            Some(replicas) => format!("{id}-{}", replicas.id),
            None => id,
        }
    }

    /// A run of a caller that has not begun. `place` is its sandbox and its context, if it has one.
    pub(crate) fn new_run(
        &self,
        owner: &Arc<str>,
        place: Option<(String, String)>,
        request: StoredRequest,
    ) -> Arc<LiveRun> {
        LiveRun::new(self.run_id(), Arc::clone(owner), place, request, self.ending.child_token())
    }

    /// The sandbox of the library for a key.
    pub(crate) async fn sandbox(self: &Arc<Self>, key: Key) -> Result<Sandbox, Error> {
        // Those that are new are made on another thread, which need not be woken for the others.
        if let Some(sandbox) = self.pool.existing(&key) {
            return Ok(sandbox);
        }
        let resources = Arc::clone(self);
        blocking(move || resources.pool.get(&key)).await
    }

    /// Waits for the turn of a program of this caller.
    pub(crate) async fn turn(&self, owner: &Arc<str>, cancel: &CancellationToken) -> Result<Place<Arc<str>>, Failure> {
        let late = || {
            Failure::busy(
                format!("no place became free within {:?}", self.limits.waiting_time),
                "send fewer programs at the same time, or raise `concurrent_runs` of the server",
            )
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::Cancelled { partial: Box::default() }.into()),
            place = self.queue.enter(Arc::clone(owner), 0) => place.map_err(|refused| match refused.reason {
                isolette::queue::Reason::Closed => Failure::stopping(),
                _ => Failure::busy(
                    format!("{} programs run and {} wait, as many as may", refused.running, refused.waiting),
                    "try again later, or raise `waiting_runs` of the server",
                ),
            }),
            () = tokio::time::sleep(self.limits.waiting_time) => Err(late()),
        }
    }
}
