//! The threads on which waiting is done: deadlines, HTTP, asynchronous tools.
//!
//! Guests never run here, so a guest that waits for one of these cannot keep it from happening.

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

/// The runtime of this process, started at the first use.
pub fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("isolette-io")
        .enable_all()
        .build()
        .map_err(|error| Error::io("cannot start the threads that wait for input and output", error))?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Has a future of an embedder's run as a task of its own, so that a panic stays there, and that what is given up at the
/// deadline is also stopped there. To be called on the runtime.
pub fn abort_on_drop<F>(future: F) -> AbortOnDrop<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    AbortOnDrop(tokio::spawn(future))
}

/// A task that ends when nobody waits for it any more.
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
