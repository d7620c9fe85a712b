//! The directory entry that was read last.
//!
//! The C library requests the identity of each entry directly after reading it, with the same call as a program that inspects a
//! file. The first must not cause a host call; the second causes one anyway.

use super::{FileSystem, GuestPath};

/// The entry that was read last, until its identity is requested.
#[derive(Default)]
pub(crate) struct Listed(Option<GuestPath>);

impl FileSystem {
    /// Sets the entry that was just read.
    pub(crate) fn note_listed(&mut self, entry: Option<GuestPath>) {
        self.listed.0 = entry;
    }
}

impl Listed {
    /// Whether this is that entry, and this is the first request.
    pub(crate) fn take(&mut self, path: &GuestPath) -> bool {
        self.0.take().is_some_and(|entry| entry.as_str() == path.as_str())
    }
}
