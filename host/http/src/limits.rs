//! How much one request may cost the host.

use std::time::Duration;

use isolette_policy::Limits;

/// Bytes of a URL. Browsers and servers stop between 8 KiB and 64 KiB; a response has to fit into one message of the wall
/// with its URL and its headers beside [`isolette_abi::CHUNK_LIMIT`] bytes of its body.
pub(super) const URL_BYTES: usize = 16 << 10;

/// Limits of one request, and of all that are under way together. Every one is finite.
#[derive(Clone, Debug)]
pub struct HttpLimits {
    /// Bytes of a request's body. Beyond it the request is `too-large`. 16 MiB.
    pub request_bytes: usize,
    /// Bytes of a response's body, after its content coding is undone. Beyond it the body is cut exactly there and the
    /// response is marked `truncated`. 16 MiB.
    pub response_bytes: usize,
    /// Bytes of all header names and values together, of a request (`too-large`) and of a response (`protocol`). 32 KiB:
    /// twice what browsers' servers accept, and what leaves room in a message.
    pub header_bytes: usize,
    /// Headers of a request (`too-large`) and of a response (`protocol`). 128.
    pub headers: usize,
    /// Redirects that are followed, whatever the request asks for. 10.
    pub redirects: u32,
    /// For the whole exchange with its redirects, whatever the request asks for. 30 s.
    pub time_per_request: Duration,
    /// Requests under way at one time; more wait, within their time. 8.
    pub concurrent: usize,
}

impl HttpLimits {
    /// Those of a policy.
    pub fn of(limits: &Limits) -> Self {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Self {
            request_bytes: size(limits.http_body),
            response_bytes: size(limits.http_body),
            header_bytes: size(limits.http_header_bytes),
            // More do not fit into their bytes, and room is made for all of them.
            headers: size(limits.http_headers).min(8 << 10),
            redirects: u32::try_from(limits.http_redirects).unwrap_or(u32::MAX),
            time_per_request: limits.http_request_time,
            // No machine has more; nobody could count them.
            concurrent: size(limits.http_concurrent).clamp(1, 1 << 16),
        }
    }
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            request_bytes: 16 << 20,
            response_bytes: 16 << 20,
            header_bytes: 32 << 10,
            headers: 128,
            redirects: 10,
            time_per_request: Duration::from_secs(30),
            concurrent: 8,
        }
    }
}
