//! Accounts for the bytes on disk that one guest is charged with, by file instead of by name.
//!
//! A file may have many names: links that existed before, or that another process creates meanwhile. What a guest adds
//! to a file is charged to that file, and credited only when it is observed to be gone from it: never more than was
//! charged to it, and all of it only when its last name is removed. So the sum is never below what the guest has added
//! to the disk.

use std::{cmp::Ordering, collections::HashMap};

/// Maximum number of files that are tracked individually. Bytes that are added to further files are charged and never
/// credited.
const FILES: usize = 65_536;

/// What bytes are charged to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    /// A file of a directory of the host's, under any name.
    File { device: u64, inode: u64 },
    /// All files of an embedder's own file system, which only has names; by the path of its mount.
    Mount(String),
}

/// A change of the length of a file.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) holder: Holder,
    pub(super) before: u64,
    pub(super) after: u64,
}

/// What is credited when a name is removed.
#[derive(Clone, Debug)]
pub(super) enum Freed {
    /// Nothing: the file has other names, or it was not a regular file.
    Nothing,
    /// Everything that is charged to this file, because it was its last name.
    All(Holder),
    /// This number of bytes of what is charged to this holder.
    Some(Holder, u64),
}

#[derive(Debug, Default)]
pub(super) struct Ledger {
    charged: HashMap<Holder, u64>,
    total: u64,
}

impl Ledger {
    /// The total number of bytes that are charged.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Charges bytes that an earlier process has charged, and that are never credited.
    pub(super) fn raise_to(&mut self, total: u64) {
        self.total = self.total.max(total);
    }

    pub(super) fn note(&mut self, change: Change) {
        let Change { holder, before, after } = change;
        match after.cmp(&before) {
            Ordering::Less => self.give_back(&holder, before - after),
            Ordering::Equal => {}
            Ordering::Greater => {
                let more = after - before;
                self.total = self.total.saturating_add(more);
                if self.charged.len() < FILES || self.charged.contains_key(&holder) {
                    let charged = self.charged.entry(holder).or_default();
                    *charged = charged.saturating_add(more);
                }
            }
        }
    }

    pub(super) fn freed(&mut self, freed: &Freed) {
        match freed {
            Freed::Nothing => {}
            Freed::All(holder) => self.give_back(holder, u64::MAX),
            Freed::Some(holder, bytes) => self.give_back(holder, *bytes),
        }
    }

    /// Credits at most what is charged to the holder.
    fn give_back(&mut self, holder: &Holder, bytes: u64) {
        let Some(charged) = self.charged.get_mut(holder) else { return };
        let bytes = bytes.min(*charged);
        *charged -= bytes;
        if *charged == 0 {
            self.charged.remove(holder);
        }
        self.total = self.total.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(inode: u64) -> Holder {
        Holder::File { device: 1, inode }
    }

    fn change(inode: u64, before: u64, after: u64) -> Change {
        Change { holder: file(inode), before, after }
    }

    #[test]
    fn no_more_is_given_back_than_was_charged_to_the_same_file() {
        let mut ledger = Ledger::default();
        ledger.note(change(1, 0, 100));
        ledger.note(change(2, 500, 0));
        ledger.freed(&Freed::All(file(2)));
        ledger.freed(&Freed::Some(Holder::Mount("/output".into()), 50));
        assert_eq!(ledger.total(), 100);
        ledger.note(change(1, 100, 30));
        assert_eq!(ledger.total(), 30);
        ledger.freed(&Freed::Nothing);
        ledger.freed(&Freed::All(file(1)));
        ledger.freed(&Freed::All(file(1)));
        assert_eq!((ledger.total(), ledger.charged.len()), (0, 0));
    }

    #[test]
    fn indistinguishable_files_stay_charged() {
        let mut ledger = Ledger::default();
        let many = FILES as u64 + 10;
        (0..many).for_each(|inode| ledger.note(change(inode, 0, 1)));
        assert_eq!((ledger.total(), ledger.charged.len()), (many, FILES));
        (0..many).for_each(|inode| ledger.freed(&Freed::All(file(inode))));
        assert_eq!((ledger.total(), ledger.charged.len()), (10, 0));
        ledger.note(change(1, 0, u64::MAX));
        assert_eq!(ledger.total(), u64::MAX);
    }
}
