//! Reads messages line by line and measures each before it is parsed.
//!
//! The SDK drops lines that are longer than a message may be, and parses all others. Each line is held back until it is
//! complete: if there is no memory for it, or a number in it would lose digits, the line is not passed on, and the refusal
//! is reported.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use isolette::values::Reservation;
use tokio::io::{AsyncRead, ReadBuf};

use crate::measured::{self, Unread};

/// Bytes that are read at a time.
const PIECE: usize = 16 << 10;

/// Receives the outcome for each line.
pub(crate) trait Judge {
    /// A line was passed on; `room` is the memory reserved for it.
    fn passed(&mut self, room: Reservation);

    /// Everything that was passed on has been read.
    fn read(&mut self) {}

    /// A line was not read. The returned bytes, including a line end, are passed on in its place.
    fn refused(&mut self, line: &[u8], why: &Unread) -> Vec<u8>;

    /// A line is too long; it is passed on to the SDK, which drops it.
    fn too_long(&mut self) {}
}

/// Reads another reader line by line.
#[derive(Debug)]
pub(crate) struct Lines<R, J> {
    inner: R,
    limit: usize,
    judge: J,
    /// The beginning of the next line.
    line: Vec<u8>,
    /// The current line is too long, and its bytes are passed on as they arrive.
    passing: bool,
    /// The bytes that may be read, and how many of them were.
    whole: Vec<u8>,
    given: usize,
}

impl<R, J: Judge> Lines<R, J> {
    /// Limits lines to `limit` bytes, their ends included.
    pub(crate) fn new(inner: R, limit: usize, judge: J) -> Self {
        Self { inner, limit, judge, line: Vec::new(), passing: false, whole: Vec::new(), given: 0 }
    }

    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.passing {
                self.whole.extend_from_slice(part);
            } else {
                self.line.extend_from_slice(part);
                // The line end would exceed the limit.
                if self.line.len() > self.limit || (self.line.len() == self.limit && !ends) {
                    self.judge.too_long();
                    self.passing = true;
                    self.whole.append(&mut self.line);
                } else if ends {
                    self.pass();
                }
            }
            self.passing &= !ends;
        }
    }

    fn pass(&mut self) {
        let line = std::mem::take(&mut self.line);
        let read =
            measured::room_for(&line).map_err(Unread::from).and_then(|room| Ok((room, measured::with_digits(&line)?)));
        match read {
            Ok((room, text)) => {
                self.judge.passed(room);
                self.whole.extend_from_slice(&text);
            }
            Err(why) => self.whole.extend(self.judge.refused(&line, &why)),
        }
    }
}

impl<R: AsyncRead + Unpin, J: Judge + Unpin> AsyncRead for Lines<R, J> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = &mut *self;
        let mut space = [0; PIECE];
        while this.given == this.whole.len() {
            // Long lines are rare, so their buffer is not kept.
            this.whole = Vec::new();
            this.given = 0;
            this.judge.read();
            let mut piece = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut this.inner).poll_read(context, &mut piece))?;
            if piece.filled().is_empty() {
                if this.line.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                // The last line needs no line end.
                this.pass();
            } else {
                this.take(piece.filled());
            }
        }
        let rest = &this.whole[this.given..];
        let count = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..count]);
        this.given += count;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[derive(Debug, Default)]
    struct Seen {
        passed: usize,
        refused: usize,
        too_long: usize,
    }

    impl Judge for &mut Seen {
        fn passed(&mut self, _: Reservation) {
            self.passed += 1;
        }

        fn refused(&mut self, _: &[u8], _: &Unread) -> Vec<u8> {
            self.refused += 1;
            b"refused\n".to_vec()
        }

        fn too_long(&mut self) {
            self.too_long += 1;
        }
    }

    #[tokio::test]
    async fn lines_that_are_too_long_are_reported_once_each() {
        let text = "four\nfive5\nand far too long\n\nshrt\n";
        let mut seen = Seen::default();
        let mut read = String::new();
        Lines::new(text.as_bytes(), 5, &mut seen).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, text);
        assert_eq!((seen.passed, seen.refused, seen.too_long), (3, 0, 2));
    }

    #[tokio::test]
    async fn the_last_line_needs_no_end() {
        for (text, passed) in [("1\n2", 2), ("1\n2\n", 2), ("1", 1), ("", 0)] {
            let mut seen = Seen::default();
            let mut read = String::new();
            Lines::new(text.as_bytes(), 5, &mut seen).read_to_string(&mut read).await.expect("a text can be read");
            assert_eq!(read, text);
            assert_eq!((seen.passed, seen.refused, seen.too_long), (passed, 0, 0), "{text:?}");
        }
    }

    #[tokio::test]
    async fn lines_with_numbers_that_lose_digits_are_not_passed_on() {
        let text = "[1]\n[100000000000000000001]\n[2]\n";
        let mut seen = Seen::default();
        let mut read = String::new();
        Lines::new(text.as_bytes(), 16 << 20, &mut seen).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, "[1]\nrefused\n[2]\n");
    }

    #[tokio::test]
    async fn lines_with_too_many_values_are_not_passed_on() {
        let many = format!("[{}1]\n", "1,".repeat(3_000_000));
        let text = format!("1\n{many}2\n");
        let mut seen = Seen::default();
        let mut read = String::new();
        Lines::new(text.as_bytes(), 16 << 20, &mut seen).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, "1\nrefused\n2\n");
        assert_eq!((seen.passed, seen.refused, seen.too_long), (2, 1, 0));
    }
}
