//! The mounts of a run.

use isolette_abi::{Mount, files::Kind};

use super::path::{GuestPath, below, parts};

/// What contains a part of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backing {
    /// The memory of the adapter.
    Memory,
    /// A directory of the host.
    Host { writable: bool },
}

/// The mounts of this run, and `/tmp`. The directories that contain them are read-only.
pub(crate) struct Mounts(Vec<(String, Backing)>);

/// The directory in memory, unless the host mounts another one there.
pub(super) const MEMORY: &str = "/tmp";

impl Default for Mounts {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl Mounts {
    pub(crate) fn new(mounts: &[Mount<'_>]) -> Self {
        let host = |mount: &Mount<'_>| (mount.path.to_owned(), Backing::Host { writable: mount.writable });
        let mut all: Vec<_> = mounts.iter().map(host).collect();
        if !mounts.iter().any(|mount| mount.path == MEMORY) {
            all.push((MEMORY.into(), Backing::Memory));
        }
        // The deepest mount of a path is the one that applies.
        all.sort_by_key(|(path, _)| std::cmp::Reverse(parts(path).count()));
        Self(all)
    }

    /// The mount of `path`: its index, its backing, and the path relative to it.
    pub(crate) fn find<'a>(&self, path: &'a GuestPath) -> Option<(usize, Backing, &'a str)> {
        self.0.iter().enumerate().find_map(|(place, (mount, backing))| Some((place, *backing, path.below(mount)?)))
    }

    /// Whether there is a writable mount at exactly this path.
    pub(crate) fn is_writable(&self, place: &str) -> bool {
        self.0.iter().any(|(mount, backing)| mount == place && *backing == Backing::Host { writable: true })
    }

    /// Whether `path` is a mount or contains one. Such a directory always exists.
    pub(crate) fn holds(&self, path: &GuestPath) -> bool {
        path.is_root() || self.0.iter().any(|(mount, _)| below(mount, path.as_str()).is_some())
    }

    /// The entries that a directory has because it contains mounts.
    pub(crate) fn children(&self, path: &GuestPath) -> impl Iterator<Item = (String, Kind)> {
        let next = |(mount, _): &(String, Backing)| parts(below(mount, path.as_str())?).next().map(str::to_owned);
        self.0.iter().filter_map(next).map(|name| (name, Kind::Directory))
    }
}
