//! Metrics of a long-running host, in the text format that Prometheus reads.

mod pool;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::{Registry, Unit},
};

use isolette_engine::thread_count;
use isolette_types::{CallOutcome, CapabilityKind, Language};

pub(crate) use self::pool::{PoolMetrics, PoolWait};

/// Counts runs, host calls and guests of the sandboxes that it is passed to:
/// [`SandboxBuilder::metrics`](crate::builder::SandboxBuilder::metrics). Clones share the same counters.
///
/// | metric | labels | meaning |
/// |---|---|---|
/// | `isolette_runs_total` | `language`, `ending` | ended programs, by `ok`, `exception`, or the name of the error |
/// | `isolette_run_duration_seconds` | `language` | time from the request to the result |
/// | `isolette_runs_live` | | programs that are running |
/// | `isolette_host_calls_total` | `capability`, `outcome` | host calls to tools, HTTP, interfaces and files |
/// | `isolette_host_call_duration_seconds` | `capability` | duration of those calls |
/// | `isolette_guests_live` | | live guests, those of sessions included |
/// | `isolette_guest_threads` | `state` | guest threads of the process: `busy`, or `idle` and kept for reuse |
/// | `isolette_pool_guests` | | live guests of pools ([`SandboxPool`](crate::SandboxPool)), whose figures are summed up |
/// | `isolette_pool_memory_bytes` | | memory limits of those guests |
/// | `isolette_pool_waiting` | | callers that wait for a place in a pool |
/// | `isolette_pool_wait_seconds` | | how long guests of pools waited for their places |
/// | `isolette_pool_refused_total` | `reason` | guests that got no place: `queue_full`, `wait_timeout`, `draining` |
/// | `isolette_pool_sandboxes` | | sandboxes that pools keep |
/// | `isolette_pool_dropped_total` | `reason` | sandboxes that pools have dropped: `idle`, or `limit` for too many |
///
/// No label has a value that a program can choose.
#[derive(Clone)]
pub struct Metrics(Arc<Families>);

struct Families {
    registry: Mutex<Registry>,
    runs: Family<Run, Counter>,
    run_time: Family<Of, Histogram>,
    runs_live: Gauge,
    calls: Family<Call, Counter>,
    call_time: Family<By, Histogram>,
    guests: Gauge,
    threads: Family<State, Gauge>,
    pool: PoolMetrics,
    read: Mutex<Vec<(Gauge, Read)>>,
}

/// Reads the current value of a gauge of the embedder.
type Read = Box<dyn Fn() -> u64 + Send>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Run {
    language: &'static str,
    ending: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    language: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    capability: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct By {
    capability: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

/// Buckets from one millisecond to half a minute.
fn of_runs() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 16))
}

/// Buckets from ten microseconds to ten seconds.
fn of_calls() -> Histogram {
    Histogram::new(exponential_buckets(0.000_01, 4.0, 11))
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Metrics")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Metrics {
    /// The media type of [`Metrics::text`], for the `Content-Type` header.
    pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// Makes a registry with all counters at zero.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("isolette");
        let families = Families {
            runs: Family::default(),
            run_time: Family::new_with_constructor(of_runs as fn() -> Histogram),
            runs_live: Gauge::default(),
            calls: Family::default(),
            call_time: Family::new_with_constructor(of_calls as fn() -> Histogram),
            guests: Gauge::default(),
            threads: Family::default(),
            pool: PoolMetrics::register(&mut registry),
            registry: Mutex::default(),
            read: Mutex::default(),
        };
        registry.register("runs", "Programs that have ended", families.runs.clone());
        let help = "From the request to the outcome";
        registry.register_with_unit("run_duration", help, Unit::Seconds, families.run_time.clone());
        registry.register("runs_live", "Programs that run", families.runs_live.clone());
        registry.register("host_calls", "Host calls that reach something", families.calls.clone());
        let help = "How long host calls took";
        registry.register_with_unit("host_call_duration", help, Unit::Seconds, families.call_time.clone());
        registry.register("guests_live", "Instances, those of sessions included", families.guests.clone());
        registry.register("guest_threads", "Threads for instances", families.threads.clone());
        *families.registry.lock().unwrap_or_else(PoisonError::into_inner) = registry;
        Self(Arc::new(families))
    }

    /// Adds a gauge of the embedder. `read` is called for each [`Metrics::text`]. `name` gets the prefix `isolette_`.
    pub fn gauge(&self, name: &str, help: &str, read: impl Fn() -> u64 + Send + 'static) {
        let gauge = Gauge::default();
        self.0.registry.lock().unwrap_or_else(PoisonError::into_inner).register(name, help, gauge.clone());
        self.0.read.lock().unwrap_or_else(PoisonError::into_inner).push((gauge, Box::new(read)));
    }

    /// Returns the current values of all metrics in the OpenMetrics text format; its media type is
    /// [`Metrics::CONTENT_TYPE`].
    #[must_use]
    pub fn text(&self) -> String {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        for (gauge, read) in &*self.0.read.lock().unwrap_or_else(PoisonError::into_inner) {
            gauge.set(signed(read()));
        }
        let (busy, idle) = thread_count();
        for (state, count) in [("busy", busy), ("idle", idle)] {
            self.0.threads.get_or_create(&State { state }).set(signed(count as u64));
        }
        let mut written = String::new();
        // Writing to a `String` does not fail.
        let _ = text::encode(&mut written, &self.0.registry.lock().unwrap_or_else(PoisonError::into_inner));
        written
    }

    pub(crate) fn run(&self, language: Language, began: Instant) -> LiveRun {
        self.0.runs_live.inc();
        // The ending of a run that is dropped before its result.
        LiveRun { families: Arc::clone(&self.0), language: language.name(), began, ending: Some("Cancelled") }
    }

    pub(crate) fn call(&self, capability: CapabilityKind, outcome: CallOutcome, time: Duration) {
        let (capability, outcome) = (capability.as_str(), outcome.as_str());
        self.0.calls.get_or_create(&Call { capability, outcome }).inc();
        self.0.call_time.get_or_create(&By { capability }).observe(time.as_secs_f64());
    }

    pub(crate) fn pool(&self) -> PoolMetrics {
        self.0.pool.clone()
    }

    pub(crate) fn guest(&self) -> LiveGuest {
        self.0.guests.inc();
        LiveGuest(self.0.guests.clone())
    }
}

/// A running program; dropping it counts the end of the run.
pub(crate) struct LiveRun {
    families: Arc<Families>,
    language: &'static str,
    began: Instant,
    /// `None` if it continues in another process.
    ending: Option<&'static str>,
}

impl LiveRun {
    pub(crate) fn end(mut self, ending: &'static str) {
        self.ending = Some(ending);
    }

    /// The run does not end: it continues in another process.
    pub(crate) fn leave(mut self) {
        self.ending = None;
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        let Self { families, language, began, ending } = self;
        families.runs_live.dec();
        let Some(ending) = *ending else { return };
        families.runs.get_or_create(&Run { language, ending }).inc();
        families.run_time.get_or_create(&Of { language }).observe(began.elapsed().as_secs_f64());
    }
}

/// A live guest; dropping it counts the end of the guest.
#[derive(Debug)]
pub(crate) struct LiveGuest(Gauge);

impl Drop for LiveGuest {
    fn drop(&mut self) {
        self.0.dec();
    }
}
