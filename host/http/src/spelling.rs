//! The spelling of header names: HTTP does not distinguish case, but programs do.
//!
//! hyper reads and writes names in lower case, and does not say how they were spelled. [`Spelled`] is the stream below it:
//! it writes names as the program spelled them, and remembers those of a response. Only the case of letters ever differs
//! from what hyper reads and writes.

use std::{
    collections::{HashMap, VecDeque},
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use memchr::memmem;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

const END: &[u8] = b"\r\n\r\n";

/// The names of one exchange. A connection shares them with its stream.
#[derive(Debug, Default)]
pub(super) struct Spelling(Mutex<Names>);

#[derive(Debug, Default)]
struct Names {
    request: Outgoing,
    response: Incoming,
}

/// The head of a request.
#[derive(Debug, Default)]
enum Outgoing {
    /// Not yet written; with the names of the program.
    Unwritten(Vec<String>),
    /// The bytes of the head that remain to be written.
    Begun(VecDeque<u8>),
    #[default]
    Written,
}

/// The head of a response.
#[derive(Debug, Default)]
enum Incoming {
    /// The bytes of the head that were received.
    Begun(Vec<u8>),
    /// The names, in order.
    Whole(Vec<String>),
    #[default]
    Ignored,
}

impl Spelling {
    /// Begins an exchange with the names in its request.
    pub(super) fn begin(&self, names: &[String]) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.request = if names.is_empty() { Outgoing::Written } else { Outgoing::Unwritten(names.to_vec()) };
        all.response = Incoming::Begun(Vec::new());
    }

    /// Returns the names in the response, in order. Empty if they are not known.
    pub(super) fn received(&self) -> Vec<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut all.response) {
            Incoming::Whole(names) => names,
            Incoming::Begun(_) | Incoming::Ignored => Vec::new(),
        }
    }
}

/// Returns the headers of a response in their order, each with its name as `names` spells it.
pub(super) fn in_order<'a>(headers: &'a HeaderMap, names: &'a [String]) -> Vec<(&'a str, &'a HeaderValue)> {
    let mut values: HashMap<&HeaderName, _> =
        headers.keys().map(|name| (name, headers.get_all(name).into_iter())).collect();
    let mut pairs = Vec::with_capacity(headers.len());
    for name in names {
        let known = HeaderName::from_bytes(name.as_bytes()).ok();
        if let Some(value) = known.and_then(|known| values.get_mut(&known)).and_then(Iterator::next) {
            pairs.push((name.as_str(), value));
        }
    }
    for name in headers.keys() {
        pairs.extend(values.remove(name).into_iter().flatten().map(|value| (name.as_str(), value)));
    }
    pairs
}

/// A plain or encrypted stream.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A stream that spells names in the heads of requests, and remembers those of responses.
pub(super) struct Spelled {
    stream: Box<dyn Stream>,
    spelling: Arc<Spelling>,
    /// Maximum bytes of the head of a response.
    limit: usize,
}

impl Spelled {
    pub(super) fn new(stream: Box<dyn Stream>, spelling: Arc<Spelling>, limit: usize) -> Self {
        Self { stream, spelling, limit }
    }
}

impl AsyncRead for Spelled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        let mut all = self.spelling.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.response.push(&buffer.filled()[before..], self.limit);
        drop(all);
        polled
    }
}

impl AsyncWrite for Spelled {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let spelling = Arc::clone(&self.spelling);
        let mut all = spelling.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Outgoing::Unwritten(names) = &all.request {
            // hyper writes a head in one piece.
            all.request = spelled(bytes, names).map_or(Outgoing::Written, |head| Outgoing::Begun(head.into()));
        }
        let Outgoing::Begun(head) = &mut all.request else {
            return Pin::new(&mut self.stream).poll_write(context, bytes);
        };
        let (first, second) = head.as_slices();
        let next = if first.is_empty() { second } else { first };
        let polled = Pin::new(&mut self.stream).poll_write(context, next);
        if let Poll::Ready(Ok(length)) = polled {
            head.drain(..length.min(head.len()));
            if head.is_empty() {
                all.request = Outgoing::Written;
            }
        }
        polled
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
        let all = self.spelling.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_head = !matches!(all.request, Outgoing::Written);
        drop(all);
        match slices.iter().find(|slice| !slice.is_empty()) {
            Some(head) if is_head => self.poll_write(context, head),
            _ => Pin::new(&mut self.stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

impl Incoming {
    /// Takes in what was received. The heads of interim responses (1xx) are passed over.
    fn push(&mut self, bytes: &[u8], limit: usize) {
        let Self::Begun(head) = self else { return };
        // An end may be divided between two pushes.
        let mut from = head.len().saturating_sub(END.len());
        head.extend_from_slice(bytes.get(..limit.saturating_sub(head.len())).unwrap_or(bytes));
        while let Some(at) = memmem::find(&head[from..], END) {
            let rest = head.split_off(from + at + END.len());
            if !is_interim(head) {
                *self = Self::Whole(names_of(head));
                return;
            }
            (*head, from) = (rest, 0);
        }
        if head.len() >= limit {
            *self = Self::Ignored;
        }
    }
}

/// Returns whether the head is that of a response before the final one. `101` is final.
fn is_interim(head: &[u8]) -> bool {
    let status = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
    status.starts_with(b"1") && !status.starts_with(b"101")
}

/// Returns the names in a head, in order.
fn names_of(head: &[u8]) -> Vec<String> {
    let lines = head.split(|byte| *byte == b'\n').skip(1);
    let names = lines.filter_map(|line| line.split_at_checked(memchr::memchr(b':', line)?));
    names.filter_map(|(name, _)| String::from_utf8(name.to_vec()).ok()).collect()
}

/// Returns the head of a request with its names as `names` spells them. `None` if the bytes are no whole head.
fn spelled(bytes: &[u8], names: &[String]) -> Option<Vec<u8>> {
    let length = memmem::find(bytes, END)? + END.len();
    let mut spellings: HashMap<String, VecDeque<&String>> = HashMap::new();
    for name in names {
        spellings.entry(name.to_ascii_lowercase()).or_default().push_back(name);
    }
    let mut head = bytes[..length].to_vec();
    for line in head.split_mut(|byte| *byte == b'\n').skip(1) {
        let Some((name, _)) = memchr::memchr(b':', line).and_then(|colon| line.split_at_mut_checked(colon)) else {
            continue;
        };
        let written = String::from_utf8_lossy(name).to_ascii_lowercase();
        if let Some(spelling) = spellings.get_mut(&written).and_then(VecDeque::pop_front) {
            // Equal apart from the case of letters, so equally long.
            name.copy_from_slice(spelling.as_bytes());
        }
    }
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(pieces: &[&[u8]], limit: usize) -> Vec<String> {
        let spelling = Spelling::default();
        spelling.begin(&[]);
        for piece in pieces {
            spelling.0.lock().unwrap().response.push(piece, limit);
        }
        spelling.received()
    }

    #[test]
    fn names_of_a_response_are_remembered_however_it_is_divided() {
        let text = b"HTTP/1.1 103 Early\r\nLINK: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
                     HTTP/1.1 200 OK\r\nX-One: 1\r\nx-one: 2\r\nDate: a: b\r\n\r\nNo: name";
        for size in 1..text.len() {
            let pieces: Vec<&[u8]> = text.chunks(size).collect();
            assert_eq!(received(&pieces, 1000), ["X-One", "x-one", "Date"], "pieces of {size} bytes");
        }
        assert_eq!(received(&[text], 80), [""; 0], "a head beyond the limit is not stored");
    }

    #[test]
    fn headers_have_the_order_and_the_names_of_the_response() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        let names = ["A", "B", "a", "unknown"].map(str::to_owned);
        let pairs = in_order(&headers, &names);
        let shown: Vec<_> = pairs.iter().map(|(name, value)| format!("{name}={}", value.to_str().unwrap())).collect();
        assert_eq!(shown, ["A=1", "B=2", "a=3", "c=4"]);
    }

    #[test]
    fn only_names_in_a_head_change() {
        let names = ["x-low", "X-UP", "x-Up", "Absent"].map(str::to_owned);
        let head = b"GET /x-up: HTTP/1.1\r\nHost: x-up:1\r\nX-Up: x-low: a\r\nX-Low: b\r\nX-Up: c\r\nX-Up: d\r\n\r\nx-low: body";
        let expected =
            b"GET /x-up: HTTP/1.1\r\nHost: x-up:1\r\nX-UP: x-low: a\r\nx-low: b\r\nx-Up: c\r\nX-Up: d\r\n\r\n";
        assert_eq!(spelled(head, &names), Some(expected.to_vec()));
        assert_eq!(spelled(b"GET / HTTP/1.1\r\nHost", &names), None);
    }
}
