//! The service: its start, its maintenance and its shutdown.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use isolette::{
    CancellationToken, Error, Image, Metrics, SnapshotKey,
    queue::{Queue, QueueLimits},
    values::ResponseMemory,
};
use tokio_util::task::TaskTracker;

use crate::{
    blocking::blocking,
    clock, execution,
    grants::{self, Grants},
    limits::ServiceLimits,
    replicas::{Replicas, SharedStore},
    resources::Resources,
    run::LiveRuns,
    sandboxes::{Sandboxes, visited},
    shared::Shared,
    store::{KeptBytes, Store, StoredBytes, responses, rows},
};

/// Maximum interval between sweeps of expired entries.
const SWEEP: Duration = Duration::from_secs(1);

/// Interval between searches of the shared store for unreferenced objects.
const COLLECTED_EVERY: Duration = Duration::from_secs(60 * 60);

/// Keeps sandboxes, and runs programs in them. Clones are the same service.
#[derive(Clone)]
pub struct Service {
    pub(crate) shared: Arc<Shared>,
}

impl fmt::Debug for Service {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Service").field("limits", &self.shared.resources.limits).finish_non_exhaustive()
    }
}

impl Service {
    /// Opens a directory with state, which is made if it does not exist, for this user only, and takes over what an earlier
    /// process has left there: sandboxes are as they were when they were last saved, paused programs wait, programs that had not
    /// begun are begun, and those that ran are reported as lost.
    ///
    /// To be called on a multi-threaded runtime of Tokio.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be used; [`Error::InvalidArgument`] if another process uses it, other users can read
    /// it, or it is of another version.
    pub async fn open(directory: &Path, grants: Grants, limits: ServiceLimits) -> Result<Self, Error> {
        Self::open_with(directory, None, grants, limits).await
    }

    /// As [`open`](Self::open), with the surviving state in a store that several servers share. Each continues the sandboxes of the
    /// others, and passes requests on to the server that has their sandbox or run. The directory has copies only, and begins empty.
    ///
    /// Such a service listens at an address that the others reach, and all have the same tokens, grants and images.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::InvalidArgument`] if the store cannot be used, or the directory has the state of a server
    /// without a shared store.
    pub async fn open_shared(
        directory: &Path,
        store: SharedStore,
        grants: Grants,
        limits: ServiceLimits,
    ) -> Result<Self, Error> {
        Self::open_with(directory, Some(store), grants, limits).await
    }

    async fn open_with(
        directory: &Path,
        shared_store: Option<SharedStore>,
        grants: Grants,
        limits: ServiceLimits,
    ) -> Result<Self, Error> {
        // The program may be replaced while the server runs.
        Image::note_program();
        let place = directory.to_owned();
        let stored = StoredBytes { of_all: limits.stored_bytes, of_caller: limits.stored_bytes_of_caller };
        let kept = KeptBytes { runs: limits.kept_run_bytes, responses: limits.kept_response_bytes };
        let key = match shared_store.as_ref().and_then(|store| store.key.clone()) {
            Some(key) => key,
            None => SnapshotKey::of_user()?,
        };
        let shared_place = shared_store.as_ref().map(|store| store.place.clone());
        let replicas = shared_store.map(Replicas::open).transpose()?;
        let store = blocking(move || Store::open(&place, stored, kept, shared_place.as_deref())).await?;
        let metrics = Metrics::new();
        let grants = Arc::new(grants);
        let queue = Queue::new(QueueLimits {
            running: limits.concurrent_runs,
            waiting: limits.waiting_runs,
            // The memory of each run is limited.
            memory: None,
        });
        let of_queue = Arc::clone(&queue);
        metrics.gauge("service_runs_waiting", "Programs that wait for their turn", move || of_queue.waiting() as u64);
        let text = "Files and folders that were visited to measure what sandboxes take";
        metrics.gauge("service_files_measured", text, visited);
        let text = "Bytes of responses that are made or wait to be read";
        metrics.gauge("service_response_bytes", text, ResponseMemory::used);
        let resources = Resources {
            pool: grants::pool(Arc::clone(&grants), &limits, &metrics)?,
            queue,
            key,
            replicas,
            last_request: Mutex::new(Instant::now()),
            runs: LiveRuns::default(),
            tasks: TaskTracker::new(),
            stopping: CancellationToken::new(),
            ending: CancellationToken::new(),
            limits,
            grants,
            store,
            metrics,
        };
        let sandboxes = Sandboxes::new(directory.join("sandboxes"));
        sandboxes.load(&resources.store).await?;
        let shared = Arc::new(Shared { resources: Arc::new(resources), sandboxes });
        execution::take_over(&shared).await?;
        Ok(Self { shared })
    }

    /// The metrics of the service, as `GET /metrics` returns them.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.shared.resources.metrics
    }

    /// Waits until there were no requests for a time, no run is in progress, and no guest runs.
    pub async fn unused_for(&self, time: Duration) {
        loop {
            let since = self.shared.resources.last_request.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
            let is_used = !self.shared.resources.runs.is_empty() || self.shared.resources.pool.state().guests > 0;
            if since >= time && !is_used {
                return;
            }
            tokio::time::sleep(time.saturating_sub(since).max(SWEEP)).await;
        }
    }

    /// Records the time of a request.
    pub(crate) fn is_used(&self) {
        *self.shared.resources.last_request.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Saves idle sandboxes, and deletes expired entries, as long as it is polled.
    pub(crate) async fn keep_house(&self) {
        let (mut collected, mut collecting) = (Instant::now(), None);
        loop {
            tokio::time::sleep(SWEEP).await;
            self.sweep().await;
            let is_done = collecting.as_ref().is_none_or(tokio::task::JoinHandle::is_finished);
            if self.shared.resources.replicas.is_some() && is_done && collected.elapsed() >= COLLECTED_EVERY {
                collected = Instant::now();
                let shared = Arc::clone(&self.shared);
                collecting = Some(tokio::spawn(async move { collect(&shared).await }));
            }
        }
    }

    /// Reports to the other replicas that this one runs, as long as it is polled.
    pub(crate) async fn stay(&self) {
        match &self.shared.resources.replicas {
            Some(replicas) => replicas.stay().await,
            None => std::future::pending().await,
        }
    }

    /// Lets runs in flight end, cancels those that take longer than the drain, and saves all sandboxes.
    pub(crate) async fn stop(&self) {
        let shared = &self.shared;
        shared.resources.stopping.cancel();
        shared.resources.queue.close();
        shared.resources.tasks.close();
        if tokio::time::timeout(shared.resources.limits.drain, shared.resources.tasks.wait()).await.is_err() {
            shared.resources.ending.cancel();
            shared.resources.queue.refuse_all();
            shared.resources.tasks.wait().await;
        }
        shared.resources.store.blobs.room.lift_limits();
        shared.sandboxes.save_all(&shared.resources).await;
    }

    /// Reports to the other replicas that this one is gone, and closes the store.
    pub(crate) async fn close(&self) {
        if let Some(replicas) = &self.shared.resources.replicas {
            replicas.leave().await;
        }
        self.shared.resources.store.close().await;
    }

    async fn sweep(&self) {
        let Shared { resources, sandboxes } = &*self.shared;
        sandboxes.sweep(resources).await;
        let kept = i64::try_from(resources.limits.kept_runs.as_millis()).unwrap_or(i64::MAX);
        let before = clock::now().saturating_sub(kept);
        resources.store.post(move |connection| rows::delete_runs(connection, before).map(drop)).await;
        resources.store.post(responses::forget).await;
    }
}

/// Removes unreferenced objects from the shared store.
async fn collect(shared: &Shared) {
    let Some(replicas) = &shared.resources.replicas else { return };
    if let Err(failure) = replicas.collect(shared.resources.limits.kept_runs).await {
        tracing::warn!("the shared store was not cleared: {}", failure.detail().message);
    }
}
