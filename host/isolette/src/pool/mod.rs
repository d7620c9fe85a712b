//! A pool of sandboxes, for servers with many callers.

mod builder;
mod kept;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    hash::Hash,
    sync::{Arc, Weak, mpsc},
    time::{Duration, Instant},
};

use isolette_deadline::{runtime, wait_until};
use isolette_types::Error;

pub use self::builder::SandboxPoolBuilder;
use self::kept::{Dropped, Kept};
use crate::{
    builder::SandboxBuilder,
    metrics::PoolMetrics,
    places::{Admission, Queue},
    sandbox::Sandbox,
    shared::Shared,
};

/// The bounds of the interval in which idle sandboxes are looked for.
const SWEEP: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// Up to this time a drain has no end: an addition to the present must not overflow.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// The embedder's function that makes the sandbox for a key.
type Make<K> = Box<dyn Fn(&K) -> Result<SandboxBuilder, Error> + Send + Sync>;

/// A sandbox for each key (a tenant, a language, a policy), and limits on what the guests of all of them use together.
///
/// The sandbox for a key is made on demand and kept while it is used. The pool drops one that was not used for the idle time,
/// and the least recently used ones beyond its number of sandboxes. There never are two sandboxes for one key: one that was
/// dropped while it was in use is found again.
///
/// A guest of these sandboxes needs a place in the pool: each run, each session until it is dropped, and each paused program
/// until it ends, is dropped or is left to a file. Places are limited in number and in the sum of the memory limits of
/// their guests ([`Limits::memory`](crate::policy::Limits::memory)). Who gets none waits in a queue, in which keys take turns;
/// the wait does not count towards the timeout of a run, and a cancellation ends it. A place is free again when the memory of
/// its guest is, shortly after the result of its last run.
///
/// ```no_run
/// use isolette::{Language, Sandbox, SandboxPool};
///
/// let pool = SandboxPool::builder(|language: &Language| Ok(Sandbox::builder().language(*language)))
///     .guests(100)
///     .memory(8 << 30)
///     .warm(Language::Python, 8)
///     .build()?;
/// let sandbox = pool.get(&Language::Python)?;
/// assert_eq!(sandbox.run("6 * 7")?.value, Some(serde_json::json!(42)));
/// # Ok::<(), isolette::Error>(())
/// ```
///
/// Clones are the same pool. Sandboxes and sessions can be used after the pool was dropped.
pub struct SandboxPool<K> {
    inner: Arc<Inner<K>>,
    /// The thread that looks for idle sandboxes ends when the last clone is dropped.
    _sweeping: Arc<mpsc::Sender<()>>,
}

/// The present use of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolState {
    /// Number of live guests.
    pub guests: usize,
    /// Sum of the memory limits of live guests, in bytes.
    pub memory: u64,
    /// Number of callers that wait for a place.
    pub waiting: usize,
    /// Number of sandboxes that the pool keeps.
    pub sandboxes: usize,
    /// Whether the pool starts no further guests.
    pub is_draining: bool,
}

struct Inner<K> {
    make: Make<K>,
    kept: Kept<K, Shared>,
    queue: Arc<Queue<u64>>,
    waiting_time: Duration,
    metrics: Option<PoolMetrics>,
}

impl<K> Clone for SandboxPool<K> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), _sweeping: Arc::clone(&self._sweeping) }
    }
}

impl<K: Eq + Hash + Clone> fmt::Debug for SandboxPool<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SandboxPool").field("state", &self.state()).finish_non_exhaustive()
    }
}

impl<K: Eq + Hash + Clone + Send + Sync + 'static> SandboxPool<K> {
    /// Makes a builder of a pool with the defaults, which [`SandboxPoolBuilder`] lists. `make` returns the settings of the
    /// sandbox for a key. It is called when a key is requested that has no sandbox, on the thread of the caller. Other callers
    /// for that key wait for it, so it must not use the pool itself.
    pub fn builder(
        make: impl Fn(&K) -> Result<SandboxBuilder, Error> + Send + Sync + 'static,
    ) -> SandboxPoolBuilder<K> {
        SandboxPoolBuilder::new(Box::new(make))
    }
}

impl<K: Eq + Hash + Clone> SandboxPool<K> {
    /// Returns the sandbox for a key, and makes it if there is none. This waits for no place: the methods of the sandbox do.
    ///
    /// # Errors
    /// The error of the function that makes the settings, and those of [`SandboxBuilder::build`];
    /// [`Error::InvalidArgument`] if a guest of the sandbox may use more memory than the pool has; [`Error::Busy`] if the pool
    /// is drained. The next request for the key tries it again.
    pub fn get(&self, key: &K) -> Result<Sandbox, Error> {
        self.inner.get(key, None)
    }

    /// Returns the sandbox for a key if the pool keeps it already. Unlike [`SandboxPool::get`] it never blocks, so asynchronous
    /// callers can ask for it first.
    #[must_use]
    pub fn existing(&self, key: &K) -> Option<Sandbox> {
        self.inner.kept.existing(key, Instant::now()).map(|shared| Sandbox { shared })
    }

    /// Returns how much of the pool is used.
    #[must_use]
    pub fn state(&self) -> PoolState {
        let Inner { kept, queue, .. } = &*self.inner;
        let (guests, memory) = queue.running();
        PoolState { guests, memory, waiting: queue.waiting(), sandboxes: kept.count(), is_draining: queue.is_closed() }
    }

    /// Starts no further guests, and waits until all have ended, those included that wait for their places. Returns whether
    /// they have within `timeout`; those that still wait then fail with [`Error::Busy`]. Guests that live are not ended by
    /// this: cancel their runs ([`RunOptions::cancel`](crate::RunOptions::cancel)) and drop the sessions.
    ///
    /// A pool that was drained is of no further use.
    pub fn drain(&self, timeout: Duration) -> bool {
        let queue = &self.inner.queue;
        queue.close();
        let have_ended = wait_until(Instant::now() + timeout.min(LONGEST), queue.idle()).is_some();
        if !have_ended {
            queue.refuse_all();
        }
        have_ended
    }

    /// Like [`SandboxPool::drain`], for asynchronous callers on any runtime. If the future is dropped, callers that wait keep
    /// waiting.
    ///
    /// # Errors
    /// [`Error::Io`] if the host's runtime cannot be started.
    pub async fn drain_async(&self, timeout: Duration) -> Result<bool, Error> {
        let queue = &self.inner.queue;
        queue.close();
        let end = {
            let _timers = runtime()?.enter();
            tokio::time::sleep(timeout.min(LONGEST))
        };
        let have_ended = tokio::select! {
            biased;
            () = queue.idle() => true,
            () = end => false,
        };
        if !have_ended {
            queue.refuse_all();
        }
        Ok(have_ended)
    }
}

impl<K: Eq + Hash + Clone> Inner<K> {
    /// Returns the sandbox for a key. With a number of guests to keep ready, it is kept as long as the pool exists.
    fn get(&self, key: &K, ready: Option<usize>) -> Result<Sandbox, Error> {
        let (shared, is_new) = self.kept.get(key, Instant::now(), ready.is_some(), |entry| {
            let admission = Admission {
                queue: Arc::clone(&self.queue),
                client: entry.number,
                waiting_time: self.waiting_time,
                last_use: entry.last_use.clone(),
                metrics: self.metrics.clone(),
            };
            admission.check(0)?;
            let mut builder = (self.make)(key)?;
            if let Some(count) = ready {
                builder = builder.ready_guests(count);
            }
            let sandbox = builder.admitted_by(admission.clone()).build()?;
            admission.check(sandbox.shared.policy.limits.memory)?;
            Ok(sandbox.shared)
        })?;
        if is_new {
            if let Some(metrics) = &self.metrics {
                metrics.kept();
            }
            self.trim();
        }
        Ok(Sandbox { shared })
    }

    /// Drops sandboxes that are idle or too many.
    fn trim(&self) {
        let Dropped { idle, beyond_limit } = self.kept.trim(Instant::now());
        if let Some(metrics) = &self.metrics {
            metrics.dropped(Some("idle"), idle.len());
            metrics.dropped(Some("limit"), beyond_limit.len());
        }
    }
}

impl<K> Drop for Inner<K> {
    fn drop(&mut self) {
        if let Some(metrics) = &self.metrics {
            metrics.dropped(None, self.kept.count());
        }
    }
}

/// Drops idle sandboxes until the pool is dropped.
fn sweep<K: Eq + Hash + Clone>(pool: &Weak<Inner<K>>, end: &mpsc::Receiver<()>) {
    loop {
        let Some(pool) = pool.upgrade() else { return };
        pool.trim();
        let next = pool.kept.next_expiry(Instant::now()).clamp(SWEEP.0, SWEEP.1);
        drop(pool);
        if end.recv_timeout(next) != Err(mpsc::RecvTimeoutError::Timeout) {
            return;
        }
    }
}
