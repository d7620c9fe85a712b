//! A job of a guest, and the wait for its end.

use std::{pin::pin, sync::Arc, time::Instant};

use tokio_util::sync::CancellationToken;

use crate::{
    Engine, EngineError,
    watch::{self, Watch, grace},
};
use isolette_deadline::{Deadline, Stop, wait_until};
use isolette_types::Error;

/// The end of a job.
#[derive(Debug)]
pub enum Signal {
    /// The guest replied or failed.
    Ended {
        /// The reply, or the reason why there is none.
        reply: Result<Vec<u8>, EngineError>,
        /// Peak memory of the guest in bytes.
        memory_peak: u64,
    },
    /// The program waits for an answer, and so does the guest.
    Paused,
    /// The guest did not return from a host call in time. Its thread ends when that call returns.
    Abandoned(Stop),
}

/// A job in flight. The signal comes at the latest a grace period after the deadline. If this is dropped earlier, the job is
/// cancelled.
#[derive(Debug)]
pub struct Pending {
    pub(crate) signal: async_channel::Receiver<Signal>,
    pub(crate) done: async_channel::WeakSender<Signal>,
    pub(crate) deadline: Deadline,
    pub(crate) cancel: CancellationToken,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) watch: Option<Watch>,
    pub(crate) ended: bool,
}

impl Pending {
    /// Waits on the caller's thread, which also watches the deadline: waking another thread for that would cost more
    /// than running a short program.
    pub fn wait(mut self) -> Signal {
        let signal = async {
            tokio::select! {
                biased;
                signal = self.signal.recv() => Ok(signal),
                () = self.cancel.cancelled() => Err(Stop::Cancelled),
            }
        };
        let mut signal = pin!(signal);
        // CPU time cannot exceed the elapsed time, so it need not be checked before this moment.
        let mut next_check = self.deadline.look();
        let signal = loop {
            match wait_until(next_check, signal.as_mut()) {
                Some(signal) => break signal,
                None if Instant::now() >= self.deadline.at() => break Err(Stop::Deadline),
                None => {
                    next_check = self.deadline.look();
                    if let Err(stop) = self.deadline.check() {
                        break Err(stop);
                    }
                }
            }
        };
        let signal = match signal {
            Ok(signal) => signal,
            Err(stop) => {
                self.engine.wake();
                let late = wait_until(Instant::now() + grace(stop), self.signal.recv());
                late.unwrap_or(Ok(Signal::Abandoned(stop)))
            }
        };
        self.ended = true;
        signal.unwrap_or_else(|_| thread_ended())
    }

    /// Waits without blocking a thread. The deadline is watched elsewhere, because the caller may poll at any interval.
    ///
    /// # Errors
    /// If the host's runtime cannot be started.
    pub async fn wait_async(mut self) -> Result<Signal, Error> {
        let done = self.done.clone();
        let abandon = Box::new(move |stop| {
            if let Some(done) = done.upgrade() {
                let _ = done.try_send(Signal::Abandoned(stop));
            }
        });
        let (deadline, engine) = (self.deadline.clone(), Arc::clone(&self.engine));
        self.watch = Some(Watch::begin(watch::Run { deadline, engine, abandon })?);
        let signal = tokio::select! {
            biased;
            signal = self.signal.recv() => signal,
            // A caller that does poll need not wait for another task to notice.
            () = self.cancel.cancelled() => {
                self.engine.wake();
                self.signal.recv().await
            }
        };
        self.ended = true;
        Ok(signal.unwrap_or_else(|_| thread_ended()))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.watch = None;
        if !self.ended {
            self.cancel.cancel();
            self.engine.wake();
        }
    }
}

fn thread_ended() -> Signal {
    Signal::Ended { reply: Err(EngineError::Crashed("the guest's thread is gone".into())), memory_peak: 0 }
}
