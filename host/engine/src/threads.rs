//! The pool of threads on which guests run.
//!
//! A guest needs a deep stack and may never return from a tool, so it gets a thread of its own. After the guest has
//! ended, its thread waits a while for the next one: starting a thread costs more than running a short program.
//!
//! Some engines keep resources for the next guest that work best on the thread of the previous one, so a guest can be
//! assigned to a specific thread. It never waits there for another guest, only for the cleanup of the previous one.

use std::{
    cell::Cell,
    collections::HashMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError, mpsc},
    thread::{self, ThreadId},
    time::Duration,
};

use isolette_instance::NATIVE_STACK;

/// The time for which an idle thread waits for another guest.
const IDLE: Duration = Duration::from_secs(10);

/// The task of one guest on a thread.
type Task = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Pool {
    /// Threads that can take the next task, the latest last. A thread is removed from the list when it is assigned a
    /// task.
    free: Vec<Free>,
    /// The senders of all threads, with which they are assigned tasks.
    senders: HashMap<ThreadId, mpsc::Sender<Task>>,
}

struct Free {
    thread: ThreadId,
    /// Whether the cleanup of the previous task is complete.
    idle: bool,
}

static POOL: LazyLock<Mutex<Pool>> = LazyLock::new(Mutex::default);

thread_local! {
    /// Whether this thread announced that it will be free, before it was.
    static ANNOUNCED: Cell<bool> = const { Cell::new(false) };
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of threads with a guest, and without one.
pub fn count() -> (usize, usize) {
    let pool = pool();
    (pool.senders.len().saturating_sub(pool.free.len()), pool.free.len())
}

/// Runs `task` on a thread that runs nothing else until it ends: the first of the preferred threads that is free or
/// about to be, else any other.
pub(crate) fn spawn(preferred: &[ThreadId], task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut task: Task = Box::new(task);
    let mut pool = pool();
    let preferred = preferred.iter().find_map(|thread| pool.free.iter().position(|free| free.thread == *thread));
    if let Some(position) = preferred.or_else(|| pool.free.iter().rposition(|free| free.idle)) {
        let free = pool.free.remove(position);
        let sent = pool.senders.get(&free.thread).map(|sender| sender.send(task));
        match sent {
            Some(Err(mpsc::SendError(unsent))) => task = unsent,
            _ => return Ok(()),
        }
    }
    drop(pool);
    let (sender, tasks) = mpsc::channel();
    let work = move || {
        self::pool().senders.insert(thread::current().id(), sender);
        work(task, &tasks);
    };
    thread::Builder::new().name("isolette-guest".into()).stack_size(NATIVE_STACK).spawn(work).map(drop)
}

/// Announces that the task on this thread only has to be cleaned up.
pub(crate) fn retire() {
    ANNOUNCED.set(true);
    pool().free.push(Free { thread: thread::current().id(), idle: false });
}

fn work(first: Task, tasks: &mpsc::Receiver<Task>) {
    let mut next = Some(first);
    while let Some(task) = next {
        // A caller that waits for a task that panics notices it, because what the task held is dropped.
        let _ = catch_unwind(AssertUnwindSafe(task));
        mark_idle();
        next = tasks.recv_timeout(IDLE).ok().or_else(|| leave_pool(tasks));
    }
}

/// Puts this thread on the list, unless it announced itself and was assigned its next task already.
fn mark_idle() {
    let thread = thread::current().id();
    let mut pool = pool();
    match pool.free.iter_mut().find(|free| free.thread == thread) {
        Some(free) => free.idle = true,
        None if ANNOUNCED.get() => {}
        None => pool.free.push(Free { thread, idle: true }),
    }
    ANNOUNCED.set(false);
}

/// Removes this thread from the pool, unless it was assigned a task at the last moment.
fn leave_pool(tasks: &mpsc::Receiver<Task>) -> Option<Task> {
    let thread = thread::current().id();
    let mut pool = pool();
    let assigned = tasks.try_recv().ok();
    if assigned.is_none() {
        pool.free.retain(|free| free.thread != thread);
        pool.senders.remove(&thread);
    }
    assigned
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_task_never_waits_for_another() {
        let (started, starts) = mpsc::channel();
        let gates: Vec<_> = (0..20)
            .map(|_| {
                let (gate, open) = mpsc::channel::<()>();
                let started = started.clone();
                spawn(&[], move || {
                    let _ = started.send(());
                    let _ = open.recv();
                })
                .unwrap();
                gate
            })
            .collect();
        // All tasks run at the same time.
        for _ in 0..20 {
            starts.recv().unwrap();
        }
        drop(gates);
    }

    #[test]
    fn a_task_that_panics_does_not_affect_the_next() {
        let (ended, end) = mpsc::channel::<()>();
        spawn(&[], move || {
            let _dropped_on_unwind = ended;
            panic!("on purpose");
        })
        .unwrap();
        assert!(end.recv().is_err());
        let (done, is_done) = mpsc::channel();
        spawn(&[], move || done.send(()).unwrap()).unwrap();
        is_done.recv().unwrap();
    }

    #[test]
    fn a_task_can_follow_one_that_is_being_cleaned_up() {
        let (sender, threads) = mpsc::channel();
        let (gate, open) = mpsc::channel::<()>();
        let first = sender.clone();
        spawn(&[], move || {
            retire();
            first.send(thread::current().id()).unwrap();
            let _ = open.recv();
        })
        .unwrap();
        let thread = threads.recv().unwrap();
        let second = sender.clone();
        spawn(&[thread], move || second.send(thread::current().id()).unwrap()).unwrap();
        // The thread was assigned a task, so a third one does not wait behind it.
        spawn(&[thread], move || sender.send(thread::current().id()).unwrap()).unwrap();
        assert_ne!(threads.recv().unwrap(), thread);
        drop(gate);
        assert_eq!(threads.recv().unwrap(), thread);
    }
}
