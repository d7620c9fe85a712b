//! How guests of the sandboxes of a pool get their places.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use isolette_deadline::{runtime, wait_until};
use isolette_types::{BusyReason, Error};
use tokio_util::sync::CancellationToken;

use super::queue::{Place, Queue, Reason, Refused};
use crate::metrics::{PoolMetrics, PoolWait};

/// Up to this time a wait has no end: an addition to the present must not overflow.
const LONGEST: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// The terms on which one sandbox of a pool gets places for its guests.
#[derive(Clone, Debug)]
pub(crate) struct Admission {
    pub(crate) queue: Arc<Queue<u64>>,
    /// The number of the sandbox's key: sandboxes take turns.
    pub(crate) client: u64,
    /// How long a guest waits for its place.
    pub(crate) waiting_time: Duration,
    pub(crate) last_use: LastUse,
    pub(crate) metrics: Option<PoolMetrics>,
}

/// When a sandbox was last used. Clones share the time.
#[derive(Clone, Debug)]
pub(crate) struct LastUse(Arc<Mutex<Instant>>);

impl LastUse {
    pub(crate) fn new(now: Instant) -> Self {
        Self(Arc::new(Mutex::new(now)))
    }

    pub(crate) fn touch(&self, now: Instant) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    pub(crate) fn time(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a live guest, with its memory. Everything that belongs to the guest shares it: the place is free when the
/// guest's memory is, and no run or session refers to it any more.
#[derive(Debug)]
pub(crate) struct GuestPlace {
    place: Option<Place<u64>>,
    memory: u64,
    last_use: LastUse,
    metrics: Option<PoolMetrics>,
}

impl Admission {
    /// Fails if there can be no place with this much memory, in bytes, or none at all.
    pub(crate) fn check(&self, memory: u64) -> Result<(), Error> {
        self.queue.check(memory).map_err(|refused| self.refused(refused, memory))
    }

    /// Waits for a place on the caller's thread.
    pub(crate) fn wait(&self, memory: u64, cancel: Option<&CancellationToken>) -> Result<Arc<GuestPlace>, Error> {
        let end = Instant::now() + self.waiting_time.min(LONGEST);
        wait_until(end, self.turn(memory, cancel)).unwrap_or_else(|| Err(self.too_late()))
    }

    /// Waits for a place, on any runtime. Dropping the future leaves the queue.
    pub(crate) async fn wait_async(
        &self,
        memory: u64,
        cancel: Option<&CancellationToken>,
    ) -> Result<Arc<GuestPlace>, Error> {
        let end = {
            let _timers = runtime()?.enter();
            tokio::time::sleep(self.waiting_time.min(LONGEST))
        };
        tokio::select! {
            biased;
            turn = self.turn(memory, cancel) => turn,
            () = end => Err(self.too_late()),
        }
    }

    /// Waits for a place without an end, unless it is cancelled.
    async fn turn(&self, memory: u64, cancel: Option<&CancellationToken>) -> Result<Arc<GuestPlace>, Error> {
        let wait = self.metrics.as_ref().map(PoolMetrics::wait);
        let cancelled = async {
            match cancel {
                Some(cancel) => cancel.cancelled().await,
                None => std::future::pending().await,
            }
        };
        let place = tokio::select! {
            biased;
            () = cancelled => return Err(Error::Cancelled { partial: Box::default() }),
            place = self.queue.enter(self.client, memory) => place,
        };
        let place = place.map_err(|refused| self.refused(refused, memory))?;
        wait.into_iter().for_each(PoolWait::served);
        if let Some(metrics) = &self.metrics {
            metrics.begin(memory);
        }
        let (last_use, metrics) = (self.last_use.clone(), self.metrics.clone());
        Ok(Arc::new(GuestPlace { place: Some(place), memory, last_use, metrics }))
    }

    fn too_late(&self) -> Error {
        let (running, _) = self.queue.running();
        let (waiting, limit) = (self.queue.waiting(), self.waiting_time);
        let message =
            format!("no place became free within {limit:?} ({running} guests are live, {waiting} callers wait)");
        self.busy(
            BusyReason::WaitTimeout,
            message,
            "try again later, raise `guests`, `memory` or `waiting_time` of the pool",
        )
    }

    fn refused(&self, refused: Refused, memory: u64) -> Error {
        let Refused { reason, running, waiting } = refused;
        match reason {
            Reason::Full => self.busy(
                BusyReason::QueueFull,
                format!("{running} guests are live and {waiting} callers wait, as many as may"),
                "try again later, or raise `guests`, `memory` or `waiting` of the pool",
            ),
            Reason::Closed => self.busy(
                BusyReason::Draining,
                "the pool is drained and starts no further guests".into(),
                "use another server, or another pool",
            ),
            Reason::TooLarge => Error::invalid(
                format!("a guest of this sandbox may use {memory} bytes, more than all guests of the pool together"),
                "lower `limits.memory` of the sandbox, or raise `memory` of the pool",
            ),
        }
    }

    fn busy(&self, reason: BusyReason, message: String, hint: &str) -> Error {
        if let Some(metrics) = &self.metrics {
            metrics.refused(reason);
        }
        Error::Busy { reason, message, hint: hint.into() }
    }
}

impl Drop for GuestPlace {
    fn drop(&mut self) {
        self.last_use.touch(Instant::now());
        if let Some(metrics) = &self.metrics {
            metrics.end(self.memory);
        }
        // The figures are right when the next guest has the place.
        drop(self.place.take());
    }
}
