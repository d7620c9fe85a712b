//! The ranges of bytes of a file that one guest has locked.

use isolette_abi::files::{FileError, Lock};

/// Maximum number of locks of one guest on one file. The system and the host allocate memory for each.
pub(super) const RANGES: usize = 64;

/// The last byte that a system call can address.
const END: u64 = i64::MAX as u64;

/// A range of bytes, including the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Span {
    /// A range of `length` bytes; with 0, all bytes from `start`.
    pub(super) fn new(start: u64, length: u64) -> Result<Self, FileError> {
        let last = match length {
            0 => END,
            _ => start.checked_add(length - 1).ok_or(FileError::Invalid)?,
        };
        if start <= last && last <= END { Ok(Self { first: start, last }) } else { Err(FileError::Invalid) }
    }

    /// The length for a system call: 0 for all following bytes.
    pub(super) fn length(self) -> u64 {
        if self.last == END { 0 } else { self.last - self.first + 1 }
    }
}

/// Locked ranges with whether they are exclusive, in order and without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(Span, bool)>);

impl Ranges {
    /// The ranges with this lock in place of those that it overlaps; `None` if there would be too many.
    pub(super) fn with(&self, lock: Lock, span: Span) -> Option<Self> {
        let mut pieces = Vec::with_capacity(self.0.len() + 2);
        for &(Span { first, last }, exclusive) in &self.0 {
            let (before, after) = (last.min(span.first.saturating_sub(1)), first.max(span.last.saturating_add(1)));
            if first < span.first {
                pieces.push((Span { first, last: before }, exclusive));
            }
            if last > span.last {
                pieces.push((Span { first: after, last }, exclusive));
            }
        }
        if lock != Lock::Unlock {
            pieces.push((span, lock == Lock::Exclusive));
        }
        pieces.sort_unstable_by_key(|(span, _)| span.first);
        let mut merged: Vec<(Span, bool)> = Vec::with_capacity(pieces.len());
        for (span, exclusive) in pieces {
            match merged.last_mut() {
                Some((before, kind)) if *kind == exclusive && before.last + 1 == span.first => before.last = span.last,
                _ => merged.push((span, exclusive)),
            }
        }
        (merged.len() <= RANGES).then_some(Self(merged))
    }

    /// Whether these locks of one guest conflict with this lock of another guest.
    pub(super) fn forbid(&self, lock: Lock, span: Span) -> bool {
        let exclusive = match lock {
            Lock::Unlock => return false,
            Lock::Shared => false,
            Lock::Exclusive => true,
        };
        self.0.iter().any(|(held, kind)| (exclusive || *kind) && held.first <= span.last && span.first <= held.last)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn span(start: u64, length: u64) -> Span {
        Span::new(start, length).unwrap()
    }

    #[test]
    fn no_span_is_longer_than_a_file_can_be() {
        assert_eq!((span(0, 0).last, span(5, 0).length(), span(5, 1).length()), (END, 0, 1));
        assert_eq!((span(END, 1).length(), span(END, 0).first), (0, END));
        for (start, length) in [(END, 2), (END + 1, 0), (END + 1, 1), (u64::MAX, 2), (1, u64::MAX)] {
            assert_eq!(Span::new(start, length), Err(FileError::Invalid), "{start} {length}");
        }
    }

    #[test]
    fn there_is_an_end_to_them() {
        let many = (0..RANGES as u64).try_fold(Ranges::default(), |all, at| all.with(Lock::Shared, span(2 * at, 1)));
        let many = many.unwrap();
        assert_eq!(many.with(Lock::Shared, span(1_000, 1)), None);
        assert!(many.with(Lock::Exclusive, span(0, 0)).is_some());
        assert!(many.with(Lock::Unlock, span(0, 0)).unwrap().is_empty());
        assert_eq!(many.with(Lock::Shared, span(0, 2 * RANGES as u64)).unwrap().0.len(), 1);
    }

    proptest! {
        /// Compares the ranges with a table that has an entry for each byte.
        #[test]
        fn each_byte_has_the_last_lock_that_was_put_on_it(
            locks in prop::collection::vec((0..3_u8, 0..20_u64, 0..10_u64), 0..20),
            (first, length) in (0..20_u64, 1..10_u64),
        ) {
            let kind = |kind| [Lock::Unlock, Lock::Shared, Lock::Exclusive][usize::from(kind)];
            let mut ranges = Ranges::default();
            let mut bytes = [Lock::Unlock; 64];
            for (of, start, length) in locks {
                ranges = ranges.with(kind(of), span(start, length)).unwrap();
                let end = if length == 0 { bytes.len() } else { (start + length) as usize };
                bytes[start as usize..end].fill(kind(of));
            }
            let asked = &bytes[first as usize..(first + length) as usize];
            prop_assert_eq!(ranges.forbid(Lock::Shared, span(first, length)), asked.contains(&Lock::Exclusive));
            prop_assert_eq!(
                ranges.forbid(Lock::Exclusive, span(first, length)),
                asked.iter().any(|lock| *lock != Lock::Unlock)
            );
            prop_assert_eq!(ranges.is_empty(), bytes.iter().all(|lock| *lock == Lock::Unlock));
            prop_assert!(ranges.0.windows(2).all(|pair| pair[0].0.last < pair[1].0.first));
        }
    }
}
