//! Who is asked, what about, and the answer.

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::{Error, runtime::runtime};

/// What somebody is asked to agree to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRequest {
    /// `tools`, `http`, `capabilities` for a custom interface, or `program` for a whole one.
    pub capability: &'static str,
    /// `call`, the method of the request, or `run`.
    pub operation: String,
    /// The tool's name, the URL of the request, the function (`acme:weather/forecast.get`), or what the program is called.
    pub target: String,
    /// The tool's arguments; `{"body_bytes": n}` of a request; the values of a function's parameters by
    /// their names, or `{"arguments_bytes": n}` if they are long; `{"code": "…"}` of a program.
    pub arguments: Value,
    /// What allows it otherwise: the network rule of a request.
    pub rule: Option<String>,
    /// Why it is asked about: the approval rule that matched, or the mode of approval.
    pub reason: String,
}

/// The answer of whoever was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It may happen, this once.
    Allow,
    /// It may not. The program gets to read why.
    Deny(String),
}

impl Decision {
    /// It may not, for a reason that the program gets to read.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }
}

/// Whoever is asked. It is awaited on threads of this crate's own, and dropped where it stands when the run ends.
#[derive(Clone)]
pub(crate) struct CallHook(Arc<Answer>);

type Answer = dyn Fn(CallRequest) -> Pin<Box<dyn Future<Output = Decision> + Send>> + Send + Sync;

impl CallHook {
    pub(crate) fn new<Response>(hook: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(hook(request))))
    }

    /// Asks at once; the answer is to be awaited, on any thread. A hook that panics has not agreed.
    pub(crate) fn ask(&self, request: CallRequest) -> Result<Asked, Error> {
        let hook = Arc::clone(&self.0);
        Ok(Asked(runtime()?.spawn(async move { hook(request).await })))
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

impl fmt::Debug for CallHook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallHook")
    }
}
