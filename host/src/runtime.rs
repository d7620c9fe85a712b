//! The threads on which waiting is done: deadlines, HTTP, asynchronous tools.
//!
//! Guests never run here, so a guest that waits for one of these cannot keep it from happening.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

use crate::Error;

/// The runtime of this process, started at the first use.
pub(crate) fn runtime() -> Result<&'static Runtime, Error> {
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
