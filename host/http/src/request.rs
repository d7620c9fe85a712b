//! A request, as a guest makes it.

use std::time::Duration;

use bytes::Bytes;

/// A request of a guest.
#[derive(Debug)]
pub struct Request<'a> {
    /// The HTTP method, in any case.
    pub method: &'a str,
    /// The absolute URL.
    pub url: &'a str,
    /// Names and values of the headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body; empty for none.
    pub body: Bytes,
    /// The timeout for the whole exchange; [`HttpLimits::time_per_request`](crate::HttpLimits::time_per_request)
    /// applies in addition.
    pub timeout: Option<Duration>,
    /// The maximum number of redirects to follow. With 0 a redirect itself is the response.
    pub redirects: u32,
}
