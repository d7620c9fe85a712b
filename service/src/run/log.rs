//! The output and the events of a run, for any number of readers at their own pace.
//!
//! Events are kept until the run has ended and is stored. A reader takes the available events, and waits for more; a slow reader
//! delays neither the program nor other readers, and loses nothing. The limits of the policy on output bound the kept events.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use isolette::Stream;
use tokio::sync::watch;

use super::RunState;
use crate::store::rows::OutputRow;

/// Maximum length up to which output is added to the event before it, if no reader has that event yet.
const MERGED: usize = 8 << 10;

/// An event of a run.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Output that the program has written.
    Output { stream: Stream, bytes: Bytes },
    /// The calls that wait have changed.
    Calls,
    /// The state of the run has changed.
    State(RunState),
}

#[derive(Debug, Default)]
struct Events {
    events: Vec<Kept>,
    /// Events before this one have been read.
    read: usize,
    /// Output events before this one are stored.
    stored: usize,
    is_complete: bool,
}

#[derive(Debug)]
enum Kept {
    Output { stream: Stream, bytes: Vec<u8> },
    Calls,
    State(RunState),
}

/// The events of a run.
#[derive(Debug)]
pub(crate) struct Log {
    events: Mutex<Events>,
    changes: watch::Sender<()>,
}

impl Default for Log {
    fn default() -> Self {
        Self { events: Mutex::default(), changes: watch::Sender::new(()) }
    }
}

impl Log {
    /// A log of a run that has ended, or is paused, from the database.
    pub(crate) fn stored(rows: Vec<OutputRow>, is_complete: bool) -> Self {
        let log = Self::default();
        {
            let mut events = log.events();
            for row in rows {
                let stream = if row.is_stderr { Stream::Stderr } else { Stream::Stdout };
                // Events that were not output are not stored; the numbers of the others stay as they were.
                while i64::try_from(events.events.len()).is_ok_and(|number| number < row.number) {
                    events.events.push(Kept::Calls);
                }
                events.events.push(Kept::Output { stream, bytes: row.bytes });
            }
            events.stored = events.events.len();
            events.read = events.stored;
            events.is_complete = is_complete;
        }
        log
    }

    pub(crate) fn output(&self, stream: Stream, bytes: &[u8]) {
        {
            let mut events = self.events();
            let is_unread = events.events.len() > events.read.max(events.stored);
            match events.events.last_mut() {
                Some(Kept::Output { stream: last, bytes: before })
                    if is_unread && *last == stream && before.len() + bytes.len() <= MERGED =>
                {
                    before.extend_from_slice(bytes);
                }
                _ => events.events.push(Kept::Output { stream, bytes: bytes.to_vec() }),
            }
        }
        self.changes.send_replace(());
    }

    pub(crate) fn calls_changed(&self) {
        self.push(Kept::Calls);
    }

    pub(crate) fn state(&self, state: RunState) {
        self.push(Kept::State(state));
    }

    /// Ends all readers, once they have read everything.
    pub(crate) fn complete(&self) {
        self.events().is_complete = true;
        self.changes.send_replace(());
    }

    fn push(&self, event: Kept) {
        self.events().events.push(event);
        self.changes.send_replace(());
    }

    /// The output that is not stored yet. It counts as stored afterwards.
    pub(crate) fn unstored(&self) -> Vec<OutputRow> {
        let mut events = self.events();
        let from = events.stored;
        let rows = events.events.iter().enumerate().skip(from).filter_map(|(number, event)| match event {
            Kept::Output { stream, bytes } => {
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                Some(OutputRow { number, is_stderr: *stream == Stream::Stderr, bytes: bytes.clone() })
            }
            _ => None,
        });
        let rows = rows.collect();
        events.stored = events.events.len();
        rows
    }

    /// Notes that output which counts as stored was not stored, from the event of this number on.
    pub(crate) fn not_stored(&self, from: Option<i64>) {
        let Some(from) = from.and_then(|from| usize::try_from(from).ok()) else { return };
        let mut events = self.events();
        events.stored = events.stored.min(from);
    }

    /// The output from an offset in bytes, of one stream or of both in the order in which it was written.
    pub(crate) fn bytes(&self, stream: Option<Stream>, offset: u64, limit: usize) -> (Vec<u8>, bool) {
        let events = self.events();
        let mut skipped = offset;
        let mut found = Vec::new();
        for event in &events.events {
            let Kept::Output { stream: of, bytes } = event else { continue };
            if stream.is_some_and(|stream| stream != *of) {
                continue;
            }
            let skip = usize::try_from(skipped).unwrap_or(usize::MAX).min(bytes.len());
            skipped -= skip as u64;
            let rest = &bytes[skip..];
            found.extend_from_slice(&rest[..rest.len().min(limit - found.len())]);
        }
        (found, events.is_complete)
    }

    /// The number of bytes of all output so far.
    pub(crate) fn output_bytes(&self) -> u64 {
        let length = |event: &Kept| if let Kept::Output { bytes, .. } = event { bytes.len() as u64 } else { 0 };
        self.events().events.iter().map(length).sum()
    }

    /// All output, in the order in which it was written, by the names of the streams.
    pub(crate) fn parts(&self) -> Vec<(&'static str, Vec<u8>)> {
        let events = self.events();
        let parts = events.events.iter().filter_map(|event| match event {
            Kept::Output { stream, bytes } => {
                Some((if *stream == Stream::Stderr { "stderr" } else { "stdout" }, bytes.clone()))
            }
            _ => None,
        });
        parts.collect()
    }

    /// Changes whenever there is another event.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// A reader that begins with the event of this number.
    pub(crate) fn reader(self: &Arc<Self>, from: usize) -> Reader {
        Reader { changes: self.changes.subscribe(), log: Arc::clone(self), next: from }
    }

    fn events(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the events of a run.
pub(crate) struct Reader {
    log: Arc<Log>,
    changes: watch::Receiver<()>,
    next: usize,
}

impl Reader {
    /// The next event and its number, or `None` after the last one.
    pub(crate) async fn next(&mut self) -> Option<(usize, Event)> {
        loop {
            // Noted before the events are looked at, so that no change is missed.
            self.changes.borrow_and_update();
            {
                let mut events = self.log.events();
                if let Some(event) = events.events.get(self.next) {
                    let event = match event {
                        Kept::Output { stream, bytes } => {
                            Event::Output { stream: *stream, bytes: Bytes::copy_from_slice(bytes) }
                        }
                        Kept::Calls => Event::Calls,
                        Kept::State(state) => Event::State(*state),
                    };
                    let number = self.next;
                    self.next += 1;
                    events.read = events.read.max(self.next);
                    return Some((number, event));
                }
                if events.is_complete {
                    return None;
                }
            }
            // The log has its sender as long as this reader has the log.
            let _ = self.changes.changed().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_reader_gets_everything_from_where_it_begins() {
        let log = Arc::new(Log::default());
        log.output(Stream::Stdout, b"a");
        log.output(Stream::Stdout, b"b");
        let mut first = log.reader(0);
        assert!(matches!(first.next().await, Some((0, Event::Output { bytes, .. })) if &bytes[..] == b"ab"));
        log.output(Stream::Stdout, b"c");
        log.output(Stream::Stderr, b"d");
        log.state(RunState::Succeeded);
        log.complete();
        let mut second = log.reader(1);
        for reader in [&mut first, &mut second] {
            assert!(matches!(reader.next().await, Some((1, Event::Output { bytes, .. })) if &bytes[..] == b"c"));
            assert!(matches!(reader.next().await, Some((2, Event::Output { bytes, .. })) if &bytes[..] == b"d"));
            assert!(matches!(reader.next().await, Some((3, Event::State(RunState::Succeeded)))));
            assert!(reader.next().await.is_none());
        }
        assert_eq!(log.bytes(None, 1, 2), (b"bc".to_vec(), true));
        assert_eq!(log.bytes(Some(Stream::Stderr), 0, 10), (b"d".to_vec(), true));
        assert_eq!(log.bytes(None, 100, 10), (Vec::new(), true));
    }

    #[tokio::test]
    async fn numbers_are_the_same_when_they_come_from_the_database() {
        let log = Log::default();
        log.state(RunState::Running);
        log.output(Stream::Stdout, b"a");
        let mut rows = log.unstored();
        // What is stored is not changed any more.
        log.output(Stream::Stdout, b"b");
        log.calls_changed();
        log.output(Stream::Stdout, b"c");
        rows.extend(log.unstored());
        let numbers: Vec<_> = rows.iter().map(|row| (row.number, row.bytes.clone())).collect();
        assert_eq!(numbers, [(1, b"a".to_vec()), (2, b"b".to_vec()), (4, b"c".to_vec())]);
        let stored = Arc::new(Log::stored(rows, true));
        assert_eq!(stored.bytes(None, 0, 10), (b"abc".to_vec(), true));
        let mut reader = stored.reader(4);
        assert!(matches!(reader.next().await, Some((4, Event::Output { bytes, .. })) if &bytes[..] == b"c"));
        assert!(reader.next().await.is_none());
    }
}
