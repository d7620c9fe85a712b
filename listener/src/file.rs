//! A body whose bytes are those of a file, read while they are sent.

use std::{
    fs::File,
    io::{self, Read as _},
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::task::{JoinHandle, spawn_blocking};

/// Number of bytes that are read at a time.
const PART: u64 = 64 << 10;

/// The bytes of an open file, as many as were announced. If the file has fewer by then, the body fails, and the connection is
/// broken off: nothing is added in place of what is missing.
#[derive(Debug)]
pub struct FileBody {
    remaining: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    Open(File),
    Reads(JoinHandle<io::Result<(File, Bytes)>>),
    Failed,
}

impl FileBody {
    /// Makes a body of the next `length` bytes of a file.
    #[must_use]
    pub fn new(file: File, length: u64) -> Self {
        Self { remaining: length, state: State::Open(file) }
    }
}

fn read(mut file: File, length: u64) -> io::Result<(File, Bytes)> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact(&mut bytes)?;
    Ok((file, bytes.into()))
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.remaining == 0 {
            return Poll::Ready(None);
        }
        if let State::Open(_) = self.state {
            let State::Open(file) = std::mem::replace(&mut self.state, State::Failed) else { return Poll::Ready(None) };
            let length = self.remaining.min(PART);
            self.state = State::Reads(spawn_blocking(move || read(file, length)));
        }
        let State::Reads(reading) = &mut self.state else { return Poll::Ready(None) };
        let read = ready!(Pin::new(reading).poll(context)).unwrap_or_else(|error| Err(io::Error::other(error)));
        self.state = State::Failed;
        Poll::Ready(Some(read.map(|(file, bytes)| {
            self.state = State::Open(file);
            self.remaining = self.remaining.saturating_sub(bytes.len() as u64);
            Frame::data(bytes)
        })))
    }

    fn is_end_stream(&self) -> bool {
        self.remaining == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use http_body_util::BodyExt as _;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    #[tokio::test]
    async fn a_file_is_sent_as_long_as_was_announced() {
        let bytes: Vec<u8> = (0..=255).cycle().take(200_000).collect();
        for length in [0, 1, PART, PART + 1, 200_000] {
            let body = FileBody::new(file(&bytes), length);
            assert_eq!(body.size_hint().exact(), Some(length));
            assert_eq!(body.collect().await.unwrap().to_bytes(), bytes[..length as usize]);
        }
    }

    #[tokio::test]
    async fn a_file_that_is_shorter_fails_and_is_not_padded() {
        let mut body = FileBody::new(file(&[7; 70_000]), 80_000);
        assert!(body.frame().await.unwrap().is_ok());
        let error = body.frame().await.unwrap().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert!(body.frame().await.is_none());
        assert!(!body.is_end_stream());
    }
}
