//! Closes connections whose clients do not read.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// Number of bytes that a client has to take within the time, if there are so many.
const PART: usize = 64 << 10;

/// A connection that fails if bytes wait to be written, and the client takes fewer than [`PART`] of them within a time.
pub(crate) struct Sending<S> {
    stream: S,
    time: Duration,
    /// Set while bytes wait: the time at which the connection fails.
    until: Option<Pin<Box<Sleep>>>,
    /// Bytes that were written since that was set.
    written: usize,
}

impl<S> Sending<S> {
    pub(crate) fn new(stream: S, time: Duration) -> Self {
        Self { stream, time, until: None, written: 0 }
    }

    fn check(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                let time = self.time;
                ready!(self.until.get_or_insert_with(|| Box::pin(sleep(time))).as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read the response")))
            }
            Poll::Ready(Ok(count)) => {
                self.written += count;
                if self.written >= PART {
                    self.begin_anew();
                }
                Poll::Ready(Ok(count))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
        }
    }

    fn begin_anew(&mut self) {
        self.until = None;
        self.written = 0;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Sending<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Sending<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.check(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when everything was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        if flushed.is_ready() {
            self.begin_anew();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    /// A client that takes `part` bytes at a time, and then waits. Returns how many it got.
    async fn read(mut client: DuplexStream, part: usize, pause: Duration) -> usize {
        let (mut all, mut bytes) = (0, vec![0; part]);
        loop {
            match client.read(&mut bytes).await {
                Ok(count) if count > 0 => all += count,
                _ => return all,
            }
            sleep(pause).await;
        }
    }

    #[tokio::test]
    async fn who_reads_too_little_is_disconnected() {
        for part in [1, 100] {
            let (client, server) = duplex(1024);
            let mut server = Sending::new(server, Duration::from_millis(300));
            let reader = tokio::spawn(read(client, part, Duration::from_millis(5)));
            let error = server.write_all(&[0; 1 << 20]).await.unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{part}");
            drop(server);
            reader.await.unwrap();
        }
        let (_client, server) = duplex(1024);
        let mut server = Sending::new(server, Duration::from_millis(1));
        assert_eq!(server.write_all(&[0; 2048]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_reads_slowly_gets_everything() {
        let time = Duration::from_secs(2);
        let (client, server) = duplex(32 << 10);
        let mut server = Sending::new(server, time);
        let reader = tokio::spawn(read(client, 32 << 10, Duration::from_millis(100)));
        for _ in 0..2 {
            server.write_all(&[0; 1 << 20]).await.unwrap();
            server.flush().await.unwrap();
            // Time in which there is nothing to send does not count.
            sleep(time).await;
        }
        drop(server);
        assert_eq!(reader.await.unwrap(), 2 << 20);
    }
}
