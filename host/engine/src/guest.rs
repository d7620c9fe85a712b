//! A live guest on a thread of its own.
//!
//! An instance cannot change threads and needs a deep stack, and a tool that it calls may block forever. So a caller
//! sends a job to the thread and waits for a signal, and the wait ends at the deadline regardless of the guest.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        mpsc::{self, TryRecvError},
    },
};

use tokio_util::sync::CancellationToken;

use crate::{
    AnnouncedGuest, Engine, EngineError, GuestState, Instance, Missing, Pending, Progress, SharedHost, Signal, threads,
};
use isolette_deadline::Deadline;
use isolette_types::Error;

/// A job for a guest's thread.
enum Job {
    /// Runs a program.
    Run(Program),
    /// Saves the state of the guest.
    Save(async_channel::Sender<Result<GuestState, Missing>>),
}

/// One program for a guest.
struct Program {
    /// `None` to continue the program that is paused.
    message: Option<Vec<u8>>,
    host: SharedHost,
    deadline: Deadline,
    done: async_channel::Sender<Signal>,
}

/// A handle to the guest's thread. When it is dropped, the thread ends after the current job.
#[derive(Debug)]
pub struct Guest {
    engine: Arc<dyn Engine>,
    jobs: mpsc::Sender<Job>,
}

impl Guest {
    /// Starts the thread of a guest, which continues from `state` if there is one. `end` is called when the guest ends,
    /// before the caller is notified. `memory_limit` is in bytes. `announced` is the guest's announcement, if there was one.
    ///
    /// # Errors
    /// [`Error::Io`] if the system cannot start a thread.
    pub fn start(
        engine: Arc<dyn Engine>,
        memory_limit: u64,
        state: Option<GuestState>,
        announced: Option<AnnouncedGuest>,
        end: impl GuestEnd + 'static,
    ) -> Result<Self, Error> {
        let (jobs, queue) = mpsc::channel();
        let on_thread = Arc::clone(&engine);
        threads::spawn(&engine.threads(memory_limit), move || {
            let instantiated = tracing::debug_span!("instantiate").in_scope(|| match &state {
                Some(state) => on_thread.restore(state, memory_limit),
                None => on_thread.instantiate(memory_limit),
            });
            // A guest that was restored keeps the state as long as it needs it, and has taken what was started for it.
            drop((state, announced));
            run_jobs(instantiated, &queue, &Ended(end));
        })
        .map_err(|error| Error::io("cannot start a thread for the guest", error))?;
        Ok(Self { engine, jobs })
    }

    /// Sends a job to the guest and returns it as pending. `cancel` ends the job.
    pub fn submit(&self, message: Vec<u8>, host: SharedHost, deadline: Deadline, cancel: CancellationToken) -> Pending {
        self.send(Some(message), host, deadline, cancel)
    }

    /// Continues the program that is paused and returns it as pending. `cancel` ends it.
    pub fn resume(&self, host: SharedHost, deadline: Deadline, cancel: CancellationToken) -> Pending {
        deadline.go_on();
        self.send(None, host, deadline, cancel)
    }

    fn send(
        &self,
        message: Option<Vec<u8>>,
        host: SharedHost,
        deadline: Deadline,
        cancel: CancellationToken,
    ) -> Pending {
        let (done, signal) = async_channel::bounded(2);
        // The job has the only sender, so that the channel closes if the thread ends without a signal.
        let pending = Pending {
            signal,
            done: done.downgrade(),
            deadline: deadline.clone(),
            cancel,
            engine: Arc::clone(&self.engine),
            watch: None,
            ended: false,
        };
        let _ = self.jobs.send(Job::Run(Program { message, host, deadline, done }));
        pending
    }

    /// Saves the state of the guest, and waits for it: a few milliseconds, unless a program runs.
    ///
    /// # Errors
    /// The reason why the state cannot be saved.
    pub fn save(&self) -> Result<GuestState, Missing> {
        self.request_save().recv_blocking().unwrap_or_else(|_| Err(gone()))
    }

    /// Like [`Guest::save`], for asynchronous callers.
    ///
    /// # Errors
    /// The errors of [`Guest::save`].
    pub async fn save_async(&self) -> Result<GuestState, Missing> {
        self.request_save().recv().await.unwrap_or_else(|_| Err(gone()))
    }

    fn request_save(&self) -> async_channel::Receiver<Result<GuestState, Missing>> {
        let (done, saved) = async_channel::bounded(1);
        let _ = self.jobs.send(Job::Save(done));
        saved
    }
}

fn gone() -> Missing {
    Missing { reason: "the guest has ended".into(), hint: "start another one" }
}

/// Cleanup when a guest ends.
pub trait GuestEnd: Send {
    /// Releases what the guest holds, such as its locks on files. Called once or more, at the latest when its thread is
    /// free.
    fn end(&self);
}

/// Calls [`GuestEnd::end`] when dropped, however the thread ends.
struct Ended<E: GuestEnd>(E);

impl<E: GuestEnd> Drop for Ended<E> {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn run_jobs(
    instantiated: Result<Box<dyn Instance>, EngineError>,
    queue: &mpsc::Receiver<Job>,
    ended: &Ended<impl GuestEnd>,
) {
    let mut instance = match instantiated {
        Ok(instance) => instance,
        Err(error) => {
            match queue.recv() {
                Ok(Job::Run(program)) => {
                    let _ = program.done.try_send(Signal::Ended { reply: Err(error), memory_peak: 0 });
                }
                Ok(Job::Save(done)) => {
                    let reason = format!("the guest cannot be started: {error:?}");
                    let _ = done.try_send(Err(Missing { reason, hint: "let some of the running guests end first" }));
                }
                Err(_) => {}
            }
            return;
        }
    };
    let mut next = queue.recv().ok();
    while let Some(job) = next {
        let Program { message, host, deadline, done } = match job {
            Job::Run(program) => program,
            Job::Save(done) => {
                let _ = done.try_send(instance.save());
                next = queue.recv().ok();
                continue;
            }
        };
        // A panic of the host's own code is a bug in the host; it must not look like a guest that is slow.
        let run = || {
            deadline.cpu().enter(instance.clock());
            let progress = match message {
                Some(message) => instance.run(&message, host, deadline.clone()),
                None => instance.resume(host, deadline.clone()),
            };
            deadline.cpu().leave();
            progress
        };
        let progress = std::panic::catch_unwind(AssertUnwindSafe(run))
            .unwrap_or_else(|_| Err(EngineError::Crashed("the host's side of a call panicked".into())));
        let memory_peak = instance.memory_peak();
        let reply = match progress {
            Ok(Progress::Ended(reply)) => Ok(reply),
            Ok(Progress::Paused) => {
                deadline.pause();
                let _ = done.try_send(Signal::Paused);
                drop((done, deadline));
                next = queue.recv().ok();
                continue;
            }
            Err(error) => Err(error),
        };
        let following = queue.try_recv();
        let is_last = reply.is_err() || matches!(following, Err(TryRecvError::Disconnected));
        if is_last {
            // A caller that receives the signal may request the next guest immediately.
            ended.0.end();
            instance.retire();
            threads::retire();
        }
        let _ = done.try_send(Signal::Ended { reply, memory_peak });
        if is_last {
            // Resources that are reserved for the run stay reserved until its memory is free again.
            drop(instance);
            drop(deadline);
            return;
        }
        // Nor are they reserved while the thread waits for the next program.
        drop((done, deadline));
        next = following.ok().or_else(|| queue.recv().ok());
    }
}
