//! Guests that are kept ready in advance.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use crate::{Engine, threads};

/// Maximum number of guests of one image that are kept ready, whatever is requested. Micro-VMs of different sizes count
/// separately.
pub const READY_LIMIT: usize = 64;

/// Keeps a number of guests ready, until it is dropped. Several of them for one image add up, to [`READY_LIMIT`].
pub struct ReadyGuests {
    engine: Arc<dyn Engine>,
    memory_limit: u64,
    count: usize,
}

impl fmt::Debug for ReadyGuests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReadyGuests").field("count", &self.count).finish_non_exhaustive()
    }
}

impl ReadyGuests {
    /// Starts guests in the background, until as many are ready. An engine that has none ready ignores this.
    /// `memory_limit` is in bytes.
    #[must_use]
    pub fn keep(engine: &Arc<dyn Engine>, memory_limit: u64, count: usize) -> Option<Self> {
        if count == 0 {
            return None;
        }
        engine.keep_ready(memory_limit, count);
        let for_thread = Arc::clone(engine);
        if let Err(error) = threads::spawn(&[], move || for_thread.fill(memory_limit)) {
            tracing::debug!(%error, "no thread starts guests in advance");
        }
        Some(Self { engine: Arc::clone(engine), memory_limit, count })
    }
}

impl Drop for ReadyGuests {
    fn drop(&mut self) {
        self.engine.release_ready(self.memory_limit, self.count);
    }
}

/// The number of guests that an engine is to keep ready.
#[derive(Debug, Default)]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "only guests outside of this process are kept ready")
)]
pub(crate) struct Wanted {
    count: AtomicUsize,
    is_filling: AtomicBool,
}

#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "only guests outside of this process are kept ready")
)]
impl Wanted {
    pub(crate) fn add(&self, count: usize) {
        self.count.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn remove(&self, count: usize) {
        self.count.fetch_sub(count, Ordering::Relaxed);
    }

    /// The number of guests that were requested, up to the limit.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed).min(READY_LIMIT)
    }

    /// Calls `fill` on another thread if only half of the requested guests are ready, and if this is not being done.
    pub(crate) fn refill<T: Send + Sync + 'static>(
        owner: &Arc<T>,
        wanted: fn(&T) -> &Self,
        ready: usize,
        fill: impl FnOnce(&T) + Send + 'static,
    ) {
        let this = wanted(owner);
        if ready * 2 > this.count() || this.count() == 0 || this.is_filling.swap(true, Ordering::AcqRel) {
            return;
        }
        let for_thread = Filling { owner: Arc::clone(owner), wanted };
        // If there is no thread, the task is dropped, and with it the mark.
        let _ = threads::spawn(&[], move || fill(&for_thread.owner));
    }
}

/// Marks that guests are being started, until it is dropped.
struct Filling<T> {
    owner: Arc<T>,
    wanted: fn(&T) -> &Wanted,
}

impl<T> Drop for Filling<T> {
    fn drop(&mut self) {
        (self.wanted)(&self.owner).is_filling.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn requests_add_up_to_the_limit() {
        let wanted = Wanted::default();
        wanted.add(3);
        wanted.add(100);
        assert_eq!(wanted.count(), READY_LIMIT);
        wanted.remove(100);
        assert_eq!(wanted.count(), 3);
    }

    #[test]
    fn guests_are_started_when_half_of_them_are_gone_and_once() {
        let (wanted, (sender, fills)) = (Arc::new(Wanted::default()), mpsc::channel());
        let (gate, open) = mpsc::channel::<()>();
        let refill = |ready, wait: Option<mpsc::Receiver<()>>| {
            let sender = sender.clone();
            Wanted::refill(
                &wanted,
                |wanted| wanted,
                ready,
                move |_| {
                    wait.map(|wait| wait.recv());
                    sender.send(ready).unwrap();
                },
            );
        };
        refill(0, None);
        wanted.add(8);
        refill(5, None);
        refill(4, Some(open));
        refill(3, None);
        drop(gate);
        assert_eq!(fills.recv(), Ok(4));
        assert!(fills.try_recv().is_err());
    }
}
