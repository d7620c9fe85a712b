//! Counts the bytes received over a connection, encryption included, for the request that they belong to.
//!
//! A response counts with the bytes received over the wire or with its decoded body, whichever is more. Everything
//! counts: heads, chunks, handshakes, bodies of redirects, and bodies that cannot be decoded.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::hooks::RequestHooks;

/// The bytes received over one connection.
#[derive(Debug, Default)]
pub(super) struct Meter {
    received: AtomicU64,
    /// The part of `received` that is already counted for a request.
    settled: AtomicU64,
    /// Maximum for `received`.
    most: AtomicU64,
    over: AtomicBool,
}

impl Meter {
    fn add(&self, bytes: u64) {
        let received = self.received.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if received > self.most.load(Ordering::Relaxed) {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether more was received than allowed.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

/// A stream that counts what it reads, and ends at the limit.
#[derive(Debug)]
pub(super) struct Metered {
    stream: TcpStream,
    meter: Arc<Meter>,
}

impl Metered {
    pub(super) fn new(stream: TcpStream, meter: Arc<Meter>) -> Self {
        Self { stream, meter }
    }
}

impl Drop for Metered {
    /// Unread bytes in the socket's buffer were received over the wire as well.
    fn drop(&mut self) {
        self.meter.add(rustix::io::ioctl_fionread(&self.stream).unwrap_or_default());
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.meter.add((buffer.filled().len() - before) as u64);
        match polled {
            Poll::Ready(Ok(())) if self.meter.is_over() => {
                Poll::Ready(Err(io::Error::new(io::ErrorKind::QuotaExceeded, "there is no room for more")))
            }
            polled => polled,
        }
    }
}

impl AsyncWrite for Metered {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
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
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Counts one exchange for its hooks, until it is dropped, also when the exchange is cancelled.
pub(super) struct Tally<'a> {
    hooks: &'a dyn RequestHooks,
    meter: Arc<Meter>,
    start: u64,
    counted: u64,
    /// Decoded bytes of the body so far.
    became: u64,
}

impl<'a> Tally<'a> {
    pub(super) fn new(hooks: &'a dyn RequestHooks, meter: Arc<Meter>) -> Self {
        let start = meter.settled.load(Ordering::Relaxed);
        let tally = Self { hooks, meter, start, counted: 0, became: 0 };
        tally.admit();
        tally
    }

    /// Allows the connection to receive as many bytes as the hooks have remaining.
    pub(super) fn admit(&self) {
        let most = self.start.saturating_add(self.counted).saturating_add(self.hooks.remaining().bytes);
        self.meter.most.store(most, Ordering::Relaxed);
    }

    /// Counts the bytes received since the last call. `became` is the decoded length of the body so far.
    pub(super) fn count(&mut self, became: usize) {
        self.became = became as u64;
        self.settle();
    }

    fn settle(&mut self) {
        let received = self.meter.received.load(Ordering::Relaxed);
        let more = received.saturating_sub(self.start).max(self.became).saturating_sub(self.counted);
        self.counted = self.counted.saturating_add(more);
        self.meter.settled.store(received, Ordering::Relaxed);
        // Bytes beyond the limit end the exchange, and do not count as used.
        self.hooks.transferred(more.min(self.hooks.remaining().bytes));
    }

    /// Returns how many bytes a decoded body may have.
    pub(super) fn room(&self) -> u64 {
        self.hooks.remaining().bytes.saturating_add(self.counted)
    }

    pub(super) fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}
