//! The approver: the embedder's function that is asked for approval.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use isolette_deadline::runtime;
use isolette_policy::{CallRequest, Decision};
use isolette_types::Error;
use tokio::task::JoinHandle;

/// Whoever is asked. It is awaited on threads of this crate's own, and dropped where it stands when the run ends.
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

    /// Asks at once; the answer is to be awaited, on any thread. One that panics has not agreed.
    pub(crate) fn ask(&self, request: CallRequest) -> Result<Asked, Error> {
        let approver = Arc::clone(&self.0);
        Ok(Asked(runtime()?.spawn(async move { approver(request).await })))
    }
}

/// A question that is under way. When this is dropped, nobody waits for an answer any more.
pub(crate) struct Asked(JoinHandle<Decision>);

impl Future for Asked {
    type Output = Decision;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Decision> {
        let failed = |_| Decision::deny("whoever was asked failed to answer");
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
