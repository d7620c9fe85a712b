//! Which part of the tree is whose.

use isolette_abi::{Mount, files::Kind};

use super::path::{GuestPath, below, parts};

/// What stands behind a part of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backing {
    /// The adapter's own memory.
    Memory,
    /// A directory of the host's.
    Host { writable: bool },
}

/// The mounts of this run, and `/tmp`. All else is directories that lead to them, which nobody can change.
pub(crate) struct Mounts(Vec<(String, Backing)>);

/// Where the memory is, unless the host mounts something there.
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
        // The deepest first: it is the one that counts.
        all.sort_by_key(|(path, _)| std::cmp::Reverse(parts(path).count()));
        Self(all)
    }

    /// The mount that `path` is in: its place among all, what is behind it, and the way down from it.
    pub(crate) fn find<'a>(&self, path: &'a GuestPath) -> Option<(usize, Backing, &'a str)> {
        self.0.iter().enumerate().find_map(|(place, (mount, backing))| Some((place, *backing, path.below(mount)?)))
    }

    /// Whether there is a mount at exactly this place that can be written to.
    pub(crate) fn is_writable(&self, place: &str) -> bool {
        self.0.iter().any(|(mount, backing)| mount == place && *backing == Backing::Host { writable: true })
    }

    /// Whether `path` is a mount or leads to one, so that it is there whatever is behind it, and stays.
    pub(crate) fn holds(&self, path: &GuestPath) -> bool {
        path.is_root() || self.0.iter().any(|(mount, _)| below(mount, path.as_str()).is_some())
    }

    /// The entries that a directory has because mounts are in it.
    pub(crate) fn children(&self, path: &GuestPath) -> impl Iterator<Item = (String, Kind)> {
        let next = |(mount, _): &(String, Backing)| parts(below(mount, path.as_str())?).next().map(str::to_owned);
        self.0.iter().filter_map(next).map(|name| (name, Kind::Directory))
    }
}
