//! The deadline of a run: its timeout, its CPU time limit, and its cancellation.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use isolette_work::Interrupt;

use crate::{CpuMeter, Held, Stop};

/// A century. Longer limits are cut to it, so that clocks do not overflow.
const FARTHEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// The time by which a run must end, and the token with which the caller cancels it. It applies to the guest and to
/// every host call that can block.
///
/// Everything that works for the run has a clone, so that [`Held`] lasts until all of that work has ended.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    cancel: CancellationToken,
    cpu: Arc<CpuMeter>,
    _held: Held,
}

impl Deadline {
    /// Creates the deadline of a run that may take `limit` of wall time from now on and `cpu_time` of CPU time, until
    /// `cancel` is cancelled.
    pub fn new(limit: Duration, cpu_time: Duration, cancel: CancellationToken) -> Self {
        let now = Instant::now();
        // A limit past the end of the clock is replaced by the farthest time that all parts of the host can calculate
        // with.
        let at = now.checked_add(limit.min(FARTHEST)).unwrap_or(now);
        Self { at, cancel, cpu: Arc::new(CpuMeter::new(cpu_time)), _held: Held::default() }
    }

    /// Keeps these values until all work for the run has ended.
    pub fn holding(self, held: Held) -> Self {
        Self { _held: held, ..self }
    }

    /// Returns when the wall time of the run is over.
    pub fn at(&self) -> Instant {
        self.at
    }

    /// Returns how much wall time the run has remaining.
    pub fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Returns the meter for the CPU time of the run.
    pub fn cpu(&self) -> &CpuMeter {
        &self.cpu
    }

    /// Measures the CPU time, and returns when to measure again: at the deadline at the latest.
    pub fn look(&self) -> Instant {
        Instant::now().checked_add(self.cpu.look().min(FARTHEST)).map_or(self.at, |next| next.min(self.at))
    }

    /// Checks whether the run may continue, as of the last measurement; [`Deadline::look`] measures.
    ///
    /// # Errors
    /// The reason why the run must end: [`Stop::Cancelled`], [`Stop::Deadline`] or [`Stop::CpuTime`].
    pub fn check(&self) -> Result<(), Stop> {
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

    /// Waits until the run is cancelled or its wall time is over, and returns which. It does not measure CPU time.
    pub async fn passed(&self) -> Stop {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Stop::Cancelled,
            () = tokio::time::sleep_until(self.at.into()) => Stop::Deadline,
        }
    }

    /// Runs a future until it is ready, or until the run is cancelled or its wall time is over.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] or [`Stop::Deadline`]; the future is dropped then.
    pub async fn bound<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        tokio::select! {
            biased;
            output = future => Ok(output),
            stop = self.passed() => Err(stop),
        }
    }
}

impl Interrupt for Deadline {
    fn is_over(&self) -> bool {
        self.check().is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_too_long_to_be_reckoned_with() {
        let deadline = Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new());
        assert_eq!(deadline.check(), Ok(()));
        assert!(deadline.remaining() > FARTHEST / 2);
        assert!(deadline.look() > Instant::now() + FARTHEST / 2);
    }
}
