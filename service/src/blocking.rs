//! Work that blocks.

use isolette::Error;

/// Does work that blocks on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Error::io("work of the service failed", std::io::Error::other(error))))
}
