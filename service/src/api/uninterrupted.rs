//! Work that must not end where its caller goes away.

use http::StatusCode;

use crate::failure::Failure;

/// Does work to its end, also if the caller goes away meanwhile.
pub(super) async fn uninterrupted<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let failed =
        |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "Io", "the request was not answered", "send it again");
    tokio::spawn(work).await.map_err(failed)?
}
