//! Which entry of a directory was read last.
//!
//! The C library asks for the identity of each entry as soon as it has read it, by the same call as for a file that a program
//! looks at. The first must not cost a question to the host; the second is one anyway.

use super::{FileSystem, GuestPath};

/// The entry that was read last, until its identity was asked for.
#[derive(Default)]
pub(crate) struct Listed(Option<GuestPath>);

impl FileSystem {
    /// Says which entry was read just now.
    pub(crate) fn note_listed(&mut self, entry: Option<GuestPath>) {
        self.listed.0 = entry;
    }
}

impl Listed {
    /// Whether this is that entry, and asked for the first time.
    pub(crate) fn take(&mut self, path: &GuestPath) -> bool {
        self.0.take().is_some_and(|entry| entry.as_str() == path.as_str())
    }
}
