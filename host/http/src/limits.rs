//! The limits of HTTP requests.

use std::time::Duration;

use isolette_policy::Limits;

/// Maximum length of a URL in bytes. Browsers and servers stop between 8 KiB and 64 KiB; a response has to fit into one
/// message of the host call ABI with its URL and its headers in addition to [`isolette_abi::CHUNK_LIMIT`] bytes of its
/// body.
pub(super) const URL_BYTES: usize = 16 << 10;

/// Limits of one request, and of all that are in flight together. Every one is finite by default: the defaults are those of
/// [`Limits`].
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// Maximum bytes of a request's body. A longer request fails with `too-large`.
    pub request_bytes: usize,
    /// Maximum bytes of a response's body after content decoding. A longer body is cut exactly there and the response
    /// is marked `truncated`.
    pub response_bytes: usize,
    /// Maximum bytes of all header names and values together, of a request (else `too-large`) and of a response (else
    /// `protocol`). 32 KiB are twice what web servers accept, and what fits into a message.
    pub header_bytes: usize,
    /// Maximum number of headers of a request (else `too-large`) and of a response (else `protocol`).
    pub headers: usize,
    /// Maximum number of redirects that are followed, also if the request allows more.
    pub redirects: u32,
    /// Maximum time for the whole exchange with its redirects, also if the request allows more.
    pub time_per_request: Duration,
    /// Maximum number of requests in flight at one time; further requests wait, within their time.
    pub concurrent: usize,
}

impl HttpLimits {
    /// Returns the HTTP limits of a policy.
    pub fn of(limits: &Limits) -> Self {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Self {
            request_bytes: size(limits.http_body),
            response_bytes: size(limits.http_body),
            header_bytes: size(limits.http_header_bytes),
            // More headers do not fit into the limit in bytes, and the buffer is allocated for all of them.
            headers: size(limits.http_headers).min(8 << 10),
            redirects: u32::try_from(limits.http_redirects).unwrap_or(u32::MAX),
            time_per_request: limits.http_request_time,
            // More requests at a time are not feasible on any machine, and the semaphore cannot count without bound.
            concurrent: size(limits.http_concurrent).clamp(1, 1 << 16),
        }
    }
}

impl Default for HttpLimits {
    /// The HTTP limits of a policy that names none.
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}
