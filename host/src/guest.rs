//! A live guest on a thread of its own.
//!
//! An instance cannot change threads and needs a deep stack, and a tool that it calls may block for good. So whoever
//! wants something of it sends a job and waits for a signal, and the wait ends at the deadline whatever the guest does.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    Error,
    broker::{Broker, Deadline, Stop},
    engine::{Engine, EngineError, SharedHost},
    runtime::runtime,
};

/// What a guest gets to end by itself after its deadline, so that it can be told apart from a tool that hangs.
const GRACE: Duration = Duration::from_millis(100);

/// One program for a guest.
struct Job {
    message: Vec<u8>,
    host: SharedHost,
    deadline: Deadline,
    done: async_channel::Sender<Signal>,
}

/// How a job ended.
pub(crate) enum Signal {
    /// The guest answered, or broke. With it the most memory that it has had.
    Ended { reply: Result<Vec<u8>, EngineError>, memory_peak: u64 },
    /// It did not come back from a host call in time. Its thread ends when that call does.
    Abandoned(Stop),
}

/// A handle on the thread. When it is dropped, the thread ends after the job in hand.
#[derive(Debug)]
pub(crate) struct Guest {
    engine: Arc<dyn Engine>,
    jobs: mpsc::Sender<Job>,
}

impl Guest {
    pub(crate) fn start(engine: Arc<dyn Engine>, memory_limit: u64) -> Result<Self, Error> {
        let (jobs, queue) = mpsc::channel();
        let on_thread = Arc::clone(&engine);
        thread::Builder::new()
            .name("isolette-guest".into())
            .stack_size(engine.stack_size())
            .spawn(move || live(&*on_thread, memory_limit, &queue))
            .map_err(|error| Error::io("cannot start a thread for the guest", error))?;
        Ok(Self { engine, jobs })
    }

    /// Hands over a job. The signal comes at the latest [`GRACE`] after the deadline.
    pub(crate) fn submit(
        &self,
        message: Vec<u8>,
        host: Arc<Mutex<Broker>>,
        deadline: Deadline,
        cancel: CancellationToken,
    ) -> Result<Pending, Error> {
        let (done, signal) = async_channel::bounded(2);
        let engine = Arc::clone(&self.engine);
        let watch = {
            let (deadline, done) = (deadline.clone(), done.clone());
            runtime()?.spawn(async move {
                let stop = deadline.passed().await;
                engine.wake();
                tokio::time::sleep(GRACE).await;
                let _ = done.try_send(Signal::Abandoned(stop));
            })
        };
        let pending = Pending { signal, watch, engine: Arc::clone(&self.engine), cancel, ended: false };
        // The thread is gone when its instance could not be made or broke; then the sender has been dropped.
        let _ = self.jobs.send(Job { message, host, deadline, done });
        Ok(pending)
    }
}

fn live(engine: &dyn Engine, memory_limit: u64, queue: &mpsc::Receiver<Job>) {
    let instantiated = tracing::debug_span!("instantiate").in_scope(|| engine.instantiate(memory_limit));
    let mut instance = match instantiated {
        Ok(instance) => instance,
        Err(error) => {
            if let Ok(job) = queue.recv() {
                let _ = job.done.try_send(Signal::Ended { reply: Err(error), memory_peak: 0 });
            }
            return;
        }
    };
    while let Ok(job) = queue.recv() {
        // A panic of the host's own is a fault of ours; it must not look like a guest that takes its time.
        let run = || instance.run(&job.message, job.host, job.deadline);
        let reply = std::panic::catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|_| Err(EngineError::Crashed("the host's side of a call panicked".into())));
        let broken = reply.is_err();
        let _ = job.done.try_send(Signal::Ended { reply, memory_peak: instance.memory_peak() });
        if broken {
            return;
        }
    }
}

/// A job under way. When it is dropped before its end, the job is cancelled.
pub(crate) struct Pending {
    signal: async_channel::Receiver<Signal>,
    watch: JoinHandle<()>,
    engine: Arc<dyn Engine>,
    cancel: CancellationToken,
    ended: bool,
}

impl Pending {
    pub(crate) fn wait(mut self) -> Signal {
        let signal = self.signal.recv_blocking();
        self.ended = true;
        signal.unwrap_or_else(|_| gone())
    }

    pub(crate) async fn wait_async(mut self) -> Signal {
        let signal = self.signal.recv().await;
        self.ended = true;
        signal.unwrap_or_else(|_| gone())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.watch.abort();
        if !self.ended {
            self.cancel.cancel();
            self.engine.wake();
        }
    }
}

fn gone() -> Signal {
    Signal::Ended { reply: Err(EngineError::Crashed("the guest's thread is gone".into())), memory_peak: 0 }
}
