//! The thread that starts fork servers.
//!
//! The system ends a fork server when the *thread* that started it ends, and guests have threads that end. So one thread,
//! which lasts as long as this process, starts all of them.

use std::{
    process::{Child, Command},
    sync::{OnceLock, mpsc},
    thread,
};

type Job = Box<dyn FnOnce() + Send>;

/// Starts a program on that thread.
pub(super) fn start(mut command: Command) -> Result<Child, String> {
    static JOBS: OnceLock<Result<mpsc::Sender<Job>, String>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<Job>();
        let run = move || jobs.into_iter().for_each(|job| job());
        let started = thread::Builder::new().name("isolette-fork-servers".into()).stack_size(256 << 10).spawn(run);
        started.map(|_| sender).map_err(|error| format!("cannot start a thread: {error}"))
    });
    let (done, result) = mpsc::channel();
    let job: Job = Box::new(move || drop(done.send(command.spawn())));
    let gone = || "the thread that starts processes is gone".to_owned();
    jobs.as_ref().map_err(Clone::clone)?.send(job).map_err(|_| gone())?;
    result.recv().map_err(|_| gone())?.map_err(|error| format!("cannot start a process: {error}"))
}
