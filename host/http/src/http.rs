//! Executes one request of a guest, from the policy decision to the response.

use std::{fmt, sync::Arc, time::Instant};

use isolette_policy::network::{Network, Permit};
use isolette_types::{LimitHit, LimitName};
use rustls::pki_types::CertificateDer;
use tokio::sync::Semaphore;

use crate::{
    AnyTransport, Hop, HttpError, HttpLimits, Override, Request, RequestHooks, Resolve, Response, Secrets, System,
    Total,
    client::Client,
    headers,
    message::Message,
    overrides, redirect,
    time::Time,
    transport::{Exchange, Head},
};

/// The HTTP capability of one sandbox. Connections are kept for later requests of the same sandbox, and of no other.
pub struct Http {
    network: Network,
    limits: HttpLimits,
    client: Client,
    /// Used in place of the network.
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
    /// Creates the capability with the name resolution and the trusted certificates of the system.
    pub fn new(network: Network, limits: HttpLimits) -> Self {
        Self::with(network, limits, Arc::new(System), Vec::new())
    }

    /// Creates the capability with a resolver, and with certificates that are trusted in addition to the machine's. The
    /// latter are read at the first request for an `https` URL.
    pub fn with(
        network: Network,
        limits: HttpLimits,
        resolver: Arc<dyn Resolve>,
        trusted: Vec<CertificateDer<'static>>,
    ) -> Self {
        let slots = Semaphore::new(limits.concurrent);
        let client = Client::new(resolver, trusted, &limits);
        Self { network, limits, client, transport: None, secrets: Secrets::default(), slots }
    }

    /// Sets a transport that makes the exchanges in place of the network. `None`: the network.
    pub fn through(self, transport: Option<Arc<dyn AnyTransport>>) -> Self {
        Self { transport, ..self }
    }

    /// Sets the secrets that are added to requests.
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// Sends a request, follows its redirects and reads the whole response. Must be called inside a Tokio runtime with
    /// input, output and time enabled. Dropping the future cancels the exchange; only a pending name look-up continues.
    ///
    /// `deadline` is the end of the run; the timeout of the request and the limits may end it earlier.
    ///
    /// # Errors
    /// An [`HttpError`] that says why there is no response, with the secrets of the host redacted.
    pub async fn send(
        &self,
        request: Request<'_>,
        deadline: Instant,
        hooks: &dyn RequestHooks,
    ) -> Result<Response, HttpError> {
        let mut time = Time::of(&request, &self.limits, deadline, hooks);
        let result = self.follow(&request, &mut time, hooks).await;
        self.secrets.redacted(result)
    }

    async fn follow(
        &self,
        request: &Request<'_>,
        time: &mut Time<'_>,
        hooks: &dyn RequestHooks,
    ) -> Result<Response, HttpError> {
        let mut message = Message::new(request, &self.limits, hooks)?;
        let limit = request.redirects.min(self.limits.redirects);
        let mut redirects = 0;
        let mut slot = None;
        loop {
            let permit = self.admit(&message, redirects, time, hooks).await?;
            if slot.is_none() {
                slot = time.bound(self.slots.acquire()).await?.ok();
            }
            let head = match &self.transport {
                None => {
                    let secrets = self.secrets.of(&message);
                    let answer = time.bound(self.client.exchange(&message, &permit, &secrets, hooks)).await??;
                    Head::Open(Box::new(answer))
                }
                Some(transport) => {
                    let before = hooks.remaining().bytes;
                    let exchange =
                        transport.exchange(Exchange::new(&message, &self.client, &permit, &self.secrets, hooks));
                    let response = time.bound(exchange).await?.map_err(|error| match error {
                        HttpError::Timeout(text) if text.is_empty() => time.over(),
                        error => error,
                    })?;
                    headers::made(response.status, &response.headers, &self.limits, hooks).map_err(|why| {
                        HttpError::Protocol(format!("{}: the response cannot be used: {why}", message.origin()))
                    })?;
                    let response = response.limited(self.limits.response_bytes, &message.url);
                    count(&message, &response, before, hooks)?;
                    Head::Whole(response)
                }
            };
            if request.redirects > 0
                && let Some(next) = redirect::next(&message, head.status(), head.location())?
            {
                if redirects == limit {
                    return Err(self.too_many_redirects(&message, request, hooks));
                }
                redirects += 1;
                message = next;
                continue;
            }
            return match head {
                Head::Open(answer) => time.bound(self.client.read(*answer, &message, hooks)).await?,
                Head::Whole(response) => Ok(response),
            };
        }
    }

    /// Asks the policy, and then the hooks, whether a request may be sent.
    async fn admit<'a>(
        &'a self,
        message: &Message,
        redirects: u32,
        time: &mut Time<'_>,
        hooks: &dyn RequestHooks,
    ) -> Result<Permit<'a>, HttpError> {
        let overrides = overrides::overrides(message)?;
        let hop = Hop {
            method: message.method.as_str(),
            url: &message.url,
            headers: &message.headers,
            body: &message.body,
            redirects,
            overrides: &overrides,
        };
        let permit = self.network.decide(hop.method, hop.url).map_err(|denial| {
            hooks.refused(&hop);
            HttpError::Denied(match redirects {
                0 => denial.to_string(),
                _ => format!("after a redirect: {denial}"),
            })
        })?;
        for Override { place, method, url } in &overrides {
            self.network.decide(method, url).map_err(|denial| {
                hooks.refused(&hop);
                overrides::refused(message, place, &denial.to_string())
            })?;
        }
        let asked = Instant::now();
        let agreed = match hooks.before_send(&hop, &permit) {
            Ok(Some(agreement)) => agreement.await,
            Ok(None) => Ok(()),
            Err(refusal) => Err(refusal),
        };
        let waited = asked.elapsed();
        hooks.waited(waited);
        agreed?;
        time.extend(waited);
        // The approver may have used all of the remaining time.
        time.check()?;
        Ok(permit)
    }

    fn too_many_redirects(&self, message: &Message, request: &Request<'_>, hooks: &dyn RequestHooks) -> HttpError {
        let limit = self.limits.redirects;
        let origin = message.origin();
        if request.redirects < limit {
            let limit = request.redirects;
            return HttpError::Protocol(format!(
                "{origin}: more than {limit} redirects\nhint: it may be a loop; ask with 0 redirects to see where it leads"
            ));
        }
        hooks.limit_reached(LimitHit::new(LimitName::HttpRedirects, limit.into(), u64::from(limit) + 1));
        HttpError::Protocol(format!(
            "{origin}: more than {limit} redirects\nhint: it may be a loop; ask with 0 redirects to see where it leads, \
             or raise `limits.http_redirects` in the policy"
        ))
    }
}

/// Counts the bytes of a response that a transport generated. Those that it sent over the network are already counted.
fn count(message: &Message, response: &Response, before: u64, hooks: &dyn RequestHooks) -> Result<(), HttpError> {
    let room = hooks.remaining().bytes;
    let more = (message.body.len() as u64 + response.body.len() as u64).saturating_sub(before.saturating_sub(room));
    hooks.transferred(more.min(room));
    if more > room { Err(hooks.exhausted(Total::Bytes)) } else { Ok(()) }
}
