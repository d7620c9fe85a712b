//! The threads that guests live on.
//!
//! A guest needs a deep stack and may never come back from a tool, so it gets a thread to itself. A thread that its guest
//! has left waits a while for the next one: starting one costs more than running a short program.

use std::{
    collections::VecDeque,
    io,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use crate::engine::STACK_SIZE;

/// How long a thread waits for another guest.
const IDLE: Duration = Duration::from_secs(10);

/// The life of one guest.
type Life = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    lives: VecDeque<Life>,
    /// Threads that wait. Each life in the queue is for one of them, so that none waits for a thread to get free.
    idle: usize,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { lives: VecDeque::new(), idle: 0 });
static ARRIVAL: Condvar = Condvar::new();

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `life` on a thread that nothing else uses until it ends.
pub(crate) fn spawn(life: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let life: Life = Box::new(life);
    let mut waiting = queue();
    if waiting.idle > waiting.lives.len() {
        waiting.lives.push_back(life);
        ARRIVAL.notify_one();
        return Ok(());
    }
    drop(waiting);
    let work = move || {
        life();
        while let Some(life) = next() {
            life();
        }
    };
    thread::Builder::new().name("isolette-guest".into()).stack_size(STACK_SIZE).spawn(work).map(drop)
}

/// Waits for a life, or for the end of this thread's patience.
fn next() -> Option<Life> {
    let mut waiting = queue();
    waiting.idle += 1;
    let (mut waiting, _) = ARRIVAL
        .wait_timeout_while(waiting, IDLE, |waiting| waiting.lives.is_empty())
        .unwrap_or_else(PoisonError::into_inner);
    waiting.idle -= 1;
    waiting.lives.pop_front()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_life_never_waits_for_another() {
        let (started, starts) = mpsc::channel();
        let gates: Vec<_> = (0..20)
            .map(|_| {
                let (gate, open) = mpsc::channel::<()>();
                let started = started.clone();
                spawn(move || {
                    let _ = started.send(());
                    let _ = open.recv();
                })
                .unwrap();
                gate
            })
            .collect();
        // Each is under way while all the others still are.
        for _ in 0..20 {
            starts.recv().unwrap();
        }
        drop(gates);
    }

    #[test]
    fn a_life_that_panics_takes_only_its_thread_along() {
        let (ended, end) = mpsc::channel::<()>();
        spawn(move || {
            let _dropped_on_unwind = ended;
            panic!("on purpose");
        })
        .unwrap();
        assert!(end.recv().is_err());
        let (done, is_done) = mpsc::channel();
        spawn(move || done.send(()).unwrap()).unwrap();
        is_done.recv().unwrap();
    }
}
