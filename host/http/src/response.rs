//! The response to a request.

use hyper::header;
use url::Url;

/// What a program gets for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// From 100 to 599.
    pub status: u16,
    /// After redirects, without credentials. Of a [`Transport`]'s own response the host fills it in.
    pub url: String,
    /// Names in lower case; values are ISO-8859-1 read as Unicode. Those that describe the connection are left out, and
    /// those that describe a content coding too if the host has undone it.
    pub headers: Vec<(String, String)>,
    /// Without content codings.
    pub body: Vec<u8>,
    /// The body ends at [`Limits::http_body`](isolette_policy::Limits::http_body), and was longer.
    pub truncated: bool,
}

impl Response {
    /// A whole response with one header, its `content-type`.
    #[must_use]
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![(header::CONTENT_TYPE.as_str().to_owned(), content_type.to_owned())];
        Self { status, url: String::new(), headers, body: body.into(), truncated: false }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Whatever it was made by, the program gets no more than it may have.
    pub(super) fn limited(mut self, bytes: usize, url: &Url) -> Self {
        self.truncated |= self.body.len() > bytes;
        self.body.truncate(bytes);
        self.url = url.to_string();
        self
    }
}
