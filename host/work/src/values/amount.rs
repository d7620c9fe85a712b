//! A limited amount of memory, and how much of it each owner may reserve.

use std::{
    fmt,
    future::poll_fn,
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
    task::Poll,
};

use event_listener::Event;

const MIB: u64 = 1 << 20;

/// Divisor for the share of one request, or of one host call of a run: a quarter of the whole.
const SHARE: u64 = 4;

/// Divisor for the part of the whole that is kept for small reservations: an eighth.
const FOR_SMALL: u64 = 8;

/// The limit in bytes, and how many bytes are in use.
#[derive(Debug)]
pub(super) struct Amount {
    limit: AtomicU64,
    /// Divisor for the size up to which a reservation is small.
    small: u64,
    used: AtomicU64,
    freed: Event,
}

impl Amount {
    /// Makes an amount of which a reservation is small up to this part of it.
    pub(super) const fn new(limit: u64, small: u64) -> Self {
        Self { limit: AtomicU64::new(limit), small, used: AtomicU64::new(0), freed: Event::new() }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::SeqCst)
    }

    pub(super) fn set_limit(&self, bytes: u64) {
        self.limit.store(bytes, Ordering::Relaxed);
        self.freed.notify(usize::MAX);
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Reserves `more` bytes for an owner that already has `held` bytes.
    pub(super) fn take(&self, owner: Owner, held: u64, more: u64) -> Result<(), NoMemory> {
        let limit = self.limit();
        let bytes = held.saturating_add(more);
        let (share, open) = match owner {
            Owner::Operator => (limit, limit),
            Owner::Other if bytes <= limit / self.small => (limit / SHARE, limit),
            Owner::Other => (limit / SHARE, limit - limit / FOR_SMALL),
        };
        if bytes > share {
            return Err(NoMemory { bytes, room: share, limit, busy: false });
        }
        let taken = self.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |used| {
            used.checked_add(more).filter(|used| more == 0 || *used <= open)
        });
        taken.map(drop).map_err(|used| {
            let room = open.saturating_sub(used).saturating_add(held).min(share);
            NoMemory { bytes, room, limit, busy: true }
        })
    }

    pub(super) fn give_back(&self, bytes: u64) {
        if bytes > 0 {
            self.used.fetch_sub(bytes, Ordering::SeqCst);
            self.freed.notify(usize::MAX);
        }
    }

    /// Retries `attempt` each time that memory is released, until `given_up` is ready.
    pub(super) async fn wait<T>(
        &self,
        given_up: impl Future<Output = ()>,
        mut attempt: impl FnMut() -> Result<T, NoMemory>,
    ) -> Result<T, NoMemory> {
        let mut given_up = pin!(given_up);
        loop {
            // Listening begins before the attempt, so that memory released in between is not missed.
            let mut freed = pin!(self.freed.listen());
            match attempt() {
                Err(NoMemory { busy: true, .. }) => {}
                result => return result,
            }
            let gives_up = poll_fn(|context| match freed.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(false),
                Poll::Pending => given_up.as_mut().poll(context).map(|()| true),
            });
            if gives_up.await {
                return attempt();
            }
        }
    }
}

pub(super) static OF_PROCESS: Amount = Amount::new(512 * MIB, 4096);

/// The window of a stream is small, so that responses which are complete leave room for streams.
pub(super) static OF_RESPONSES: Amount = Amount::new(256 * MIB, 2048);

/// The owner of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Values that the operator configured. They may use the whole limit.
    Operator,
    /// All other values.
    Other,
}

/// The error that values would use more memory than is available to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoMemory {
    /// Bytes that the reservation would have, the bytes that it already has included.
    pub bytes: u64,
    /// Bytes that the reservation could have.
    pub room: u64,
    /// Bytes for all values of the process together.
    pub limit: u64,
    /// Whether other values use the missing memory. If so, a later attempt can succeed.
    pub busy: bool,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, room, limit, busy } = self;
        write!(formatter, "it would take {bytes} bytes in the host as single values, and ")?;
        match busy {
            false if room < limit => write!(formatter, "{room} of {limit} are allowed for one request or call"),
            false => write!(formatter, "{room} are allowed"),
            true => write!(formatter, "other values leave room for {room} of {limit}"),
        }
    }
}

impl std::error::Error for NoMemory {}
