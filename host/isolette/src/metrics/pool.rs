//! Metrics of pools of sandboxes.

use std::time::Instant;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};

use isolette_types::BusyReason;

/// The figures of all pools that share a registry. Clones share the same counters.
#[derive(Clone, Debug)]
pub(crate) struct PoolMetrics {
    guests: Gauge,
    memory: Gauge,
    waiting: Gauge,
    sandboxes: Gauge,
    wait_time: Histogram,
    refused: Family<Refused, Counter>,
    dropped: Family<Dropped, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refused {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Dropped {
    reason: &'static str,
}

impl PoolMetrics {
    /// Makes all figures zero and registers them.
    pub(super) fn register(registry: &mut Registry) -> Self {
        let families = Self {
            guests: Gauge::default(),
            memory: Gauge::default(),
            waiting: Gauge::default(),
            sandboxes: Gauge::default(),
            // From a tenth of a millisecond to a little more than three minutes.
            wait_time: Histogram::new(exponential_buckets(0.000_1, 4.0, 11)),
            refused: Family::default(),
            dropped: Family::default(),
        };
        registry.register("pool_guests", "Guests of pools that are live", families.guests.clone());
        let help = "Memory limits of those guests";
        registry.register_with_unit("pool_memory", help, Unit::Bytes, families.memory.clone());
        registry.register("pool_waiting", "Callers that wait for a place in a pool", families.waiting.clone());
        registry.register("pool_sandboxes", "Sandboxes that pools keep", families.sandboxes.clone());
        let help = "How long guests of pools waited for their places";
        registry.register_with_unit("pool_wait", help, Unit::Seconds, families.wait_time.clone());
        registry.register("pool_refused", "Guests that got no place in a pool", families.refused.clone());
        registry.register("pool_dropped", "Sandboxes that pools keep no longer", families.dropped.clone());
        families
    }

    /// Counts a caller that waits.
    pub(crate) fn wait(&self) -> PoolWait {
        self.waiting.inc();
        PoolWait { metrics: self.clone(), began: Instant::now() }
    }

    /// Counts a guest that has a place.
    pub(crate) fn begin(&self, memory: u64) {
        self.guests.inc();
        self.memory.inc_by(signed(memory));
    }

    /// Counts a guest that has ended.
    pub(crate) fn end(&self, memory: u64) {
        self.guests.dec();
        self.memory.dec_by(signed(memory));
    }

    /// Counts a guest that gets no place.
    pub(crate) fn refused(&self, reason: BusyReason) {
        self.refused.get_or_create(&Refused { reason: reason.as_str() }).inc();
    }

    /// Counts a sandbox that is kept.
    pub(crate) fn kept(&self) {
        self.sandboxes.inc();
    }

    /// Counts sandboxes that are kept no longer, for a reason if the pool has dropped them.
    pub(crate) fn dropped(&self, reason: Option<&'static str>, count: usize) {
        self.sandboxes.dec_by(i64::try_from(count).unwrap_or(i64::MAX));
        if let Some(reason) = reason {
            self.dropped.get_or_create(&Dropped { reason }).inc_by(count as u64);
        }
    }
}

/// Memory limits are at most 4 GiB, unless they are unlimited.
fn signed(memory: u64) -> i64 {
    i64::try_from(memory).unwrap_or(0)
}

/// A caller that waits, until this is dropped.
pub(crate) struct PoolWait {
    metrics: PoolMetrics,
    began: Instant,
}

impl PoolWait {
    /// The caller has got its place.
    pub(crate) fn served(self) {
        self.metrics.wait_time.observe(self.began.elapsed().as_secs_f64());
    }
}

impl Drop for PoolWait {
    fn drop(&mut self) {
        self.metrics.waiting.dec();
    }
}
