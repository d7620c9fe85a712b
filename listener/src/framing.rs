//! Finds requests that say in two ways where their bodies end.
//!
//! A request with `Transfer-Encoding` and `Content-Length` ends at one place for one server and at another place for a proxy before
//! it, which makes the rest a request of its own (RFC 9112, 6.1 and 11.2). The HTTP library drops `Content-Length` then, so the head
//! is read once more as it has arrived.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use http::{Request, header};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Maximum length of a head in bytes that is read again. The library accepts longer ones, with other headers.
const HEAD: usize = 64 << 10;

/// Maximum number of headers, as of the library.
const HEADERS: usize = 100;

/// Marks a request whose body may end at two places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ambiguous;

/// The bytes that have arrived since the last response, until the next request is received. `None` from then on: a body is not noted.
#[derive(Clone, Debug)]
pub(crate) struct Arrived(Arc<Mutex<Option<Vec<u8>>>>);

impl Default for Arrived {
    /// Makes the notes of a connection on which nothing has arrived.
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Some(Vec::new()))))
    }
}

impl Arrived {
    /// Whether the body of a request that was received just now may end at two places. One with `Transfer-Encoding` that was sent before
    /// the response to the one before it counts as such.
    pub(crate) fn is_ambiguous<B>(&self, request: &Request<B>) -> bool {
        let bytes = self.bytes().take().unwrap_or_default();
        if !request.headers().contains_key(header::TRANSFER_ENCODING) {
            return false;
        }
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let is_read = head.parse(&bytes).is_ok_and(|read| read.is_complete());
        let is_this = head.method == Some(request.method().as_str())
            && head.path.is_some_and(|path| path == request.uri().to_string().as_str());
        let has_length = || head.headers.iter().any(|field| field.name.eq_ignore_ascii_case("content-length"));
        !is_read || !is_this || has_length()
    }

    /// Begins anew, since a response is written.
    fn begin(&self) {
        match &mut *self.bytes() {
            Some(bytes) => bytes.clear(),
            none => *none = Some(Vec::new()),
        }
    }

    fn bytes(&self) -> MutexGuard<'_, Option<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that notes what arrives.
#[derive(Debug)]
pub(crate) struct Noting<S> {
    stream: S,
    arrived: Arrived,
}

impl<S> Noting<S> {
    pub(crate) fn new(stream: S, arrived: Arrived) -> Self {
        Self { stream, arrived }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Noting<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if let Some(bytes) = &mut *self.arrived.bytes() {
            let read = &buffer.filled()[before..];
            let room = HEAD.saturating_sub(bytes.len()).min(read.len());
            bytes.extend_from_slice(&read[..room]);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Noting<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.arrived.begin();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.arrived.begin();
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ambiguous(arrived: &str) -> bool {
        let noted = Arrived::default();
        *noted.bytes() = Some(arrived.into());
        let request = Request::post("/a?b=c").header("Transfer-Encoding", "chunked").body(()).unwrap();
        noted.is_ambiguous(&request)
    }

    #[test]
    fn a_body_has_one_end() {
        let head = |headers: &str| format!("POST /a?b=c HTTP/1.1\r\n{headers}\r\n5\r\nhello\r\n0\r\n\r\n");
        assert!(!is_ambiguous(&head("Host: a\r\nTransfer-Encoding: chunked\r\n")));
        for headers in [
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "content-length: 5\r\ntransfer-encoding: chunked\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        ] {
            assert!(is_ambiguous(&head(headers)), "{headers}");
        }
        // A head that is not the one of the request, or not whole.
        for arrived in ["", "POST /a?b=c HTTP/1.1\r\nHost: a\r\n", "GET /other HTTP/1.1\r\nHost: a\r\n\r\n"] {
            assert!(is_ambiguous(arrived), "{arrived}");
        }
        let request = Request::post("/a").header("Content-Length", "5").body(()).unwrap();
        assert!(!Arrived::default().is_ambiguous(&request));
    }
}
