//! The response to a request.

use hyper::header;
use url::Url;

/// The response that a program receives for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The status, from 100 to 599.
    pub status: u16,
    /// The URL after redirects, without credentials. For a response that a [`Transport`](crate::Transport) creates, the host sets it.
    pub url: String,
    /// Names as the server spells them, and values as ISO-8859-1 decoded to Unicode. Headers that describe the connection are left
    /// out, and also those that describe a content coding that the host has decoded.
    pub headers: Vec<(String, String)>,
    /// The body, without content codings.
    pub body: Vec<u8>,
    /// Whether the body was longer than [`Limits::http_body`](isolette_policy::Limits::http_body), and is cut there.
    pub truncated: bool,
}

impl Response {
    /// Creates a complete response with one header, its `content-type`.
    #[must_use]
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![(header::CONTENT_TYPE.as_str().to_owned(), content_type.to_owned())];
        Self { status, url: String::new(), headers, body: body.into(), truncated: false }
    }

    /// Adds a header. The program receives the name as it is spelled here.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Cuts the body to the limit, for responses of transports too, and sets the URL.
    pub(super) fn limited(mut self, bytes: usize, url: &Url) -> Self {
        self.truncated |= self.body.len() > bytes;
        self.body.truncate(bytes);
        self.url = url.to_string();
        self
    }
}
