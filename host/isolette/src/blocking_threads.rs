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
