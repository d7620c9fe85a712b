//! What a call looks like to those who decide about it: a check that is made of every call, and whoever is asked.

use std::{
    fmt,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::{Error, runtime::runtime};

/// A call that is to be decided about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRequest {
    /// `tools`, `http`, `capabilities` for a custom interface, `files`, or `program` for a whole one.
    pub capability: &'static str,
    /// `call`, the method of the request, what is done with a file, or `run`.
    pub operation: String,
    /// The tool's name, the URL of the request, the function (`acme:weather/forecast.get`), the path, or what the program is
    /// called.
    pub target: String,
    /// The tool's arguments; `{"headers": [["name", "value"], …], "body": "…", "body_bytes": n}` of a request, with the headers
    /// that the program has set, the values of `Authorization`, `Cookie` and `Proxy-Authorization` left out, and the body only
    /// where it is text of 64 KiB at most; the values of a function's parameters by
    /// their names, or `{"arguments_bytes": n}` if they are long; `{"code": "…"}` of a program.
    pub arguments: Value,
    /// What allows it otherwise: the network rule of a request, the rule for an interface, the pattern that lends a tool, the
    /// mount of a file.
    pub rule: Option<String>,
    /// Why somebody is asked about it: the approval rule that matched, the mode of approval, or what the check said. Empty in
    /// a check that nothing came before.
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

/// What a check makes of a call: [`SandboxBuilder::on_call`](crate::SandboxBuilder::on_call).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallDecision {
    /// The check has nothing against it. Approval may be needed all the same.
    Allow,
    /// It does not happen, and nobody is asked. The program gets to read why.
    Deny(String),
    /// Somebody has to agree to it, for this reason.
    Ask(String),
}

impl CallDecision {
    /// It does not happen, for a reason that the program gets to read.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }

    /// Somebody has to agree to it, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask(reason.into())
    }
}

/// Sees every call on the thread of the guest, and decides at once.
#[derive(Clone)]
pub(crate) struct CallCheck(Arc<dyn Fn(&CallRequest) -> CallDecision + Send + Sync>);

impl CallCheck {
    pub(crate) fn new(check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// A check that panics has not agreed.
    pub(crate) fn decide(&self, request: &CallRequest) -> CallDecision {
        std::panic::catch_unwind(AssertUnwindSafe(|| (self.0)(request)))
            .unwrap_or_else(|_| CallDecision::deny("the check of the host failed"))
    }
}

impl fmt::Debug for CallCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallCheck")
    }
}

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
