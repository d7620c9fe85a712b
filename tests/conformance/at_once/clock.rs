//! A virtual clock for tools: a call says how long it takes, and completes when the clock has advanced that far.
//!
//! The clock advances when the number of calls has come that the expectation of the program names, so nothing depends on real
//! time. Calls that complete at different times of one step complete in that order.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

/// After this number of calls, counted from the beginning, the clock advances so often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) calls: usize,
    pub(super) times: Vec<u64>,
}

/// How often the runtime does something else before the next call completes.
const YIELDS: usize = 64;

/// The time at which a call completes that never does.
const NEVER: u64 = u64::MAX;

pub(super) struct Clock(Mutex<State>);

struct State {
    now: u64,
    calls: usize,
    /// The calls that have not ended, and the largest number of them.
    open: usize,
    most_open: usize,
    /// By the time of completion, and the number of the call.
    pending: BTreeMap<Key, oneshot::Sender<()>>,
    /// Calls whose time has come, and the one of them that is completing. They complete one after the other, since the order
    /// in which programs get results is that of completion.
    due: VecDeque<(Key, oneshot::Sender<()>)>,
    completing: Option<Key>,
    expected: VecDeque<Step>,
    taken: Vec<Step>,
    changed: Instant,
}

impl Clock {
    pub(super) fn new(expected: Vec<Step>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            now: 0,
            calls: 0,
            open: 0,
            most_open: 0,
            pending: BTreeMap::new(),
            due: VecDeque::new(),
            completing: None,
            expected: expected.into(),
            taken: Vec::new(),
            changed: Instant::now(),
        })))
    }

    /// A clock that advances when a program makes no calls for a while: for the first version of an expectation.
    pub(super) fn advancing() -> Arc<Self> {
        const QUIET: Duration = Duration::from_millis(400);
        let clock = Self::new(Vec::new());
        let weak = Arc::downgrade(&clock);
        thread::spawn(move || {
            while let Some(clock) = weak.upgrade() {
                let mut state = clock.state();
                if state.changed.elapsed() > QUIET && !state.pending.is_empty() {
                    state.advance();
                    state.changed = Instant::now();
                }
                drop(state);
                drop(clock);
                thread::sleep(QUIET / 20);
            }
        });
        clock
    }

    /// Returns after this many virtual milliseconds; `None` never does.
    pub(super) async fn pass(self: &Arc<Self>, milliseconds: Option<u64>) {
        let (_pending, completed) = self.begin(milliseconds);
        // Senders are used, and not dropped before.
        let _ = completed.await;
    }

    fn begin(self: &Arc<Self>, milliseconds: Option<u64>) -> (Pending, oneshot::Receiver<()>) {
        let (sender, completed) = oneshot::channel();
        let mut state = self.state();
        state.calls += 1;
        state.open += 1;
        state.most_open = state.most_open.max(state.open);
        state.changed = Instant::now();
        let key = (milliseconds.map_or(NEVER, |milliseconds| state.now + milliseconds), state.calls);
        state.pending.insert(key, sender);
        state.advance_as_expected();
        (Pending(Arc::clone(self), key), completed)
    }

    /// The time, and how the clock came to it.
    pub(super) fn taken(&self) -> (u64, Vec<Step>) {
        let state = self.state();
        (state.now, state.taken.clone())
    }

    /// The largest number of calls that were open at the same time.
    pub(super) fn most_open(&self) -> usize {
        self.state().most_open
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn advance_as_expected(&mut self) {
        while self.expected.front().is_some_and(|step| step.calls <= self.calls) {
            let step = self.expected.pop_front();
            for _ in step.into_iter().flat_map(|step| step.times) {
                self.advance();
            }
        }
    }

    /// Completes the next call that is due, unless another one is completing.
    fn complete(&mut self) {
        while self.completing.is_none()
            && let Some((key, sender)) = self.due.pop_front()
        {
            // A call that was cancelled has no receiver.
            if sender.send(()).is_ok() {
                self.completing = Some(key);
            }
        }
    }

    /// Completes the calls that are the next to complete.
    fn advance(&mut self) {
        let Some((&(time, _), _)) = self.pending.first_key_value().filter(|((time, _), _)| *time != NEVER) else {
            return;
        };
        self.now = time;
        while let Some(first) = self.pending.first_entry()
            && first.key().0 == self.now
        {
            self.due.push_back(first.remove_entry());
        }
        self.complete();
        match self.taken.last_mut() {
            Some(step) if step.calls == self.calls => step.times.push(self.now),
            _ => self.taken.push(Step { calls: self.calls, times: vec![self.now] }),
        }
    }
}

/// The time at which a call completes, and its number.
type Key = (u64, usize);

/// A call that has not completed. It ends early if it is cancelled.
struct Pending(Arc<Clock>, Key);

impl Drop for Pending {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.open -= 1;
        state.pending.remove(&self.1);
        state.due.retain(|(key, _)| *key != self.1);
        if state.completing != Some(self.1) {
            return;
        }
        drop(state);
        // The result of this call comes before that of the next one, which another thread may return.
        let clock = Arc::clone(&self.0);
        tokio::spawn(async move {
            for _ in 0..YIELDS {
                tokio::task::yield_now().await;
            }
            let mut state = clock.state();
            state.completing = None;
            state.complete();
        });
    }
}
