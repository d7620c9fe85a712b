//! JSON from outside, measured before it becomes values.
//!
//! A few bytes of JSON become many times as much: `[0,0,…]` some seventy times, `{"":{"":…}}` a hundred times. So every text
//! from outside is measured before it is parsed, and what its values may take is set aside from one amount that the whole
//! process has, for as long as they are there.

mod measure;

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

#[cfg(any(test, feature = "openapi"))]
use serde_json::Value;

pub use self::measure::value_bytes;
#[cfg(feature = "openapi")]
pub(crate) use self::measure::{node_bytes, nodes};
use crate::work::Call;

const MIB: u64 = 1 << 20;

/// Bytes that the values of one text may take.
const ONE: u64 = 128 * MIB;

/// How many texts in one there are room for at the same time.
const AT_ONCE: u64 = 4;

/// What there is, and how much of it is in use.
#[derive(Debug)]
struct Amount {
    limit: AtomicU64,
    used: AtomicU64,
}

impl Amount {
    const fn new(limit: u64) -> Self {
        Self { limit: AtomicU64::new(limit), used: AtomicU64::new(0) }
    }

    fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Sets bytes aside for a text that may take at most `one`.
    fn reserve(&'static self, bytes: u64, one: u64) -> Result<Reservation, NoMemory> {
        let limit = self.limit();
        if bytes > one {
            return Err(NoMemory { bytes, room: one, busy: false });
        }
        let reserved = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|used| *used <= limit)
        });
        match reserved {
            Ok(_) => Ok(Reservation { bytes, of: self }),
            Err(used) => Err(NoMemory { bytes, room: limit.saturating_sub(used), busy: true }),
        }
    }
}

static OF_PROCESS: Amount = Amount::new(AT_ONCE * ONE);

/// Memory of this process for values that were made of JSON and YAML from outside: arguments and results of tools, answers
/// of OpenAPI services and of MCP servers, messages of MCP clients, documents, recordings.
///
/// It is an estimate that is on the safe side. One text may take a quarter of it; documents and recordings, which the operator
/// has named, all of it. What finds no room is refused before it is
/// parsed, with an error that says so; programs that already run go on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueMemory;

impl ValueMemory {
    /// Sets how many bytes there are, in place of 512 MiB. What is in use stays in use.
    pub fn set_limit(bytes: u64) {
        OF_PROCESS.limit.store(bytes, Ordering::Relaxed);
    }

    /// How many bytes there are.
    #[must_use]
    pub fn limit() -> u64 {
        OF_PROCESS.limit()
    }

    /// How many of them are in use.
    #[must_use]
    pub fn used() -> u64 {
        OF_PROCESS.used.load(Ordering::Relaxed)
    }

    /// Sets some of them aside.
    ///
    /// # Errors
    /// There are not so many, or one text may not have so many.
    pub fn reserve(bytes: u64) -> Result<Reservation, NoMemory> {
        OF_PROCESS.reserve(bytes, Self::limit() / AT_ONCE)
    }

    /// The same for what the operator has named: it may take all that there is.
    pub(crate) fn reserve_for_operator(bytes: u64) -> Result<Reservation, NoMemory> {
        OF_PROCESS.reserve(bytes, Self::limit())
    }
}

/// Memory that is set aside until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    bytes: u64,
    of: &'static Amount,
}

impl Reservation {
    /// How many bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Sets more of it aside, until the whole is dropped.
    ///
    /// # Errors
    /// There is not so much.
    pub fn grow(&mut self, bytes: u64) -> Result<(), NoMemory> {
        let mut more = self.of.reserve(bytes, self.of.limit())?;
        self.bytes += std::mem::take(&mut more.bytes);
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.of.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Values would take more memory than there is for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoMemory {
    /// What they would take.
    pub bytes: u64,
    /// What they may take.
    pub room: u64,
    /// There is so little because of other values, and there may be more later.
    pub busy: bool,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, room, busy } = self;
        match busy {
            false => {
                write!(formatter, "it would take {bytes} bytes in the host as single values, and {room} are allowed")
            }
            true => write!(
                formatter,
                "it would take {bytes} bytes in the host as single values, and other values leave room for {room}"
            ),
        }
    }
}

impl std::error::Error for NoMemory {}

/// Why a text is no value.
#[cfg(any(test, feature = "openapi"))]
#[derive(Debug)]
pub(crate) enum Unread {
    NoMemory(NoMemory),
    NoJson(serde_json::Error),
}

#[cfg(any(test, feature = "openapi"))]
impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMemory(why) => why.fmt(formatter),
            Self::NoJson(why) => why.fmt(formatter),
        }
    }
}

/// Reads JSON, once there is room for its values.
#[cfg(any(test, feature = "openapi"))]
pub(crate) fn read(json: &[u8]) -> Result<(Value, Reservation), Unread> {
    let reservation = ValueMemory::reserve(value_bytes(json)).map_err(Unread::NoMemory)?;
    let value = serde_json::from_slice(json).map_err(Unread::NoJson)?;
    Ok((value, reservation))
}

/// The same for a value that is needed no longer than the call in whose name it is read.
#[cfg(feature = "openapi")]
pub(crate) fn read_for_call(json: &[u8]) -> Result<Value, Unread> {
    let (value, reservation) = read(json)?;
    Call::keep(reservation);
    Ok(value)
}

/// Sets memory aside for values that are made elsewhere, until the call has ended in whose name this is done.
///
/// For tools whose results are made of JSON from outside: measure with [`value_bytes`] before parsing.
///
/// # Errors
/// There is not enough.
pub fn reserve_for_call(bytes: u64) -> Result<(), NoMemory> {
    ValueMemory::reserve(bytes).map(Call::keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_aside_is_counted_until_it_is_dropped() {
        static AMOUNT: Amount = Amount::new(10_000);
        let used = || AMOUNT.used.load(Ordering::Relaxed);
        let mut room = AMOUNT.reserve(1_000, 2_000).unwrap();
        room.grow(500).unwrap();
        assert_eq!((room.bytes(), used()), (1_500, 1_500));
        let why = room.grow(9_000).unwrap_err();
        assert_eq!((why.room, why.busy, used()), (10_000 - 1_500, true, 1_500));
        let why = AMOUNT.reserve(2_001, 2_000).unwrap_err();
        assert_eq!((why.room, why.busy), (2_000, false));
        let many: Vec<_> = (0..20).map_while(|_| AMOUNT.reserve(2_000, 2_000).ok()).collect();
        assert_eq!((many.len(), used()), (4, 9_500));
        drop((room, many));
        assert_eq!(used(), 0);
    }

    #[test]
    fn a_text_with_too_many_values_is_not_read() {
        let many = format!("[{}1]", "1,".repeat(7_500_000));
        assert!(matches!(read(many.as_bytes()), Err(Unread::NoMemory(_))));
        assert!(matches!(read(b"[1"), Err(Unread::NoJson(_))));
        let (value, room) = read(b"[1, 2]").unwrap();
        assert!(value == serde_json::json!([1, 2]) && room.bytes() > 6);
    }
}
