//! When a run has to be over.

use std::{
    any::Any,
    fmt,
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use super::CpuMeter;

/// A century: whoever asks for more does not mean it, and clocks must not overflow.
const FARTHEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Why the host ends a guest. Nothing of this can be caught inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The wall time of the run is over.
    Deadline,
    /// The caller has lost interest.
    Cancelled,
    /// The guest sent bytes that no guest of ours sends.
    Malformed,
    /// A processor has worked for it for long enough.
    CpuTime,
    /// It has slept for long enough.
    Sleep,
    /// It asked more often in a second than it may.
    HostCalls,
    /// What it does can no longer be put on record.
    Unrecorded,
    /// Its records fill as much of the audit as they may.
    AuditBytes,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Deadline => "the time of the run is over",
            Self::Cancelled => "the run was cancelled",
            Self::Malformed => "the guest sent a malformed message",
            Self::CpuTime => "the processor time of the run is over",
            Self::Sleep => "the run has slept for as long as it may",
            Self::HostCalls => "the guest called the host too often",
            Self::Unrecorded => "the audit cannot be written",
            Self::AuditBytes => "the run has filled its part of the audit",
        })
    }
}

impl std::error::Error for Stop {}

/// The end of a run's time, and the caller's wish to end it sooner. It holds for the guest and for every host call that
/// can block.
///
/// Everything that works for the run has a clone, so that [`Held`] lasts for as long as there is work for it.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    cancel: CancellationToken,
    cpu: Arc<CpuMeter>,
    _held: Held,
}

/// Values that are dropped when nothing works for a run any more, such as its place in a queue.
#[derive(Clone, Default)]
pub(crate) struct Held(Vec<Arc<dyn Any + Send + Sync>>);

impl Held {
    pub(crate) fn keep(&mut self, held: impl Send + Sync + 'static) {
        self.0.push(Arc::new(held));
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Held({})", self.0.len())
    }
}

impl Deadline {
    pub(crate) fn new(limit: Duration, cpu_time: Duration, cancel: CancellationToken) -> Self {
        let now = Instant::now();
        // A limit past the end of the clock is the farthest time that every part of this can still reckon with.
        let at = now.checked_add(limit.min(FARTHEST)).unwrap_or(now);
        Self { at, cancel, cpu: Arc::new(CpuMeter::new(cpu_time)), _held: Held::default() }
    }

    /// Keeps values until nothing works for the run any more.
    pub(crate) fn holding(self, held: Held) -> Self {
        Self { _held: held, ..self }
    }

    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    pub(crate) fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Who measures the work for the run.
    pub(crate) fn cpu(&self) -> &CpuMeter {
        &self.cpu
    }

    /// Measures, and gives the time at which to measure again: that of the deadline at the latest.
    pub(crate) fn look(&self) -> Instant {
        Instant::now().checked_add(self.cpu.look().min(FARTHEST)).map_or(self.at, |next| next.min(self.at))
    }

    /// Whether the run may go on, as far as it is known; [`Deadline::look`] finds out more.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            Err(Stop::Cancelled)
        } else if Instant::now() >= self.at {
            Err(Stop::Deadline)
        } else if self.cpu.over() {
            Err(Stop::CpuTime)
        } else {
            Ok(())
        }
    }

    /// Waits until the run has to end.
    pub(crate) async fn passed(&self) -> Stop {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Stop::Cancelled,
            () = tokio::time::sleep_until(self.at.into()) => Stop::Deadline,
        }
    }

    /// Runs a future, but not for longer than the run may last.
    pub(crate) async fn bound<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        tokio::select! {
            biased;
            output = future => Ok(output),
            stop = self.passed() => Err(stop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_too_long_to_be_reckoned_with() {
        let deadline = Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new());
        assert_eq!(deadline.check(), Ok(()));
        assert!(deadline.left() > FARTHEST / 2);
        assert!(deadline.look() > Instant::now() + FARTHEST / 2);
    }
}
