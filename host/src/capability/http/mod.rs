//! HTTP requests, made for a guest (`wit/http.wit`).
//!
//! Asks the policy before a name is resolved, and again at every redirect; connects only to addresses that were checked,
//! and only to those that this very lookup gave. Everything that a peer can draw out or blow up has an end. It speaks
//! HTTP/1.1, uses no proxy and no cookie of the host's, and never passes partial data off as whole.

mod account;
mod body;
mod client;
mod connect;
mod connection;
mod error;
mod headers;
mod limits;
mod message;
mod meter;
mod overrides;
mod redirect;
mod resolve;
mod secrets;
#[cfg(test)]
pub(crate) mod tests;
mod time;
mod tls;
mod transport;

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use rustls::pki_types::CertificateDer;
use tokio::sync::Semaphore;

#[cfg(any(test, feature = "openapi"))]
pub(crate) use self::account::Nobody;
pub(crate) use self::{
    account::{Account, Agreement, Hop, Room, Total},
    headers::{check_pair, is_of_connection},
    limits::HttpLimits,
    overrides::Override,
    resolve::{Answers, Resolve, System},
    secrets::Secrets,
    transport::AnyTransport,
};
use self::{client::Client, message::Message, time::Time, transport::Head};
pub use self::{
    tls::tls_configuration,
    transport::{Exchange, HttpError, Response, Transport},
};
use crate::policy::{
    Breach, LimitName,
    network::{Network, Permit},
};

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
    /// input, output and time. When the future is dropped, the exchange is over: nothing of it goes on elsewhere, but for the
    /// look-up of a name.
    pub(crate) async fn send(
        &self,
        request: Request<'_>,
        deadline: Instant,
        account: &dyn Account,
    ) -> Result<Response, HttpError> {
        let mut time = Time::of(&request, &self.limits, deadline, account);
        let result = self.follow(&request, &mut time, account).await;
        self.secrets.left_out(result)
    }

    async fn follow(
        &self,
        request: &Request<'_>,
        time: &mut Time<'_>,
        account: &dyn Account,
    ) -> Result<Response, HttpError> {
        let mut message = Message::new(request, &self.limits, account)?;
        let limit = request.redirects.min(self.limits.redirects);
        let mut redirects = 0;
        let mut slot = None;
        loop {
            let permit = self.admit(&message, redirects, time, account).await?;
            if slot.is_none() {
                slot = time.bound(self.slots.acquire()).await?.ok();
            }
            let head = match &self.transport {
                None => {
                    let secrets = self.secrets.of(&message);
                    let answer = time.bound(self.client.exchange(&message, &permit, &secrets, account)).await??;
                    Head::Open(Box::new(answer))
                }
                Some(transport) => {
                    let before = account.room().bytes;
                    let exchange =
                        transport.exchange(Exchange::new(&message, &self.client, &permit, &self.secrets, account));
                    let response = time.bound(exchange).await??;
                    headers::made(response.status, &response.headers, &self.limits, account).map_err(|why| {
                        HttpError::Protocol(format!("{}: the response cannot be used: {why}", message.origin()))
                    })?;
                    let response = response.limited(self.limits.response_bytes, &message.url);
                    count(&message, &response, before, account)?;
                    Head::Whole(response)
                }
            };
            if request.redirects > 0
                && let Some(next) = redirect::next(&message, head.status(), head.location())?
            {
                if redirects == limit {
                    return Err(self.too_many_redirects(&message, request, account));
                }
                redirects += 1;
                message = next;
                continue;
            }
            return match head {
                Head::Open(answer) => time.bound(self.client.read(*answer, &message, account)).await?,
                Head::Whole(response) => Ok(response),
            };
        }
    }

    /// Asks the policy, and then whoever answers for the request.
    async fn admit<'a>(
        &'a self,
        message: &Message,
        redirects: u32,
        time: &mut Time<'_>,
        account: &dyn Account,
    ) -> Result<Permit<'a>, HttpError> {
        let overrides = overrides::overrides(message)?;
        let hop = Hop {
            method: message.method.as_str(),
            url: &message.url,
            headers: &message.headers,
            body: &message.body,
            overrides: &overrides,
        };
        let permit = self.network.decide(hop.method, hop.url).map_err(|denial| {
            account.refused(&hop);
            HttpError::Denied(match redirects {
                0 => denial.to_string(),
                _ => format!("after a redirect: {denial}"),
            })
        })?;
        for Override { place, method, url } in &overrides {
            self.network.decide(method, url).map_err(|denial| {
                account.refused(&hop);
                overrides::refused(message, place, &denial.to_string())
            })?;
        }
        let asked = Instant::now();
        let agreed = match account.sends(&hop, &permit) {
            Ok(Some(agreement)) => agreement.await,
            Ok(None) => Ok(()),
            Err(refusal) => Err(refusal),
        };
        let waited = asked.elapsed();
        account.waited(waited);
        agreed?;
        time.extend(waited);
        // Whoever was asked may have taken all of the time that there was.
        time.check()?;
        Ok(permit)
    }

    fn too_many_redirects(&self, message: &Message, request: &Request<'_>, account: &dyn Account) -> HttpError {
        let limit = self.limits.redirects;
        let origin = message.origin();
        if request.redirects < limit {
            let limit = request.redirects;
            return HttpError::Protocol(format!(
                "{origin}: more than {limit} redirects\nhint: it may be a loop; ask with 0 redirects to see where it leads"
            ));
        }
        account.reached(Breach::new(LimitName::HttpRedirects, limit.into(), u64::from(limit) + 1));
        HttpError::Protocol(format!(
            "{origin}: more than {limit} redirects\nhint: it may be a loop; ask with 0 redirects to see where it leads, \
             or raise `limits.http_redirects` in the policy"
        ))
    }
}

/// What a transport made up itself counts like what came from a server; what it passed on is counted already.
fn count(message: &Message, response: &Response, before: u64, account: &dyn Account) -> Result<(), HttpError> {
    let room = account.room().bytes;
    let more = (message.body.len() as u64 + response.body.len() as u64).saturating_sub(before.saturating_sub(room));
    account.flowed(more.min(room));
    if more > room { Err(account.exhausted(Total::Bytes)) } else { Ok(()) }
}
