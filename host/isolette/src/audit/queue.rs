//! The queue between the threads that make records and the thread that writes them.

use std::{
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::Duration,
};

use tokio::sync::watch;

use super::{AuditRecord, AuditSink};

/// Maximum number of queued records. Each guest can exceed it by one.
const ROOM: usize = 8192;

/// Maximum size of the queued records as JSON, in bytes.
const ROOM_BYTES: u64 = 16 << 20;

/// How long records are collected before a write if no run waits for them: waking a thread for each record would cost
/// more than making it.
const COLLECTING: Duration = Duration::from_millis(5);

/// The sending end of the queue. The writer thread ends when the last clone is dropped.
#[derive(Clone)]
pub(super) struct Queue(Arc<Open>);

struct Shared {
    waiting: Mutex<Waiting>,
    work: Condvar,
    /// Number of records that have been written, or discarded after a failure.
    done: watch::Sender<u64>,
    failure: OnceLock<String>,
}

#[derive(Default)]
struct Waiting {
    records: Vec<AuditRecord>,
    /// Size of these records as JSON, in bytes.
    bytes: u64,
    /// Number of records that have been queued in total.
    taken: u64,
    /// A run waits for the last of them to be written.
    urgent: bool,
    closed: bool,
}

/// Closes the queue when it is dropped, so that the writer ends.
struct Open(Arc<Shared>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.waiting().closed = true;
        self.0.work.notify_one();
    }
}

impl Queue {
    pub(super) fn start(sink: impl AuditSink) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            work: Condvar::new(),
            done: watch::Sender::new(0),
            failure: OnceLock::new(),
        });
        let of_writer = Arc::clone(&shared);
        thread::Builder::new().name("isolette-audit".into()).spawn(move || of_writer.write(sink))?;
        Ok(Self(Arc::new(Open(shared))))
    }

    fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Queues a record. It never waits for the writer.
    pub(super) fn push(&self, record: AuditRecord, bytes: u64) {
        let mut waiting = self.shared().waiting();
        waiting.taken += 1;
        waiting.records.push(record);
        waiting.bytes = waiting.bytes.saturating_add(bytes);
        let wakes = waiting.records.len() == 1 || !waiting.has_room();
        drop(waiting);
        if wakes {
            self.shared().work.notify_one();
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.shared().failure.get().is_some() || self.shared().waiting().has_room()
    }

    pub(super) async fn room(&self) {
        let mut done = self.shared().done.subscribe();
        // It cannot fail: `self` keeps the sender alive.
        let _ = done.wait_for(|_| self.has_room()).await;
    }

    /// Waits until all records queued so far are written.
    pub(super) async fn written(&self) -> Result<(), String> {
        let mut done = self.shared().done.subscribe();
        let taken = {
            let mut waiting = self.shared().waiting();
            waiting.urgent = true;
            waiting.taken
        };
        self.shared().work.notify_one();
        let _ = done.wait_for(|done| *done >= taken).await;
        self.failure().map_or(Ok(()), |reason| Err(reason.to_owned()))
    }

    pub(super) fn failure(&self) -> Option<&str> {
        self.shared().failure.get().map(String::as_str)
    }
}

impl Waiting {
    fn has_room(&self) -> bool {
        self.records.len() < ROOM && self.bytes < ROOM_BYTES
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, mut sink: impl AuditSink) {
        while let Some(records) = self.next() {
            if self.failure.get().is_none() && !records.is_empty() {
                let written = catch_unwind(AssertUnwindSafe(|| sink.write(&records)))
                    .unwrap_or_else(|_| Err(io::Error::other("the sink panicked")));
                if let Err(error) = written {
                    tracing::error!(%error, "the audit cannot be written");
                    let _ = self.failure.set(error.to_string());
                }
            }
            self.done.send_modify(|done| *done += records.len() as u64);
        }
    }

    /// Waits for the next records to write; `None` when the queue is closed and empty.
    fn next(&self) -> Option<Vec<AuditRecord>> {
        let idle = |waiting: &mut Waiting| waiting.records.is_empty() && !waiting.closed && !waiting.urgent;
        let waiting = self.work.wait_while(self.waiting(), idle).unwrap_or_else(PoisonError::into_inner);
        let keep_waiting = |waiting: &mut Waiting| waiting.has_room() && !waiting.closed && !waiting.urgent;
        let collected = self.work.wait_timeout_while(waiting, COLLECTING, keep_waiting);
        let (mut waiting, _) = collected.unwrap_or_else(PoisonError::into_inner);
        waiting.urgent = false;
        waiting.bytes = 0;
        let over = waiting.closed && waiting.records.is_empty();
        (!over).then(|| mem::take(&mut waiting.records))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc,
        task::{Context, Poll, Waker},
        time::SystemTime,
    };

    use super::*;
    use crate::{audit::RunEnded, audit::record::Labelled, audit::record::RunScope};
    use isolette_types::RunId;

    fn record(calls: u64) -> AuditRecord {
        let labelled = Labelled { run: RunId::random(), session: None, labels: Vec::new() };
        let (time, scope) = (SystemTime::UNIX_EPOCH, RunScope(Arc::new(labelled)));
        AuditRecord::RunEnded(RunEnded { time, scope, ending: "ok", exit_code: None, calls, usage: None })
    }

    /// A sink that signals the start of a write, waits for permission, and reports what it has written.
    struct Waiting(mpsc::Sender<()>, mpsc::Receiver<()>, mpsc::Sender<u64>);

    impl AuditSink for Waiting {
        fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
            let _ = self.0.send(());
            let _ = self.1.recv();
            for record in records {
                let AuditRecord::RunEnded(ended) = record else { panic!("another was never made") };
                let _ = self.2.send(ended.calls);
            }
            Ok(())
        }
    }

    #[test]
    fn what_waits_for_a_slow_writer_is_bounded_and_comes_in_order() {
        let ((began, begun), (gate, gates), (sender, written)) = (mpsc::channel(), mpsc::channel(), mpsc::channel());
        let queue = Queue::start(Waiting(began, gates, sender)).unwrap();
        queue.push(record(0), 1);
        begun.recv().unwrap();
        let mut pushed = 1;
        while queue.has_room() {
            queue.push(record(pushed), 1);
            pushed += 1;
        }
        // Records that the writer has taken no longer count as queued.
        assert_eq!(pushed, ROOM as u64 + 1);
        {
            let mut room = std::pin::pin!(queue.room());
            let mut context = Context::from_waker(Waker::noop());
            assert!(room.as_mut().poll(&mut context).is_pending());
            // From here on the sink no longer waits.
            drop(gate);
            let end = std::time::Instant::now() + Duration::from_secs(60);
            isolette_deadline::wait_until(end, room).expect("there is room again");
        }
        drop(queue);
        assert!(written.iter().eq(0..pushed), "the writer ends when all is written");
    }

    #[test]
    fn few_records_that_are_long_fill_it_too() {
        let ((began, begun), (gate, gates), (sender, _written)) = (mpsc::channel(), mpsc::channel(), mpsc::channel());
        let queue = Queue::start(Waiting(began, gates, sender)).unwrap();
        queue.push(record(0), 1);
        begun.recv().unwrap();
        (1..4).for_each(|number| queue.push(record(number), ROOM_BYTES / 4));
        assert!(queue.has_room());
        queue.push(record(4), ROOM_BYTES / 4);
        assert!(!queue.has_room());
        drop(gate);
        let end = std::time::Instant::now() + Duration::from_secs(60);
        isolette_deadline::wait_until(end, queue.room()).expect("there is room again");
    }

    #[test]
    fn a_sink_that_panics_has_failed() {
        struct Panics;
        impl AuditSink for Panics {
            fn write(&mut self, _: &[AuditRecord]) -> io::Result<()> {
                panic!("on purpose");
            }
        }
        let queue = Queue::start(Panics).unwrap();
        queue.push(record(0), 1);
        let mut written = std::pin::pin!(queue.written());
        let mut context = Context::from_waker(Waker::noop());
        while written.as_mut().poll(&mut context) == Poll::Pending {
            thread::yield_now();
        }
        assert_eq!(queue.failure(), Some("the sink panicked"));
        assert!(queue.has_room(), "nothing waits for a writer that is no more");
    }
}
