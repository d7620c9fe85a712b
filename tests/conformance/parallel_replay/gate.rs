//! Calls whose order of completion the test draws.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use isolette::{SandboxBuilder, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::{Notify, oneshot};

/// The workers of a program. Each makes a call when its last one has ended.
pub(super) const WORKERS: usize = 4;

/// A generator of random numbers that are the same each time (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }
}

/// Calls that wait for each other: as soon as all workers have called, a random number of the calls ends, in random order.
pub(super) struct Gate {
    random: Random,
    /// With whether it is the last call of its worker.
    waiting: Vec<(oneshot::Sender<u64>, bool)>,
    active: usize,
    ended: u64,
}

impl Gate {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random(seed), waiting: Vec::new(), active: WORKERS, ended: 0 }
    }

    pub(super) fn enter(&mut self, last: bool) -> oneshot::Receiver<u64> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.push((sender, last));
        while self.waiting.len() == self.active {
            for _ in 0..=self.random.below(self.active) {
                let place = self.random.below(self.waiting.len());
                let (sender, last) = self.waiting.swap_remove(place);
                self.active -= usize::from(last);
                self.ended += 1;
                sender.send(self.ended).unwrap();
            }
            if self.active == 0 {
                self.active = WORKERS;
            }
        }
        receiver
    }
}

#[derive(Deserialize, JsonSchema)]
struct Next {
    /// The run that calls.
    run: u64,
    /// Whether the worker calls no more in this round.
    last: bool,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Nothing {}

/// The tools of `parallel/interleaved`.
pub(super) fn interleaving(builder: SandboxBuilder) -> SandboxBuilder {
    let gates: Arc<Mutex<HashMap<u64, Gate>>> = Arc::default();
    let next = Tool::typed_async("next", "What comes next", move |Next { run, last }| {
        let ended = gates.lock().unwrap().entry(run).or_insert_with(|| Gate::new(run)).enter(last);
        async move { Ok::<_, String>(ended.await.unwrap()) }
    });
    let count = AtomicU64::new(0);
    let count = Tool::typed("count", "Counts its calls", move |Nothing {}| {
        Ok::<_, String>(count.fetch_add(1, Ordering::Relaxed))
    });
    builder.tool(next.unwrap()).tool(count.unwrap())
}

/// The tools of `parallel/polled`: a call, and another one that ends it.
pub(super) fn polling(builder: SandboxBuilder) -> SandboxBuilder {
    let (ticks, notified) = (AtomicU64::new(0), Arc::new(Notify::new()));
    let fifth = Arc::clone(&notified);
    let tick = Tool::typed("tick", "Ends the pending call every fifth time", move |Nothing {}| {
        if ticks.fetch_add(1, Ordering::Relaxed) % 5 == 4 {
            fifth.notify_one();
        }
        Ok::<_, String>(())
    });
    let after = Tool::typed_async("after_ticks", "Waits for five ticks", move |Nothing {}| {
        let notified = Arc::clone(&notified);
        async move {
            notified.notified().await;
            Ok::<_, String>(())
        }
    });
    builder.tool(tick.unwrap()).tool(after.unwrap())
}
