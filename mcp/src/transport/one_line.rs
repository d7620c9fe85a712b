//! Escapes, in messages that the SDK has written, the characters at which some readers end lines
//! ([`isolette::json_lines`]).

use std::{
    convert::Infallible,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame};
use isolette::json_lines::JsonLineStream;
use isolette_listener::access;
use tokio::io::AsyncWrite;

/// Writes lines to another writer.
#[derive(Debug)]
pub(crate) struct OneLine<W> {
    inner: W,
    stream: JsonLineStream,
    /// The bytes that were accepted, and how many of them were written.
    accepted: Vec<u8>,
    written: usize,
}

impl<W> OneLine<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, stream: JsonLineStream::default(), accepted: Vec::new(), written: 0 }
    }
}

impl<W: AsyncWrite + Unpin> OneLine<W> {
    fn poll_accepted(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < self.accepted.len() {
            let rest = &self.accepted[self.written..];
            match ready!(Pin::new(&mut self.inner).poll_write(context, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        // Long messages are rare, so their buffer is not kept.
        self.accepted = Vec::new();
        self.written = 0;
        Poll::Ready(Ok(()))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for OneLine<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        ready!(this.poll_accepted(context))?;
        this.accepted = this.stream.push(bytes).into_owned();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_accepted(context))?;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let rest = self.stream.finish();
        self.accepted.extend(rest);
        ready!(self.poll_accepted(context))?;
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// A body with events.
pub(crate) struct OneLineBody {
    inner: access::Body,
    /// `None` after its end.
    stream: Option<JsonLineStream>,
}

impl OneLineBody {
    pub(crate) fn new(inner: access::Body) -> Self {
        Self { inner, stream: Some(JsonLineStream::default()) }
    }
}

impl Body for OneLineBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        Poll::Ready(match (frame, &mut self.stream) {
            (Some(Ok(frame)), Some(stream)) => {
                let escaped = frame.map_data(|data| match stream.push(&data) {
                    std::borrow::Cow::Borrowed(_) => data.clone(),
                    std::borrow::Cow::Owned(escaped) => escaped.into(),
                });
                Some(Ok(escaped))
            }
            (None, stream) => {
                let rest = stream.take().map(|mut stream| stream.finish()).unwrap_or_default();
                (!rest.is_empty()).then(|| Ok(Frame::data(rest.into())))
            }
            (frame, _) => frame,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.stream.is_none() && self.inner.is_end_stream()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt as _, StreamBody};
    use tokio::io::AsyncWriteExt as _;

    use super::*;

    const TEXT: &str = "{\"a\":\"x\u{2028}y\u{85}é\u{2029}\"}\n";
    const ESCAPED: &str = "{\"a\":\"x\\u2028y\\u0085é\\u2029\"}\n";

    #[tokio::test]
    async fn lines_are_escaped_however_they_are_written() {
        for size in 1..TEXT.len() {
            let mut written = Vec::new();
            let mut writer = OneLine::new(&mut written);
            for part in TEXT.as_bytes().chunks(size) {
                writer.write_all(part).await.unwrap();
            }
            writer.flush().await.unwrap();
            assert_eq!(std::str::from_utf8(&written), Ok(ESCAPED));
        }
    }

    #[tokio::test]
    async fn a_line_that_broke_off_is_written_as_it_is() {
        let mut written = Vec::new();
        let mut writer = OneLine::new(&mut written);
        writer.write_all(b"\"\xe2\x80").await.unwrap();
        writer.shutdown().await.unwrap();
        assert_eq!(written, b"\"\xe2\x80");
    }

    #[tokio::test]
    async fn bodies_are_escaped_however_they_are_cut() {
        for size in 1..TEXT.len() {
            let parts: Vec<_> = TEXT.as_bytes().chunks(size).map(|part| Ok(Frame::data(Bytes::from(part)))).collect();
            let body = StreamBody::new(futures_util::stream::iter(parts)).boxed();
            let escaped = OneLineBody::new(body).collect().await.unwrap().to_bytes();
            assert_eq!(std::str::from_utf8(&escaped), Ok(ESCAPED));
        }
    }
}
