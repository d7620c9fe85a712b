//! Transports: how a request reaches its server, over the network or through code of the embedder.
//!
//! When a transport is called, the policy has allowed the request, it is counted, and the approver has approved it if
//! needed. A transport receives the credentials that the program itself sends, and none of the host's.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::Poll,
};

use bytes::Bytes;
use hyper::header;
pub use isolette_abi::http::HttpError;
use url::Url;

use super::{
    client::{Answer, Client},
    hooks::RequestHooks,
    message::Message,
    response::Response,
    secrets::Secrets,
};
use isolette_policy::network::Permit;

/// Executes requests in place of the network. Register one with `SandboxBuilder::http_transport`, to record or change
/// requests and responses, or to mock servers.
///
/// The host awaits it on threads of its own, in a Tokio runtime, within the time that the request may take, and drops
/// the future when that is over. The host follows redirects: each is a separate exchange, after the policy has allowed
/// it too. A panic is an error of the request.
///
/// ```
/// use isolette::http::{Exchange, HttpError, Response, Transport};
///
/// /// Answers for one server, and lets the others speak for themselves.
/// struct Mock;
///
/// impl Transport for Mock {
///     async fn exchange(&self, exchange: Exchange<'_>) -> Result<Response, HttpError> {
///         match exchange.url().host_str() {
///             Some("api.example.com") => Ok(Response::new(200, "application/json", r#"{"mocked": true}"#)),
///             _ => exchange.send().await,
///         }
///     }
/// }
///
/// let builder = isolette::Sandbox::builder().allow("api.example.com").http_transport(Mock);
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Returns the response to one request.
    ///
    /// # Errors
    /// The error that the program receives. [`HttpError::Connect`] is for a server that cannot be reached. For
    /// [`HttpError::Timeout`] without a text, the program receives the error of a request whose time is over.
    fn exchange(&self, exchange: Exchange<'_>) -> impl Future<Output = Result<Response, HttpError>> + Send;
}

/// One request that the policy has allowed, for a [`Transport`].
pub struct Exchange<'a> {
    message: &'a Message,
    client: &'a Client,
    permit: &'a Permit<'a>,
    secrets: &'a Secrets,
    hooks: &'a dyn RequestHooks,
}

impl std::fmt::Debug for Exchange<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Exchange").field("method", &self.message.method).finish_non_exhaustive()
    }
}

impl<'a> Exchange<'a> {
    pub(super) fn new(
        message: &'a Message,
        client: &'a Client,
        permit: &'a Permit<'a>,
        secrets: &'a Secrets,
        hooks: &'a dyn RequestHooks,
    ) -> Self {
        Self { message, client, permit, secrets, hooks }
    }

    /// Returns the method, in upper case.
    #[must_use]
    pub fn method(&self) -> &str {
        self.message.method.as_str()
    }

    /// Returns the URL, without credentials.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.message.url
    }

    /// Returns the headers of the program with those that the host adds, without `Host`, `Content-Length` and secrets.
    /// Names are in lower case, values are ISO-8859-1 decoded to Unicode.
    pub fn headers(&self) -> impl Iterator<Item = (&str, String)> {
        let text = |value: &[u8]| value.iter().copied().map(char::from).collect();
        self.message.headers.iter().map(move |(name, value)| (name.as_str(), text(value.as_bytes())))
    }

    /// Returns the body; empty for none.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.message.body
    }

    /// Sends the request over the network, unchanged, to an address that the policy has allowed. The secrets of the
    /// host are added when it is sent, and redacted in the response.
    ///
    /// # Errors
    /// An [`HttpError`] if no complete response was received.
    pub async fn send(self) -> Result<Response, HttpError> {
        let Self { message, client, permit, secrets, hooks } = self;
        let sent = async {
            let answer = client.exchange(message, permit, &secrets.of(message), hooks).await?;
            client.read(answer, message, hooks).await
        };
        let result = sent.await;
        secrets.redacted(result)
    }
}

type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response, HttpError>> + Send + 'a>>;

/// A [`Transport`] of any type.
pub trait AnyTransport: Send + Sync {
    /// Returns the response to a request that the policy has allowed.
    fn exchange<'a>(&'a self, exchange: Exchange<'a>) -> Responding<'a>;
}

impl std::fmt::Debug for dyn AnyTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Transport")
    }
}

impl<T: Transport> AnyTransport for T {
    fn exchange<'a>(&'a self, exchange: Exchange<'a>) -> Responding<'a> {
        Box::pin(guarded(Transport::exchange(self, exchange)))
    }
}

/// Awaits the future of an embedder; a panic in it is an error of the request.
async fn guarded(future: impl Future<Output = Result<Response, HttpError>>) -> Result<Response, HttpError> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(HttpError::Connect("the transport panicked".into()))))
    })
    .await
}

/// A response whose head is known. Its body may not be read yet.
pub(super) enum Head<'a> {
    Open(Box<Answer<'a>>),
    Whole(Response),
}

impl Head<'_> {
    pub(super) fn status(&self) -> u16 {
        match self {
            Self::Open(answer) => answer.status().as_u16(),
            Self::Whole(response) => response.status,
        }
    }

    pub(super) fn location(&self) -> Option<String> {
        match self {
            Self::Open(answer) => {
                answer.headers().get(header::LOCATION).map(|value| String::from_utf8_lossy(value.as_bytes()).into())
            }
            Self::Whole(response) => response
                .headers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("location"))
                .map(|(_, value)| value.clone()),
        }
    }
}
