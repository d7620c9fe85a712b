//! The approver: the embedder's function that approves or denies programs and calls.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use isolette_deadline::runtime;
use isolette_policy::{CallRequest, Decision};
use isolette_types::Error;
use isolette_work::Call;
use tokio::task::JoinHandle;

/// The embedder's approval function. Its future runs on this crate's threads and is dropped when the run ends.
#[derive(Clone)]
pub(crate) struct Approver(Arc<Answer>);

type Answer = dyn Fn(CallRequest) -> Pin<Box<dyn Future<Output = Decision> + Send>> + Send + Sync;

impl Approver {
    pub(crate) fn new<Response>(approver: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(approver(request))))
    }

    /// Starts the approval; the returned future can be awaited on any thread. An approver that panics denies.
    pub(crate) fn ask(&self, request: CallRequest) -> Result<Asked, Error> {
        let approver = Arc::clone(&self.0);
        // The approver can read what the run holds.
        Ok(Asked(runtime()?.spawn(Call::along(async move { approver(request).await }))))
    }
}

/// A pending approval. Dropping it aborts the approver's future.
pub(crate) struct Asked(JoinHandle<Decision>);

impl Future for Asked {
    type Output = Decision;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Decision> {
        let failed = |_| Decision::deny("the approver failed to answer");
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or_else(failed))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl fmt::Debug for Approver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Approver")
    }
}
