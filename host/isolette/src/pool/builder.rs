//! The builder of pools.

use std::{
    hash::Hash,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use isolette_policy::Limits;
use isolette_types::Error;

use super::{Inner, Make, SandboxPool, kept::Kept, sweep};
use crate::{
    metrics::Metrics,
    places::{Queue, QueueLimits},
};

/// Builds a [`SandboxPool`].
///
/// | setting | default | when it is reached |
/// |---|---|---|
/// | `guests` | 64 | the next guest waits |
/// | `memory` | 16 GiB | the next guest waits |
/// | `waiting` | 256 | [`Error::Busy`], `QueueFull` |
/// | `waiting_time` | 30 s | [`Error::Busy`], `WaitTimeout` |
/// | `sandboxes` | 64 | the least recently used one is dropped |
/// | `idle` | 15 min | the sandbox is dropped |
/// | `warm` | none | |
/// | `metrics` | none | |
#[must_use = "a builder does nothing until `build`"]
pub struct SandboxPoolBuilder<K> {
    make: Make<K>,
    guests: usize,
    memory: u64,
    waiting: usize,
    waiting_time: Duration,
    sandboxes: usize,
    idle: Duration,
    warm: Vec<(K, usize)>,
    metrics: Option<Metrics>,
}

impl<K> std::fmt::Debug for SandboxPoolBuilder<K> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SandboxPoolBuilder").finish_non_exhaustive()
    }
}

impl<K: Eq + Hash + Clone + Send + Sync + 'static> SandboxPoolBuilder<K> {
    pub(super) fn new(make: Make<K>) -> Self {
        Self {
            make,
            guests: 64,
            memory: 16 << 30,
            waiting: 256,
            waiting_time: Duration::from_secs(30),
            sandboxes: 64,
            idle: Duration::from_secs(15 * 60),
            warm: Vec::new(),
            metrics: None,
        }
    }

    /// Sets the maximum number of live guests of all sandboxes together. With 0 there is one. The engine can have a lower
    /// limit, with which [`Error::Unavailable`] is returned.
    pub fn guests(mut self, limit: usize) -> Self {
        self.guests = limit;
        self
    }

    /// Sets the maximum sum of the memory limits of live guests, in bytes; [`Limits::UNLIMITED`] for no limit. Guests that are
    /// kept ready do not count, and what a guest takes besides its own memory does not either: see the documentation of
    /// pools.
    pub fn memory(mut self, limit: u64) -> Self {
        self.memory = limit;
        self
    }

    /// Sets the maximum number of callers that wait for a place. The place of a guest is free shortly after its last result,
    /// so with 0, a caller can be refused that is the only one.
    pub fn waiting(mut self, limit: usize) -> Self {
        self.waiting = limit;
        self
    }

    /// Sets how long a caller waits for a place. This is not part of the timeout of a run. With [`Duration::ZERO`], a caller
    /// gets a place at once or fails.
    pub fn waiting_time(mut self, limit: Duration) -> Self {
        self.waiting_time = limit;
        self
    }

    /// Sets the maximum number of sandboxes that are kept. With 0 there is one. Sandboxes beyond it last as long as they are
    /// used.
    pub fn sandboxes(mut self, limit: usize) -> Self {
        self.sandboxes = limit;
        self
    }

    /// Sets after which time a sandbox is dropped that is not used. It is looked for once a second to once a minute.
    pub fn idle(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }

    /// Makes the sandbox for a key when the pool is built, keeps it as long as the pool exists, and keeps `guests` ready for it:
    /// [`SandboxBuilder::ready_guests`](crate::SandboxBuilder::ready_guests), at most 64.
    pub fn warm(mut self, key: K, guests: usize) -> Self {
        self.warm.push((key, guests));
        self
    }

    /// Counts guests, callers and sandboxes in these metrics. The sandboxes count their runs if their own builders are given
    /// metrics.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.metrics = Some(metrics.clone());
        self
    }

    /// Makes the pool, and the sandboxes that are to be warm. Their guests are started in the background.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if a key is warm twice, or if more keys are warm than there may be sandboxes; the errors of
    /// [`SandboxPool::get`] for the keys that are warm; [`Error::Io`] if a thread cannot be started.
    pub fn build(self) -> Result<SandboxPool<K>, Error> {
        let Self { make, guests, memory, waiting, waiting_time, sandboxes, idle, warm, metrics } = self;
        if warm.len() > sandboxes.max(1) {
            return Err(Error::invalid(
                format!("{} sandboxes are to be warm, and {} may be kept", warm.len(), sandboxes.max(1)),
                "raise `sandboxes` of the pool",
            ));
        }
        if warm.iter().enumerate().any(|(place, (key, _))| warm[..place].iter().any(|(other, _)| other == key)) {
            return Err(Error::invalid("a sandbox is to be warm twice", "name each key once"));
        }
        let memory = (memory != Limits::UNLIMITED).then_some(memory);
        let inner = Arc::new(Inner {
            make,
            kept: Kept::new(sandboxes, idle),
            queue: Queue::new(QueueLimits { running: guests, waiting, memory }),
            waiting_time,
            metrics: metrics.as_ref().map(Metrics::pool),
        });
        for (key, ready) in &warm {
            inner.get(key, Some(*ready))?;
        }
        let (sweeping, end) = mpsc::channel();
        let pool = Arc::downgrade(&inner);
        thread::Builder::new()
            .name("isolette-pool".into())
            .stack_size(512 << 10)
            .spawn(move || sweep(&pool, &end))
            .map_err(|error| Error::io("cannot start the thread that drops idle sandboxes", error))?;
        Ok(SandboxPool { inner, _sweeping: Arc::new(sweeping) })
    }
}
