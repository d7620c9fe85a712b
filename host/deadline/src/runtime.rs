//! The Tokio runtime for deadlines, HTTP and asynchronous tools.
//!
//! Guests never run on its threads, so a guest that waits for one of these cannot block it.

use std::{
    pin::Pin,
    sync::OnceLock,
    task::{Context, Poll},
};

use tokio::{
    runtime::{Builder, Runtime},
    task::{JoinError, JoinHandle},
};

use isolette_types::Error;

/// Returns the runtime of this process. The first call starts it, with two worker threads.
///
/// # Errors
/// [`Error::Io`] if the threads cannot be started.
pub fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("isolette-io")
        .enable_all()
        // Threads of blocking functions end soon after a burst.
        .thread_keep_alive(std::time::Duration::from_secs(1))
        .build()
        .map_err(|error| Error::io("cannot start the threads that wait for input and output", error))?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Runs a future of the embedder as its own task, so that a panic stays in that task, and the task is stopped when the
/// host gives up waiting for it at the deadline.
///
/// Must be called on the runtime.
pub fn abort_on_drop<F>(future: F) -> AbortOnDrop<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    AbortOnDrop(tokio::spawn(future))
}

/// A task that is aborted when this is dropped. Its output is that of the task's `JoinHandle`.
#[derive(Debug)]
pub struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Future for AbortOnDrop<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
