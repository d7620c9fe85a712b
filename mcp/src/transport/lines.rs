//! Lines, each of them a message, measured before they are parsed.
//!
//! The SDK drops lines that are longer than a message may be, and parses all others. So each line is held back until it is
//! whole: one that finds no room is not passed on, and somebody is told whose it was.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use isolette::values::{NoMemory, Reservation};
use tokio::io::{AsyncRead, ReadBuf};

use crate::measured;

/// Bytes that are read at a time.
const PIECE: usize = 16 << 10;

/// What becomes of lines.
pub(crate) trait Judge {
    /// A line found room, for as long as this keeps it.
    fn passed(&mut self, room: Reservation);

    /// Everything that was passed on has been read.
    fn read(&mut self) {}

    /// A line found none. What is returned is passed on in its place, with an end of its own.
    fn refused(&mut self, line: &[u8], why: &NoMemory) -> Vec<u8>;

    /// A line is longer than lines may be; it is passed on, to be dropped.
    fn too_long(&mut self) {}
}

/// Reads what another reader has, line for line.
#[derive(Debug)]
pub(crate) struct Lines<R, J> {
    inner: R,
    limit: usize,
    judge: J,
    /// The beginning of the next line.
    line: Vec<u8>,
    /// The line is too long, and what comes of it is passed on as it comes.
    passing: bool,
    /// What may be read, and how much of it was.
    whole: Vec<u8>,
    given: usize,
}

impl<R, J: Judge> Lines<R, J> {
    /// Lines of at most so many bytes, their ends included.
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
                // It has no room for its end.
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
        match measured::room_for(&self.line) {
            Ok(room) => {
                self.judge.passed(room);
                self.whole.append(&mut self.line);
            }
            Err(why) => {
                self.whole.extend(self.judge.refused(&self.line, &why));
                self.line = Vec::new();
            }
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
            // Long lines are rare, and their room is not kept for others.
            this.whole = Vec::new();
            this.given = 0;
            this.judge.read();
            let mut piece = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut this.inner).poll_read(context, &mut piece))?;
            if piece.filled().is_empty() {
                if this.line.is_empty() {
                    return Poll::Ready(Ok(()));
                }
                // The last line needs no end of its own.
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
    struct Told {
        passed: usize,
        refused: usize,
        too_long: usize,
    }

    impl Judge for &mut Told {
        fn passed(&mut self, _: Reservation) {
            self.passed += 1;
        }

        fn refused(&mut self, _: &[u8], _: &NoMemory) -> Vec<u8> {
            self.refused += 1;
            b"refused\n".to_vec()
        }

        fn too_long(&mut self) {
            self.too_long += 1;
        }
    }

    #[tokio::test]
    async fn lines_that_are_too_long_are_told_once_each() {
        let text = "four\nfive5\nand far too long\n\nshrt\n";
        let mut told = Told::default();
        let mut read = String::new();
        Lines::new(text.as_bytes(), 5, &mut told).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, text);
        assert_eq!((told.passed, told.refused, told.too_long), (3, 0, 2));
    }

    #[tokio::test]
    async fn the_last_line_needs_no_end() {
        for (text, passed) in [("1\n2", 2), ("1\n2\n", 2), ("1", 1), ("", 0)] {
            let mut told = Told::default();
            let mut read = String::new();
            Lines::new(text.as_bytes(), 5, &mut told).read_to_string(&mut read).await.expect("a text can be read");
            assert_eq!(read, text);
            assert_eq!((told.passed, told.refused, told.too_long), (passed, 0, 0), "{text:?}");
        }
    }

    #[tokio::test]
    async fn lines_with_too_many_values_are_not_passed_on() {
        let many = format!("[{}1]\n", "1,".repeat(3_000_000));
        let text = format!("1\n{many}2\n");
        let mut told = Told::default();
        let mut read = String::new();
        Lines::new(text.as_bytes(), 16 << 20, &mut told).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, "1\nrefused\n2\n");
        assert_eq!((told.passed, told.refused, told.too_long), (2, 1, 0));
    }
}
