//! When a run has to be over.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use isolette_work::Interrupt;

use crate::{CpuMeter, Held, Stop};

/// A century: whoever asks for more does not mean it, and clocks must not overflow.
const FARTHEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// The end of a run's time, and the caller's wish to end it sooner. It holds for the guest and for every host call that
/// can block.
///
/// Everything that works for the run has a clone, so that [`Held`] lasts for as long as there is work for it.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    cancel: CancellationToken,
    cpu: Arc<CpuMeter>,
    _held: Held,
}

impl Deadline {
    /// A run that may take this long from now on, and this much time of a processor, until `cancel` is cancelled.
    pub fn new(limit: Duration, cpu_time: Duration, cancel: CancellationToken) -> Self {
        let now = Instant::now();
        // A limit past the end of the clock is the farthest time that every part of this can still reckon with.
        let at = now.checked_add(limit.min(FARTHEST)).unwrap_or(now);
        Self { at, cancel, cpu: Arc::new(CpuMeter::new(cpu_time)), _held: Held::default() }
    }

    /// Keeps values until nothing works for the run any more.
    pub fn holding(self, held: Held) -> Self {
        Self { _held: held, ..self }
    }

    /// When the wall time of the run is over.
    pub fn at(&self) -> Instant {
        self.at
    }

    /// How much wall time the run still has.
    pub fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Who measures the work for the run.
    pub fn cpu(&self) -> &CpuMeter {
        &self.cpu
    }

    /// Measures, and gives the time at which to measure again: that of the deadline at the latest.
    pub fn look(&self) -> Instant {
        Instant::now().checked_add(self.cpu.look().min(FARTHEST)).map_or(self.at, |next| next.min(self.at))
    }

    /// Whether the run may go on, as far as it is known; [`Deadline::look`] finds out more.
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

    /// Waits until the run has to end.
    pub async fn passed(&self) -> Stop {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Stop::Cancelled,
            () = tokio::time::sleep_until(self.at.into()) => Stop::Deadline,
        }
    }

    /// Runs a future, but not for longer than the run may last.
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
        assert!(deadline.left() > FARTHEST / 2);
        assert!(deadline.look() > Instant::now() + FARTHEST / 2);
    }
}
