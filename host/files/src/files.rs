//! The files that one guest sees: its mounts, and its calls on them.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use isolette_abi::{
    encode,
    files::{Call, Listing},
    transfer::Chunk,
};
use isolette_policy::{FileError, FileSystem, Mount, MountSource};
use isolette_types::Error;

use crate::{Directory, Locks, Quota, place::Place, ranges::Span};

/// Maximum length of a path in bytes, the same as the kernel's.
const PATH_LIMIT: usize = 4096;

/// Maximum number of mounts, which are passed to a guest in one message.
const MOUNTS: usize = 32;

/// The directories that a guest sees.
#[derive(Debug, Default)]
pub struct Files {
    mounts: Vec<Open>,
}

struct Open {
    mount: Mount,
    system: System,
}

enum System {
    Directory(Directory),
    Embedders(Arc<dyn FileSystem>),
}

impl fmt::Debug for Open {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mount.fmt(formatter)
    }
}

impl Files {
    /// Opens every mount, so that a mount keeps referring to the same directory even if it is moved.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there are more than 32 mounts, or two at one path; [`Error::Io`] if a directory
    /// cannot be opened.
    pub fn new(mounts: &[Mount]) -> Result<Self, Error> {
        if mounts.len() > MOUNTS {
            return Err(Error::invalid(format!("there are {} mounts", mounts.len()), format!("use at most {MOUNTS}")));
        }
        let mut open: Vec<Open> = Vec::new();
        for mount in mounts {
            if open.iter().any(|other| other.mount.guest == mount.guest) {
                return Err(Error::invalid(
                    format!("there are two mounts at `{}`", mount.guest),
                    "give each mount a path of its own",
                ));
            }
            let system = match &mount.source {
                MountSource::Directory(host) => System::Directory(Directory::open(host).map_err(|error| {
                    Error::io(format!("cannot mount `{}` at `{}`", host.display(), mount.guest), error)
                })?),
                MountSource::FileSystem(source) => System::Embedders(source.system()),
            };
            open.push(Open { mount: mount.clone(), system });
        }
        // Longest path first: a mount inside another mount hides what is below it.
        open.sort_by_key(|open| std::cmp::Reverse(open.mount.guest.len()));
        Ok(Self { mounts: open })
    }

    /// The mounts, in the form in which they are passed to the guest.
    pub fn mounts(&self) -> Vec<isolette_abi::Mount<'_>> {
        let mut mounts: Vec<_> = self
            .mounts
            .iter()
            .map(|open| isolette_abi::Mount { path: &open.mount.guest, writable: open.mount.writable() })
            .collect();
        mounts.sort_unstable_by_key(|mount| mount.path);
        mounts
    }

    /// Describes the mount that contains a path of the guest's, and its access, for the audit record. `None` if no
    /// mount contains it.
    pub fn rule(&self, path: &str) -> Option<String> {
        let place = self.at(path).ok()?;
        let access = if place.mount.writable() { "read-write" } else { "read-only" };
        Some(format!("{} ({access})", place.mount.guest))
    }

    /// Performs a call of the guest's and returns the encoded result.
    pub fn answer(&self, call: &Call<'_>, quota: &mut Quota, locks: &Locks) -> Vec<u8> {
        // A panic in an embedder's file system must not end the host.
        catch_unwind(AssertUnwindSafe(|| self.perform(call, quota, locks))).unwrap_or_else(|_| {
            tracing::error!("a file system panicked");
            encode::<Result<(), _>>(&Err(FileError::Io))
        })
    }

    fn perform(&self, call: &Call<'_>, quota: &mut Quota, locks: &Locks) -> Vec<u8> {
        match *call {
            Call::Stat { path } => encode(&self.at(path).and_then(|place| place.find())),
            Call::Read { path, offset, length } => {
                let bytes = self.at(path).and_then(|place| place.read(offset, length));
                encode(&bytes.as_deref().map(Chunk).map_err(|error| *error))
            }
            Call::Write { path, offset, bytes } => {
                encode(&self.writable(path).and_then(|place| quota.write(&place, offset, bytes)))
            }
            Call::List { path, skip } => {
                let listed = self.at(path).and_then(|place| place.list(skip));
                let listing = listed.as_ref().map(|(entries, more)| Listing {
                    entries: entries.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect(),
                    more: *more,
                });
                encode(&listing.map_err(|error| *error))
            }
            Call::Create { path, kind } => encode(&self.writable(path).and_then(|place| quota.create(&place, kind))),
            Call::Remove { path, kind } => {
                let removed = self.movable(path).and_then(|place| {
                    quota.remove(&place, kind)?;
                    locks.renamed(&place);
                    Ok(())
                });
                encode(&removed)
            }
            Call::Rename { source, target } => encode(&self.rename(source, target, quota, locks)),
            Call::Resize { path, size } => encode(&self.writable(path).and_then(|place| quota.resize(&place, size))),
            Call::SetModified { path, modified } => {
                encode(&self.writable(path).and_then(|place| place.set_modified(modified)))
            }
            Call::Lock { path, lock, start, length, test } => {
                encode(&self.at(path).and_then(|place| locks.lock(&place, lock, Span::new(start, length)?, test)))
            }
        }
    }

    fn rename(&self, source: &str, target: &str, quota: &mut Quota, locks: &Locks) -> Result<(), FileError> {
        let (source, target) = (self.movable(source)?, self.movable(target)?);
        if source.mount.guest != target.mount.guest {
            return Err(FileError::CrossDevice);
        }
        quota.rename(&source, &target)?;
        locks.renamed(&source);
        locks.renamed(&target);
        Ok(())
    }

    pub(crate) fn at<'a>(&'a self, path: &'a str) -> Result<Place<'a>, FileError> {
        if path.len() > PATH_LIMIT {
            return Err(FileError::NameTooLong);
        }
        // The adapter only sends normalized paths; others are rejected.
        let parts = path.strip_prefix('/').ok_or(FileError::Invalid)?;
        let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
        if !parts.is_empty() && !parts.split('/').all(is_part) {
            return Err(FileError::Invalid);
        }
        self.mounts
            .iter()
            .find_map(|open| {
                let rest = path.strip_prefix(&open.mount.guest)?;
                let inside = rest.strip_prefix('/').or(rest.is_empty().then_some(""))?;
                let (system, directory): (&dyn FileSystem, _) = match &open.system {
                    System::Directory(directory) => (directory, Some(directory)),
                    System::Embedders(system) => (&**system, None),
                };
                Some(Place { mount: &open.mount, system, directory, path: inside })
            })
            .ok_or(FileError::NotFound)
    }

    pub(crate) fn writable<'a>(&'a self, path: &'a str) -> Result<Place<'a>, FileError> {
        let place = self.at(path)?;
        if !place.mount.writable() {
            return Err(FileError::ReadOnly);
        }
        Ok(place)
    }

    /// A path that may be removed or renamed. A directory that contains another mount must stay, or that mount would
    /// move to a different path, or to one that the embedder did not choose.
    pub(crate) fn movable<'a>(&'a self, path: &'a str) -> Result<Place<'a>, FileError> {
        let place = self.writable(path)?;
        let is_below = |open: &Open| open.mount.guest.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if self.mounts.iter().any(is_below) {
            return Err(FileError::Busy);
        }
        Ok(place)
    }
}
