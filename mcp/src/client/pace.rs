//! The pace at which another server is read, so that one that sends without end costs a bounded part of a processor.
//!
//! Nothing is lost: a server that sends more is read later, and waits meanwhile.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// Bytes that can be read at once, and after each request of this host: some large answers.
const AT_ONCE: i64 = 64 << 20;

/// Bytes that can be read in each further second.
const PER_SECOND: i64 = 4 << 20;

/// Bytes that a message counts in addition to its own: work that does not depend on its length.
const MESSAGE: i64 = 16 << 10;

/// How much may be read. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Pace(Arc<Mutex<Room>>);

#[derive(Debug)]
struct Room {
    /// Less than none after more was read at once than there was room for.
    bytes: i64,
    /// When there was this room.
    since: Instant,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Room { bytes: AT_ONCE, since: Instant::now() })))
    }

    /// Notes that this host sends a request, to which there may be a large answer.
    pub(super) fn asked(&self) {
        self.room().bytes = AT_ONCE;
    }

    /// Takes the room for some messages of together so many bytes, which were read.
    pub(super) fn take(&self, messages: usize, bytes: usize) {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let mut room = self.room();
        room.bytes = room.bytes.saturating_sub(count(messages).saturating_mul(MESSAGE)).saturating_sub(count(bytes));
    }

    /// Returns when more can be read; `None` if that is now.
    fn until(&self, now: Instant) -> Option<Instant> {
        let mut room = self.room();
        let elapsed = now.saturating_duration_since(room.since).as_millis();
        let more = i64::try_from(elapsed).unwrap_or(i64::MAX).saturating_mul(PER_SECOND / 1000);
        room.bytes = room.bytes.saturating_add(more).min(AT_ONCE);
        room.since += Duration::from_millis(u64::try_from(elapsed).unwrap_or(u64::MAX));
        let missing = u64::try_from(MESSAGE - room.bytes).ok().filter(|missing| *missing > 0)?;
        Some(now + Duration::from_millis(missing / (PER_SECOND as u64 / 1000) + 1))
    }

    /// Waits until more can be read.
    pub(super) async fn wait(&self) {
        while let Some(then) = self.until(Instant::now()) {
            sleep_until(then).await;
        }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads lines of another reader at a pace.
#[derive(Debug)]
pub(super) struct Paced<R> {
    inner: R,
    pace: Pace,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<R> Paced<R> {
    pub(super) fn new(inner: R, pace: Pace) -> Self {
        Self { inner, pace, waiting: None }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Paced<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            if let Some(waiting) = &mut this.waiting {
                ready!(waiting.as_mut().poll(context));
                this.waiting = None;
            }
            match this.pace.until(Instant::now()) {
                Some(then) => this.waiting = Some(Box::pin(sleep_until(then))),
                None => break,
            }
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.inner).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        this.pace.take(read.iter().filter(|byte| **byte == b'\n').count(), read.len());
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    /// How long lines take to read, in pieces of 16 KiB.
    fn time_of(pace: &Pace, lines: usize, length: usize) -> Duration {
        let began = Instant::now();
        let mut now = began;
        let in_a_piece = ((16 << 10) / length).max(1);
        for _ in 0..lines / in_a_piece {
            now = pace.until(now).unwrap_or(now);
            pace.take(in_a_piece, in_a_piece * length);
        }
        now - began
    }

    #[test]
    fn what_is_sent_without_end_is_read_slowly() {
        for length in [1, 100, 10_000] {
            let lines = 200_000;
            let counted = (lines as i64) * (MESSAGE + length as i64) - AT_ONCE;
            let seconds = time_of(&Pace::new(), lines, length).as_secs_f64();
            let expected = counted as f64 / PER_SECOND as f64;
            assert!(
                (0.8..1.1).contains(&(seconds / expected)),
                "lines of {length} bytes: {seconds} s, not {expected} s"
            );
        }
    }

    #[test]
    fn large_answers_are_read_at_once() {
        let pace = Pace::new();
        for _ in 0..10 {
            pace.asked();
            assert_eq!(time_of(&pace, 3, 16 << 20), Duration::ZERO);
        }
    }

    #[test]
    fn a_server_that_sends_now_and_then_never_waits() {
        let (pace, mut now) = (Pace::new(), Instant::now());
        for _ in 0..100_000 {
            now += Duration::from_millis(10);
            assert_eq!(pace.until(now), None);
            pace.take(1, 1000);
        }
    }

    #[tokio::test]
    async fn everything_is_read() {
        let lines = "some line\n".repeat(4_500);
        let mut read = String::new();
        Paced::new(lines.as_bytes(), Pace::new()).read_to_string(&mut read).await.expect("a text can be read");
        assert_eq!(read, lines);
    }
}
