//! How a request gets to its server: over the network, or by whatever an embedder puts in between or in its place.
//!
//! By then the policy has allowed the request, it was counted, and whoever has to agree has agreed. A transport sees the
//! credentials that the program itself sends, and none of the host's.

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

/// Makes exchanges with servers. Lend one with
/// `SandboxBuilder::http_transport`, to record what is said, to change it, or to
/// answer in the place of servers that are not there.
///
/// It is awaited on threads of this crate's own, in a Tokio runtime, within the time that the request may take, and dropped
/// where it stands when that is over. Redirects are followed by the host: each is an exchange of its own, after the policy
/// has allowed it too. A panic is an error of the request's.
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
    /// Brings about the response to one request.
    ///
    /// # Errors
    /// What the program is told instead. [`HttpError::Connect`] is for a server that cannot be reached.
    fn exchange(&self, exchange: Exchange<'_>) -> impl Future<Output = Result<Response, HttpError>> + Send;
}

/// One request that may be sent now.
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

    /// In upper case.
    #[must_use]
    pub fn method(&self) -> &str {
        self.message.method.as_str()
    }

    /// Without credentials.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.message.url
    }

    /// What the program sends, with what the host adds, but for `Host` and `Content-Length`. Names are in lower case,
    /// values ISO-8859-1 read as Unicode.
    pub fn headers(&self) -> impl Iterator<Item = (&str, String)> {
        let text = |value: &[u8]| value.iter().copied().map(char::from).collect();
        self.message.headers.iter().map(move |(name, value)| (name.as_str(), text(value.as_bytes())))
    }

    /// May be empty.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.message.body
    }

    /// Sends it over the network, as it is, to an address that the policy has allowed. Secrets of the host's are added on
    /// the way out, and left out of what comes back.
    ///
    /// # Errors
    /// When no whole response came back.
    pub async fn send(self) -> Result<Response, HttpError> {
        let Self { message, client, permit, secrets, hooks } = self;
        let sent = async {
            let answer = client.exchange(message, permit, &secrets.of(message), hooks).await?;
            client.read(answer, message, hooks).await
        };
        let result = sent.await;
        secrets.left_out(result)
    }
}

type Responding<'a> = Pin<Box<dyn Future<Output = Result<Response, HttpError>> + Send + 'a>>;

/// A [`Transport`] of whatever type.
pub trait AnyTransport: Send + Sync {
    /// Answers a request that the policy has allowed.
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

/// Awaits what an embedder does; a panic of its is an error of the request's.
async fn guarded(future: impl Future<Output = Result<Response, HttpError>>) -> Result<Response, HttpError> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(HttpError::Connect("the transport panicked".into()))))
    })
    .await
}

/// A response whose head is known. Its body may still be to come.
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
            Self::Whole(response) => {
                response.headers.iter().find(|(name, _)| name == "location").map(|(_, value)| value.clone())
            }
        }
    }
}
