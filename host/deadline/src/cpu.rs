//! Measures the CPU time that a run uses.
//!
//! Elapsed time does not show how much CPU time a guest has used, and the guest is not interrupted to measure it. The
//! host therefore measures again at the earliest time at which the limit can have been reached, which is seldom.

use std::{
    fs,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use crate::{ProcessClock, ticks::ticks};
use rustix::{
    thread::gettid,
    time::{ClockId, clock_gettime},
};

/// Minimum interval between two measurements. The system counts the CPU time of other threads in hundredths of a
/// second.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

/// Host work shorter than this is counted as the guest's: measuring it would cost a good part of that time.
const NOT_WORTH_ASKING: Duration = Duration::from_micros(20);

/// Up to this long after a measurement, elapsed time bounds the CPU time used since, so the host does not measure
/// again.
const FRESH: Duration = Duration::from_millis(1);

/// Measures the CPU time of one run against its limit.
///
/// The thread that runs the guest calls [`CpuMeter::enter`] and [`CpuMeter::leave`]; any thread may call the other
/// methods, except [`CpuMeter::exclude`], which also belongs on the guest's thread.
#[derive(Debug)]
pub struct CpuMeter {
    limit: Duration,
    over: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The thread of the guest, its system thread number, and the CPU time that it had used when the run began.
    thread: Option<(ThreadId, i32, Duration)>,
    /// The process of the guest, and the CPU time that it had used when the run began.
    process: Option<(ProcessClock, Duration)>,
    /// CPU time on that thread that was not used by the guest.
    excluded: Duration,
    /// When the CPU time of the thread was last measured on that thread, and the result.
    asked: Option<(Instant, Duration)>,
    /// The CPU time of the thread when host work began there, while that work runs. `None` while the guest runs.
    paused: Option<Duration>,
    /// The CPU time of the run, once it has ended or as long as it is paused.
    total: Option<Duration>,
    /// The CPU time before the last pause.
    before: Duration,
}

impl CpuMeter {
    /// Creates a meter with this limit. It measures from [`CpuMeter::enter`] on.
    pub fn new(limit: Duration) -> Self {
        Self { limit, over: AtomicBool::new(false), state: Mutex::default() }
    }

    /// Returns the limit.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Counts CPU time that the run has used before it is measured.
    pub(crate) fn begin_at(&self, used: Duration) {
        self.state().total = Some(used);
    }

    /// Begins to measure: the run begins or continues, on the current thread, and in a process of its own if there is one.
    pub fn enter(&self, process: Option<ProcessClock>) {
        let used = of_this_thread();
        let mut state = self.state();
        state.before = state.total.take().unwrap_or_default();
        state.excluded = Duration::ZERO;
        state.process = process.map(|process| {
            let used = process.used();
            (process, used)
        });
        state.thread = Some((thread::current().id(), gettid().as_raw_nonzero().get(), used));
        state.asked = Some((Instant::now(), used));
    }

    /// Stops measuring: the run has ended or is paused, on the current thread.
    pub fn leave(&self) {
        let used = self.used();
        self.state().total = Some(used);
    }

    /// Runs `work`, which is not the guest's, on the guest's thread, and does not count its CPU time.
    ///
    /// Work that takes less than 20 µs is counted as the guest's all the same; of longer work, at most one millisecond
    /// is. The meter never subtracts more than was used.
    pub fn exclude<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let before = self.state().most_used(began);
        let done = work();
        let ended = Instant::now();
        let mut state = self.state();
        state.paused = None;
        if ended.saturating_duration_since(began) >= NOT_WORTH_ASKING {
            let now = of_this_thread();
            state.asked = Some((ended, now));
            state.excluded += now.saturating_sub(before);
        }
        done
    }

    /// Does not count CPU time that the guest's thread has used to wait for the guest.
    pub fn exclude_wait(&self, used: Duration) {
        self.state().excluded += used;
    }

    /// Returns the CPU time used so far; from another thread than the guest's, with the precision of the system's clock
    /// ticks.
    pub fn used(&self) -> Duration {
        let state = self.state();
        match (state.total, state.thread) {
            (Some(total), _) => total,
            (None, None) => Duration::ZERO,
            (None, Some((thread, number, began))) => {
                let now = state.paused.or_else(|| {
                    if thread::current().id() == thread { Some(of_this_thread()) } else { of_other_thread(number) }
                });
                let process = state.process.as_ref();
                let process = process.map(|(process, began)| process.used().saturating_sub(*began)).unwrap_or_default();
                let now = now.unwrap_or_default().saturating_sub(began).saturating_sub(state.excluded);
                state.before + now + process
            }
        }
    }

    /// Measures, and returns the time to wait before the next measurement, at least 10 ms. Once the limit is found to
    /// be reached, [`CpuMeter::over`] returns `true`.
    pub fn look(&self) -> Duration {
        let remaining = self.limit.saturating_sub(self.used());
        if remaining.is_zero() {
            self.over.store(true, Ordering::Relaxed);
        }
        remaining.max(SHORTEST_LOOK)
    }

    /// Returns whether a measurement found that the limit was reached.
    pub fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Returns whether the process of the guest exists. `None` if the guest has no process of its own.
    pub(crate) fn has_process(&self) -> Option<bool> {
        self.state().process.as_ref().map(|(process, _)| !process.has_ended())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the most CPU time that this thread can have used by now, and pauses the guest's time at that value.
    fn most_used(&mut self, now: Instant) -> Duration {
        let known = self.asked.map(|(asked, used)| (now.saturating_duration_since(asked), used));
        let used = match known.filter(|(since, _)| *since < FRESH) {
            Some((since, used)) => used + since,
            None => {
                let used = of_this_thread();
                self.asked = Some((now, used));
                used
            }
        };
        // A measurement from another thread must not count the host's work as the guest's meanwhile.
        self.paused = Some(used);
        used
    }
}

fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the CPU time of another thread of this process. `None` where the system has no such file; then a limit is
/// only noticed when the guest's own thread measures.
fn of_other_thread(number: i32) -> Option<Duration> {
    ticks(&fs::read_to_string(format!("/proc/self/task/{number}/stat")).ok()?)
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, sync::Arc};

    use super::*;

    fn burn(time: Duration) {
        let began = of_this_thread();
        let mut number = 1_u64;
        while of_this_thread() - began < time {
            number = black_box(number.wrapping_mul(3));
        }
    }

    #[test]
    fn work_counts_and_the_work_of_tools_does_not() {
        let meter = CpuMeter::new(Duration::from_secs(10));
        meter.enter(None);
        burn(Duration::from_millis(30));
        meter.exclude(|| burn(Duration::from_millis(200)));
        meter.leave();
        let used = meter.used();
        assert!(used >= Duration::from_millis(30) && used < Duration::from_millis(150), "{used:?}");
        assert!(!meter.over());
    }

    #[test]
    fn many_short_works_of_others_do_not_add_up() {
        let meter = CpuMeter::new(Duration::from_secs(10));
        meter.enter(None);
        for _ in 0..1000 {
            meter.exclude(|| burn(Duration::from_micros(200)));
        }
        meter.leave();
        // The time between the calls is the test's own.
        assert!(meter.used() < Duration::from_millis(60), "{:?}", meter.used());
    }

    #[test]
    fn others_that_only_wait_give_no_time_back() {
        let meter = CpuMeter::new(Duration::from_secs(10));
        meter.enter(None);
        burn(Duration::from_millis(20));
        for _ in 0..20 {
            meter.exclude(|| thread::sleep(Duration::from_millis(1)));
        }
        meter.leave();
        assert!(meter.used() >= Duration::from_millis(20), "{:?}", meter.used());
    }

    #[test]
    fn another_thread_sees_it_too() {
        let meter = Arc::new(CpuMeter::new(Duration::from_millis(50)));
        let other = Arc::clone(&meter);
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        let (burnt, is_burnt) = std::sync::mpsc::channel();
        let guest = thread::spawn(move || {
            other.enter(None);
            burn(Duration::from_millis(200));
            burnt.send(()).unwrap();
            let _ = is_done.recv();
        });
        is_burnt.recv().unwrap();
        meter.look();
        assert!(meter.over(), "{:?}", meter.used());
        drop(done);
        guest.join().unwrap();
    }
}
