//! HTTP requests, made for a guest (`wit/http.wit`).
//!
//! Asks the policy before a name is resolved, and again at every redirect; connects only to addresses that were checked,
//! and only to those that this very lookup gave. Everything that a peer can draw out or blow up has an end. It speaks
//! HTTP/1.1, uses no proxy and no cookie of the host's, and never passes partial data off as whole.

mod body;
mod client;
mod connect;
mod connection;
mod error;
mod headers;
mod limits;
mod message;
mod redirect;
mod resolve;
mod secrets;
#[cfg(test)]
pub(crate) mod tests;
mod tls;
mod transport;

use std::{
    fmt,
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use rustls::pki_types::CertificateDer;
use tokio::{sync::Semaphore, time::timeout_at};
use url::Url;

use self::{client::Client, message::Message, transport::Head};
pub(crate) use self::{
    headers::is_of_connection,
    limits::HttpLimits,
    resolve::{Answers, Resolve, System},
    secrets::Secrets,
    transport::AnyTransport,
};
pub use self::{
    tls::tls_configuration,
    transport::{Exchange, HttpError, Response, Transport},
};
use crate::policy::network::{Network, Permit};

/// What a guest asks for.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) body: Bytes,
    /// For the whole exchange; [`HttpLimits::time_per_request`] holds besides.
    pub(crate) timeout: Option<Duration>,
    /// With 0 a redirect itself is the response.
    pub(crate) redirects: u32,
}

/// One request that the policy has allowed and that is about to be sent: the first, or what a redirect led to.
pub(crate) struct Hop<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a Url,
    pub(crate) permit: &'a Permit<'a>,
}

/// Hears of every hop before it is sent, and may refuse it, at once or after somebody has been asked. This is where
/// requests are counted and recorded.
pub(crate) type Observe<'a> = &'a mut (dyn FnMut(&Hop<'_>) -> Result<Option<Agreement>, HttpError> + Send);

/// Somebody's answer. To wait for it is no part of the time that a request may take.
pub(crate) type Agreement = Pin<Box<dyn Future<Output = Result<(), HttpError>> + Send>>;

/// The capability of one sandbox. Connections are kept for later requests of the same sandbox, and of no other.
pub(crate) struct Http {
    network: Network,
    limits: HttpLimits,
    client: Client,
    /// In place of the network.
    transport: Option<Arc<dyn AnyTransport>>,
    secrets: Secrets,
    slots: Semaphore,
}

impl fmt::Debug for Http {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Http")
            .field("network", &self.network)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Http {
    /// With what the system has.
    #[cfg(any(test, feature = "fuzzing", feature = "openapi"))]
    pub(crate) fn new(network: Network, limits: HttpLimits) -> Self {
        Self::with(network, limits, Arc::new(System), Vec::new())
    }

    /// With certificates that are trusted besides the machine's, which are read when the first `https` URL is asked for.
    pub(crate) fn with(
        network: Network,
        limits: HttpLimits,
        resolver: Arc<dyn Resolve>,
        trusted: Vec<CertificateDer<'static>>,
    ) -> Self {
        let slots = Semaphore::new(limits.concurrent);
        let client = Client::new(resolver, trusted, &limits);
        Self { network, limits, client, transport: None, secrets: Secrets::default(), slots }
    }

    /// Has exchanges made by something else than the network alone.
    pub(crate) fn through(self, transport: Option<Arc<dyn AnyTransport>>) -> Self {
        Self { transport, ..self }
    }

    /// Adds secrets to requests.
    pub(crate) fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Sends a request, follows its redirects and reads the whole response. Must be called inside a Tokio runtime with
    /// input, output and time. When the future is dropped, the exchange is over: nothing of it goes on elsewhere.
    pub(crate) async fn send(
        &self,
        request: Request<'_>,
        deadline: Instant,
        observe: Observe<'_>,
    ) -> Result<Response, HttpError> {
        let mut time = Time::of(&request, &self.limits, deadline);
        let result = self.follow(&request, &mut time, observe).await;
        self.secrets.left_out(result)
    }

    async fn follow(
        &self,
        request: &Request<'_>,
        time: &mut Time,
        observe: Observe<'_>,
    ) -> Result<Response, HttpError> {
        let mut message = Message::new(request, &self.limits)?;
        let limit = request.redirects.min(self.limits.redirects);
        let mut redirects = 0;
        let mut slot = None;
        loop {
            let permit = self.network.decide(message.method.as_str(), &message.url).map_err(|denial| {
                HttpError::Denied(if redirects == 0 {
                    denial.to_string()
                } else {
                    format!("after a redirect: {denial}")
                })
            })?;
            if let Some(agreement) =
                observe(&Hop { method: message.method.as_str(), url: &message.url, permit: &permit })?
            {
                let asked = Instant::now();
                agreement.await?;
                time.extend(asked.elapsed());
            }
            if slot.is_none() {
                slot = time.bound(request, self.slots.acquire()).await?.ok();
            }
            let head = match &self.transport {
                None => {
                    let secrets = self.secrets.of(&message);
                    let answer = time.bound(request, self.client.exchange(&message, &permit, &secrets)).await??;
                    Head::Open(Box::new(answer))
                }
                Some(transport) => {
                    let exchange = transport.exchange(Exchange::new(&message, &self.client, &permit, &self.secrets));
                    Head::Whole(time.bound(request, exchange).await??.limited(self.limits.response_bytes, &message.url))
                }
            };
            if request.redirects > 0
                && let Some(next) = redirect::next(&message, head.status(), head.location())?
            {
                if redirects == limit {
                    return Err(HttpError::Protocol(format!(
                        "{}: more than {limit} redirects\nhint: it may be a loop; ask with 0 redirects to see where it leads",
                        message.origin()
                    )));
                }
                redirects += 1;
                message = next;
                continue;
            }
            return match head {
                Head::Open(answer) => time.bound(request, self.client.read(*answer, &message)).await?,
                Head::Whole(response) => Ok(response),
            };
        }
    }
}

/// When a request has to be over, and why then.
struct Time {
    end: Instant,
    deadline: Instant,
    reason: Reason,
}

enum Reason {
    Run,
    Request(Duration),
    Limit(Duration),
}

impl Time {
    fn of(request: &Request<'_>, limits: &HttpLimits, deadline: Instant) -> Self {
        let now = Instant::now();
        let (time, reason) = match request.timeout {
            Some(timeout) if timeout < limits.time_per_request => (timeout, Reason::Request(timeout)),
            _ => (limits.time_per_request, Reason::Limit(limits.time_per_request)),
        };
        // A limit past the end of the clock leaves the run's deadline.
        match now.checked_add(time) {
            Some(end) if end < deadline => Self { end, deadline, reason },
            _ => Self { end: deadline, deadline, reason: Reason::Run },
        }
    }

    /// Gives back time in which somebody else was waited for. The run's deadline stays where it is.
    fn extend(&mut self, time: Duration) {
        self.end = self.end.checked_add(time).map_or(self.deadline, |end| end.min(self.deadline));
    }

    async fn bound<F: Future>(&self, request: &Request<'_>, step: F) -> Result<F::Output, HttpError> {
        timeout_at(self.end.into(), step).await.map_err(|_| HttpError::Timeout(self.over(request)))
    }

    fn over(&self, request: &Request<'_>) -> String {
        let place = Url::parse(request.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        let method = request.method;
        match self.reason {
            Reason::Run => format!("{method} {place}: the time of the run is over"),
            Reason::Request(time) => format!("{method} {place}: no whole response within the timeout of {time:?}"),
            Reason::Limit(time) => format!(
                "{method} {place}: no whole response within {time:?}, the limit for one request\n\
                 hint: ask for less at a time"
            ),
        }
    }
}
