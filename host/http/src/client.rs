//! The HTTP client: sends one request and receives its response.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, StatusCode,
    body::Incoming,
    client::conn::TrySendError,
    header::{self, HeaderValue},
};
use isolette_abi::http::HttpError;
use rustls::pki_types::CertificateDer;
use tokio::sync::Notify;

use super::{
    Response, Total,
    body::{Coding, Decoder},
    connect::Connector,
    connection::{Key, Pool},
    error, headers,
    hooks::RequestHooks,
    in_use::InUse,
    limits::HttpLimits,
    message::Message,
    meter::{Meter, Tally},
    resolve::Resolve,
    spelling,
    tls::Tls,
};
use isolette_policy::network::Permit;
use isolette_types::{LimitHit, LimitName};

/// Maximum number of interim responses (1xx) before the final one. Servers send one or two.
const INTERIM_RESPONSES: usize = 16;

/// Exchanges requests and responses, and keeps idle connections.
pub(super) struct Client {
    connector: Connector,
    pool: Pool,
    limits: HttpLimits,
}

/// A response whose head is received and whose body is not yet read.
pub(super) struct Answer<'a> {
    head: hyper::Response<Incoming>,
    open: InUse<'a>,
    key: Key,
}

impl Answer<'_> {
    pub(super) fn status(&self) -> StatusCode {
        self.head.status()
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        self.head.headers()
    }
}

/// Why a request has no response.
enum Failure {
    /// The idle connection had been closed: the request was not processed, or may be repeated.
    Stale,
    Final(HttpError),
}

impl Client {
    pub(super) fn new(resolver: Arc<dyn Resolve>, trusted: Vec<CertificateDer<'static>>, limits: &HttpLimits) -> Self {
        let connector = Connector::new(resolver, Tls::new(trusted), limits);
        Self { connector, pool: Pool::default(), limits: limits.clone() }
    }

    /// Sends the request and waits for the head of the response. `secrets` are added only here, once there is a
    /// connection.
    pub(super) async fn exchange<'a>(
        &self,
        message: &Message,
        permit: &Permit<'_>,
        secrets: &HeaderMap,
        hooks: &'a dyn RequestHooks,
    ) -> Result<Answer<'a>, HttpError> {
        let key = Key::new(&message.url, permit);
        if let Some(mut open) = self.again(&key, hooks).await {
            let meter = Arc::clone(open.tally.meter());
            match self.send(&mut open, message, secrets, hooks, true).await {
                Ok(head) => return Ok(Answer { head, open, key }),
                Err(failure) => {
                    // The received bytes must be counted before anything else happens.
                    drop(open);
                    match failure {
                        _ if meter.is_over() => return Err(hooks.exhausted(Total::Bytes)),
                        Failure::Final(error) => return Err(error),
                        // The server may have processed the request once, so repeating it must be allowed.
                        Failure::Stale => hooks.before_repeat()?,
                    }
                }
            }
        }
        let meter = Arc::default();
        let answer = self.first(key, message, permit, secrets, hooks, &meter).await;
        match answer {
            Err(_) if meter.is_over() => Err(hooks.exhausted(Total::Bytes)),
            answer => answer,
        }
    }

    /// Returns an idle connection that is still usable. Bytes that other requests left on it count for this request.
    async fn again<'a>(&self, key: &Key, hooks: &'a dyn RequestHooks) -> Option<InUse<'a>> {
        while let Some(connection) = self.pool.take(key) {
            let mut open = InUse::again(connection, hooks);
            if open.connection.is_usable().await {
                return Some(open);
            }
        }
        None
    }

    /// Sends the request on a new connection.
    async fn first<'a>(
        &self,
        key: Key,
        message: &Message,
        permit: &Permit<'_>,
        secrets: &HeaderMap,
        hooks: &'a dyn RequestHooks,
        meter: &Arc<Meter>,
    ) -> Result<Answer<'a>, HttpError> {
        let tally = Tally::new(hooks, Arc::clone(meter));
        let connection = self.connector.connect(message, permit, meter).await?;
        let mut open = InUse { connection, tally };
        match self.send(&mut open, message, secrets, hooks, false).await {
            Ok(head) => Ok(Answer { head, open, key }),
            Err(Failure::Final(error)) => Err(error),
            Err(Failure::Stale) => Err(HttpError::Connect(format!("{}: the connection was closed", message.origin()))),
        }
    }

    /// Reads the body to its end or to the limit. Received bytes are counted at once, since the exchange may be
    /// cancelled.
    pub(super) async fn read(
        &self,
        answer: Answer<'_>,
        message: &Message,
        hooks: &dyn RequestHooks,
    ) -> Result<Response, HttpError> {
        let meter = Arc::clone(answer.open.tally.meter());
        match self.body(answer, message, hooks).await {
            Err(_) if meter.is_over() => Err(hooks.exhausted(Total::Bytes)),
            read => read,
        }
    }

    async fn body(
        &self,
        answer: Answer<'_>,
        message: &Message,
        hooks: &dyn RequestHooks,
    ) -> Result<Response, HttpError> {
        let Answer { head, mut open, key } = answer;
        let (parts, mut body) = head.into_parts();
        // Part of a coded body cannot be decoded, and a response to HEAD has no body.
        let coding = match parts.status == StatusCode::PARTIAL_CONTENT || message.method == Method::HEAD {
            true => Coding::Identity,
            false => Coding::of(&parts.headers),
        };
        let names = open.connection.spelling.received();
        let headers = spelling::in_order(&parts.headers, &names);
        let headers = headers::incoming(&headers, &self.limits, coding != Coding::Identity, hooks)?;
        let room = usize::try_from(open.tally.room()).unwrap_or(usize::MAX);
        let mut decoder = Decoder::new(coding, self.limits.response_bytes.min(room));
        let wrong = |error| error::coding(&message.origin(), &error);
        let mut whole = true;
        while let Some(frame) = open.connection.drive(body.frame()).await {
            let frame = frame.map_err(|error| error::exchange(&message.origin(), &error))?;
            // All other frames are trailers, which the host ignores.
            let Ok(bytes) = frame.into_data() else { continue };
            let pushed = decoder.push(&bytes);
            open.tally.count(decoder.length());
            if pushed.map_err(wrong)?.is_break() {
                whole = false;
                break;
            }
        }
        let (body, truncated) = decoder.finish().map_err(wrong)?;
        open.tally.count(body.len());
        if truncated && room < self.limits.response_bytes {
            drop(open);
            return Err(hooks.exhausted(Total::Bytes));
        }
        if whole && open.connection.is_usable().await {
            let InUse { connection, tally } = open;
            drop(tally);
            self.pool.put(key, connection);
        }
        Ok(Response { status: parts.status.as_u16(), url: message.url.to_string(), headers, body, truncated })
    }

    async fn send(
        &self,
        open: &mut InUse<'_>,
        message: &Message,
        secrets: &HeaderMap,
        hooks: &dyn RequestHooks,
        reused: bool,
    ) -> Result<hyper::Response<Incoming>, Failure> {
        let (request, flood) = prepare(message, secrets).map_err(Failure::Final)?;
        hooks.transferred(message.body.len() as u64);
        open.tally.admit();
        open.connection.spelling.begin(&message.names);
        let sending = open.connection.sender.try_send_request(request);
        let result = open
            .connection
            .drive(async {
                tokio::select! {
                    biased;
                    () = flood.notified() => None,
                    result = sending => Some(result),
                }
            })
            .await;
        let protocol = |what: &str| Err(Failure::Final(HttpError::Protocol(format!("{}: {what}", message.origin()))));
        match result {
            None => protocol("one interim response (1xx) after another instead of an answer"),
            Some(Ok(head)) if head.status() == StatusCode::SWITCHING_PROTOCOLS => {
                protocol("the peer changed the protocol (101) unasked")
            }
            Some(Ok(head)) => Ok(head),
            Some(Err(failed)) if error::is_long_head(failed.error()) => {
                Err(Failure::Final(self.long_head(message, hooks)))
            }
            Some(Err(failed)) => Err(failure(failed, message, reused)),
        }
    }

    /// The rest of the head is not read, so it is unknown which of the two limits was reached.
    fn long_head(&self, message: &Message, hooks: &dyn RequestHooks) -> HttpError {
        let HttpLimits { headers, header_bytes, .. } = self.limits;
        for (name, limit) in [(LimitName::HttpHeaders, headers), (LimitName::HttpHeaderBytes, header_bytes)] {
            hooks.limit_reached(LimitHit::new(name, limit as u64, limit as u64 + 1));
        }
        HttpError::Protocol(format!(
            "{}: the head of the response has more than {headers} headers or {header_bytes} bytes\n\
             hint: raise `limits.http_headers` or `limits.http_header_bytes` in the policy",
            message.origin()
        ))
    }
}

fn failure(mut failed: TrySendError<hyper::Request<Full<bytes::Bytes>>>, message: &Message, reused: bool) -> Failure {
    let unsent = failed.take_message().is_some();
    let error = failed.into_error();
    let repeatable =
        matches!(message.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE);
    if reused && (unsent || (repeatable && (error.is_incomplete_message() || error.is_canceled() || error.is_closed())))
    {
        return Failure::Stale;
    }
    Failure::Final(error::exchange(&message.origin(), &error))
}

fn prepare(
    message: &Message,
    secrets: &HeaderMap,
) -> Result<(hyper::Request<Full<bytes::Bytes>>, Arc<Notify>), HttpError> {
    let host = HeaderValue::try_from(message.authority())
        .map_err(|_| HttpError::Protocol(format!("{}: the host cannot be sent", message.origin())))?;
    let mut request = hyper::Request::new(Full::new(message.body.clone()));
    *request.method_mut() = message.method.clone();
    *request.uri_mut() = message.target()?;
    // Servers expect this header first.
    request.headers_mut().insert(header::HOST, host);
    request.headers_mut().extend(message.headers.clone());
    for (name, value) in secrets {
        request.headers_mut().insert(name, value.clone());
    }

    let flood = Arc::new(Notify::new());
    let (count, notify) = (AtomicUsize::new(0), Arc::clone(&flood));
    hyper::ext::on_informational(&mut request, move |_| {
        if count.fetch_add(1, Ordering::Relaxed) == INTERIM_RESPONSES {
            notify.notify_one();
        }
    });
    Ok((request, flood))
}
