//! How long a processor has worked for a guest.
//!
//! Whoever waits for a guest cannot see that from the time that passes, and a guest is not stopped to be looked at. So one
//! looks again when at the earliest the limit can have been reached, which is seldom.

use std::{
    fs,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use rustix::{
    thread::gettid,
    time::{ClockId, clock_gettime},
};

/// The system counts the time of other threads in hundredths of a second.
const SHORTEST_LOOK: Duration = Duration::from_millis(10);

/// Work of others that is over so soon counts as the guest's: to ask how much it was costs a good part of it.
const NOT_WORTH_ASKING: Duration = Duration::from_micros(20);

/// For so long it is good enough that a guest cannot have used more than the time that has passed.
const FRESH: Duration = Duration::from_millis(1);

/// The meter of one run.
#[derive(Debug)]
pub struct CpuMeter {
    limit: Duration,
    over: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The thread of the guest, and how much it had used when the run began.
    thread: Option<(ThreadId, i32, Duration)>,
    /// What others than the guest used on that thread.
    excluded: Duration,
    /// When somebody last asked what the thread has used, on that thread, and what that was.
    asked: Option<(Instant, Duration)>,
    /// What the thread had used when somebody else began to work there, who still does.
    paused: Option<Duration>,
    /// What it came to, once the run is over.
    total: Option<Duration>,
}

impl CpuMeter {
    /// A meter with this limit.
    pub fn new(limit: Duration) -> Self {
        Self { limit, over: AtomicBool::new(false), state: Mutex::default() }
    }

    /// The limit.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// The run begins, on this thread.
    pub fn enter(&self) {
        let used = of_this_thread();
        let mut state = self.state();
        state.thread = Some((thread::current().id(), gettid().as_raw_nonzero().get(), used));
        state.asked = Some((Instant::now(), used));
    }

    /// The run has ended, on this thread.
    pub fn leave(&self) {
        let used = self.used();
        self.state().total = Some(used);
    }

    /// Runs something on the guest's thread that is not the guest's. What is over in 20 µs counts as the guest's all the same;
    /// of what takes longer, at most a millisecond does. Never is more taken off than was used.
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

    /// What is used by now; asked from another thread, at least nearly so.
    pub fn used(&self) -> Duration {
        let state = self.state();
        match (state.total, state.thread) {
            (Some(total), _) => total,
            (None, None) => Duration::ZERO,
            (None, Some((thread, number, began))) => {
                let now = state.paused.or_else(|| {
                    if thread::current().id() == thread { Some(of_this_thread()) } else { of_other_thread(number) }
                });
                now.unwrap_or_default().saturating_sub(began).saturating_sub(state.excluded)
            }
        }
    }

    /// Looks, and gives the time after which to look again. From the moment that the limit was found to be reached it is.
    pub fn look(&self) -> Duration {
        let left = self.limit.saturating_sub(self.used());
        if left.is_zero() {
            self.over.store(true, Ordering::Relaxed);
        }
        left.max(SHORTEST_LOOK)
    }

    /// Whether the limit was found to be reached.
    pub fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The most that this thread can have used by now, at which the time of its guest stands still.
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
        // Whoever looks meanwhile must not take the work of others for the guest's either.
        self.paused = Some(used);
        used
    }
}

fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where there is no such file, guests are only found out when they look themselves.
fn of_other_thread(number: i32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/self/task/{number}/stat")).ok()?;
    // The name before may have anything in it. Of what follows, the 12th and 13th are times in user and system mode.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    let second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_millis(ticks.saturating_mul(1000) / second))
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
        meter.enter();
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
        meter.enter();
        for _ in 0..1000 {
            meter.exclude(|| burn(Duration::from_micros(200)));
        }
        meter.leave();
        // What lies between them is the test's own.
        assert!(meter.used() < Duration::from_millis(60), "{:?}", meter.used());
    }

    #[test]
    fn others_that_only_wait_give_no_time_back() {
        let meter = CpuMeter::new(Duration::from_secs(10));
        meter.enter();
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
            other.enter();
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
