//! Threads for blocking functions of the embedder that a program does not wait for.

use std::sync::{Arc, LazyLock};

use isolette_deadline::runtime;
use tokio::sync::Semaphore;

/// A blocking function that is called once.
pub(crate) type Blocking = Box<dyn FnOnce() + Send>;

/// Maximum number of threads of one sandbox. A function that never returns keeps its thread, so that a sandbox with such
/// functions soon has none left, while others have theirs.
const SANDBOX_LIMIT: usize = 32;

/// Maximum number of threads of the process. When there are none, functions are called on the threads of their guests.
const PROCESS_LIMIT: usize = 256;

static PROCESS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(PROCESS_LIMIT)));

/// The threads of one sandbox.
#[derive(Debug)]
pub(crate) struct BlockingThreads(Arc<Semaphore>);

impl Default for BlockingThreads {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SANDBOX_LIMIT)))
    }
}

impl BlockingThreads {
    /// Calls a function on a thread of its own. Returns the function if there is no thread.
    pub(crate) fn start(&self, function: Blocking) -> Option<Blocking> {
        let permits = [&self.0, &*PROCESS].map(|threads| Arc::clone(threads).try_acquire_owned());
        match (permits, runtime()) {
            ([Ok(sandbox), Ok(process)], Ok(runtime)) => {
                runtime.spawn_blocking(move || {
                    function();
                    drop((sandbox, process));
                });
                None
            }
            _ => Some(function),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn stuck_functions_take_the_threads_of_their_sandbox_only() {
        let (stuck, other) = (BlockingThreads::default(), BlockingThreads::default());
        let (release, released) = mpsc::channel::<()>();
        let released = Arc::new(std::sync::Mutex::new(released));
        let started = (0..SANDBOX_LIMIT + 1).filter(|_| {
            let released = Arc::clone(&released);
            let function = move || drop(released.lock().map(|released| released.recv()));
            stuck.start(Box::new(function)).is_none()
        });
        assert_eq!(started.count(), SANDBOX_LIMIT);
        let (done, is_done) = mpsc::channel();
        assert!(other.start(Box::new(move || done.send(()).unwrap())).is_none());
        is_done.recv().unwrap();
        drop(release);
    }
}
