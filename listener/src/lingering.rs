//! Delays the close of a connection so that the last response arrives.
//!
//! A request that is refused is answered before its body is read. Closing a connection with unread bytes resets it, and
//! the response may be lost. For a short time, the remaining bytes are therefore read and discarded.

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

/// How long a client may keep sending after the response.
const TIME: Duration = Duration::from_secs(if cfg!(test) { 60 } else { 1 });

/// Maximum number of bytes that are discarded.
const BYTES: usize = 16 << 20;

pub(crate) struct Lingering<S> {
    stream: S,
    /// Set when the sending side is closed: the time at which the connection is closed.
    until: Option<Pin<Box<Sleep>>>,
    remaining: usize,
}

impl<S> Lingering<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, until: None, remaining: BYTES }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
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

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let until = match &mut this.until {
            Some(until) => until,
            closed => {
                ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
                closed.insert(Box::pin(sleep(TIME)))
            }
        };
        let mut space = [0; 8192];
        loop {
            let mut buffer = ReadBuf::new(&mut space);
            match Pin::new(&mut this.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() && this.remaining > 0 => {
                    this.remaining = this.remaining.saturating_sub(buffer.filled().len());
                }
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return until.as_mut().poll(context).map(Ok),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::{TcpListener, TcpStream},
    };

    use super::*;

    #[tokio::test]
    async fn an_answer_arrives_though_the_question_was_not_read() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let server = tokio::spawn(async move {
            let mut stream = Lingering::new(stream);
            stream.write_all(b"no").await.unwrap();
            stream.shutdown().await.unwrap();
        });
        let question = vec![b'?'; 4 << 20];
        client.write_all(&question).await.unwrap();
        client.shutdown().await.unwrap();
        server.await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "no");
    }
}
