//! Lines that are longer than a message may be: the SDK drops them, and somebody has to say so.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
};

/// Reads what another reader has, and tells of each line that has more than so many bytes, its end included.
#[derive(Debug)]
pub(super) struct Lines<R> {
    inner: R,
    limit: usize,
    /// Of the line so far.
    length: usize,
    too_long: UnboundedSender<()>,
}

impl<R> Lines<R> {
    /// The reader, and where it tells of lines that are too long.
    pub(super) fn new(inner: R, limit: usize) -> (Self, UnboundedReceiver<()>) {
        let (too_long, told) = unbounded_channel();
        (Self { inner, limit, length: 0, too_long }, told)
    }

    fn count(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte == b'\n' {
                self.length = 0;
                continue;
            }
            self.length = self.length.saturating_add(1);
            // Once for each line: it has no room for its end.
            if self.length == self.limit {
                // Nobody listens any more when the server has ended.
                let _ = self.too_long.send(());
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        self.count(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn lines_that_are_too_long_are_told_once_each() {
        let text = "four\nfive5\nand far too long\n\nshrt\n";
        let (mut lines, mut told) = Lines::new(text.as_bytes(), 5);
        let mut read = String::new();
        lines.read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, text);
        drop(lines);
        let mut count = 0;
        while told.recv().await.is_some() {
            count += 1;
        }
        assert_eq!(count, 2);
    }
}
