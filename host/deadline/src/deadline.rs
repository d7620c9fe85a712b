//! The deadline of a run: its timeout, its CPU time limit, and its cancellation.

use std::{
    any::{Any, TypeId},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use isolette_work::Interrupt;

use crate::{CpuMeter, Held, Stop, wall_time::WallTime};

/// A century. Longer limits are cut to it, so that clocks do not overflow.
const FARTHEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Time between two looks whether the process of a guest still exists, while the guest waits.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

/// The time by which a run must end, and the token with which the caller cancels it. It applies to the guest and to
/// every host call that can block.
///
/// Everything that works for the run has a clone, so that [`Held`] lasts until all of that work has ended.
///
/// Wall time and CPU time do not pass while the run is paused.
#[derive(Clone, Debug)]
pub struct Deadline {
    wall: Arc<WallTime>,
    cancel: CancellationToken,
    cpu: Arc<CpuMeter>,
    held: Held,
}

impl Deadline {
    /// Creates the deadline of a run that may take `limit` of wall time from now on and `cpu_time` of CPU time, until
    /// `cancel` is cancelled.
    pub fn new(limit: Duration, cpu_time: Duration, cancel: CancellationToken) -> Self {
        // A limit past the end of the clock is replaced by the farthest time that all parts of the host can calculate
        // with.
        let wall = Arc::new(WallTime::new(limit.min(FARTHEST)));
        Self { wall, cancel, cpu: Arc::new(CpuMeter::new(cpu_time)), held: Held::default() }
    }

    /// Counts CPU time that the run has used before, in another process.
    #[must_use]
    pub fn after(self, cpu_time: Duration) -> Self {
        self.cpu.begin_at(cpu_time);
        self
    }

    /// Keeps these values until all work for the run has ended.
    pub fn holding(self, held: Held) -> Self {
        Self { held, ..self }
    }

    /// Returns when the wall time of the run is over, as far as is known: a century from now while the run is paused.
    pub fn at(&self) -> Instant {
        self.wall.end().unwrap_or_else(|| Instant::now() + FARTHEST)
    }

    /// Returns how much wall time the run has remaining.
    pub fn remaining(&self) -> Duration {
        self.wall.remaining()
    }

    /// Stops the wall time, until [`Deadline::go_on`].
    pub fn pause(&self) {
        self.wall.pause();
    }

    /// Continues the wall time.
    pub fn go_on(&self) {
        self.wall.go_on();
    }

    /// Returns the meter for the CPU time of the run.
    pub fn cpu(&self) -> &CpuMeter {
        &self.cpu
    }

    /// Measures the CPU time, and returns when to measure again: at the deadline at the latest.
    pub fn look(&self) -> Instant {
        let at = self.at();
        Instant::now().checked_add(self.cpu.look().min(FARTHEST)).map_or(at, |next| next.min(at))
    }

    /// Checks whether the run may continue, as of the last measurement; [`Deadline::look`] measures.
    ///
    /// # Errors
    /// The reason why the run must end: [`Stop::Cancelled`], [`Stop::Deadline`] or [`Stop::CpuTime`].
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            Err(Stop::Cancelled)
        } else if self.wall.is_over() {
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
            () = self.wall.over() => Stop::Deadline,
        }
    }

    /// Runs a future until it is ready, or until the run is cancelled, its wall time is over, or the process of its guest has ended.
    ///
    /// # Errors
    /// [`Stop::Cancelled`], [`Stop::Deadline`] or [`Stop::Gone`]; the future is dropped then.
    pub async fn bound<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        tokio::select! {
            biased;
            output = future => Ok(output),
            stop = self.passed() => Err(stop),
            () = self.is_without_guest() => Err(Stop::Gone),
        }
    }

    /// Waits until the process of the guest has ended, if it has one. The guest itself waits for the host meanwhile, so nothing else
    /// notices it.
    async fn is_without_guest(&self) {
        loop {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            match self.cpu.has_process() {
                Some(true) => {}
                Some(false) => return,
                None => std::future::pending().await,
            }
        }
    }
}

impl Interrupt for Deadline {
    fn is_over(&self) -> bool {
        self.check().is_err()
    }

    fn held(&self, kind: TypeId) -> Option<Arc<dyn Any + Send + Sync>> {
        self.held.find(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_time_does_not_pass_while_paused() {
        let deadline = Deadline::new(Duration::from_millis(50), Duration::MAX, CancellationToken::new());
        deadline.pause();
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(deadline.check(), Ok(()));
        assert!(deadline.remaining() > Duration::ZERO);
        deadline.go_on();
        assert_eq!(deadline.check(), Ok(()));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(deadline.check(), Err(Stop::Deadline));
    }

    #[test]
    fn no_limit_is_too_long_to_be_reckoned_with() {
        let deadline = Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new());
        assert_eq!(deadline.check(), Ok(()));
        assert!(deadline.remaining() > FARTHEST / 2);
        assert!(deadline.look() > Instant::now() + FARTHEST / 2);
    }
}
