//! The files that one guest sees: its mounts, and its calls on them.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
};

use isolette_abi::{
    encode,
    files::{Call, Listing},
    transfer::Chunk,
};
use isolette_policy::{Access, FileError, FileSystem, Mount, MountSource, OUTPUT};
use isolette_types::Error;

use crate::{Directory, Locks, Quota, place::Place, ranges::Span, temporary::TemporaryDirectory};

/// Maximum length of a path in bytes, the same as the kernel's.
const PATH_LIMIT: usize = 4096;

/// Maximum number of mounts, which are passed to a guest in one message.
const MOUNTS: usize = 32;

/// The directories that a guest sees.
#[derive(Debug, Default)]
pub struct Files {
    /// Longest path first: a mount inside another mount hides what is below it.
    mounts: Vec<Arc<Open>>,
}

struct Open {
    mount: Mount,
    system: System,
}

enum System {
    Directory(Directory),
    Embedders(Arc<dyn FileSystem>),
    Temporary(TemporaryDirectory),
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
        mounts.iter().try_fold(Self::default(), |files, mount| {
            let system = match &mount.source {
                MountSource::Directory(host) => System::Directory(Directory::open(host).map_err(|error| {
                    Error::io(format!("cannot mount `{}` at `{}`", host.display(), mount.guest), error)
                })?),
                MountSource::FileSystem(source) => System::Embedders(source.system()),
            };
            files.with(Open { mount: mount.clone(), system })
        })
    }

    /// Adds an empty `/output`, which is a directory of the host's once something uses it. It is removed with the last of
    /// these files.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] as of [`Files::new`].
    pub fn with_temporary_output(&self) -> Result<Self, Error> {
        let parent = std::env::temp_dir();
        let mount = Mount::new(&parent, OUTPUT, Access::ReadWrite)?;
        let files = Self { mounts: self.mounts.clone() };
        files.with(Open { mount, system: System::Temporary(TemporaryDirectory::new(parent)) })
    }

    fn with(mut self, open: Open) -> Result<Self, Error> {
        let guest = &open.mount.guest;
        if self.mounts.len() == MOUNTS {
            return Err(Error::invalid(
                format!("there are more than {MOUNTS} mounts"),
                format!("use at most {MOUNTS}"),
            ));
        }
        if self.mounts.iter().any(|other| other.mount.guest == *guest) {
            return Err(Error::invalid(
                format!("there are two mounts at `{guest}`"),
                "give each mount a path of its own",
            ));
        }
        let position = self.mounts.partition_point(|other| other.mount.guest.len() >= guest.len());
        self.mounts.insert(position, Arc::new(open));
        Ok(self)
    }

    /// Returns the directory of the host that is mounted at `/output`, and makes it if it is temporary and has not been used
    /// before. `None` for a file system of the embedder's, and if the system refuses it.
    #[must_use]
    pub fn output_path(&self) -> Option<&Path> {
        let open = self.mounts.iter().find(|open| open.mount.guest == OUTPUT)?;
        match &open.system {
            System::Temporary(temporary) => temporary.path(),
            System::Directory(_) | System::Embedders(_) => open.mount.host(),
        }
    }

    /// Whether nothing can be in `/output`, because nothing has used it.
    pub(crate) fn output_is_unused(&self) -> bool {
        let is_unused = |system: &System| matches!(system, System::Temporary(temporary) if !temporary.exists());
        self.mounts.iter().any(|open| open.mount.guest == OUTPUT && is_unused(&open.system))
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
        let (Open { mount, .. }, _) = self.find(path).ok()?;
        let access = if mount.writable() { "read-write" } else { "read-only" };
        Some(format!("{} ({access})", mount.guest))
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
        let (open, inside) = self.find(path)?;
        let (system, directory): (&dyn FileSystem, _) = match &open.system {
            System::Directory(directory) => (directory, Some(directory)),
            System::Embedders(system) => (&**system, None),
            System::Temporary(temporary) => {
                let directory = temporary.open().ok_or(FileError::Io)?;
                (directory, Some(directory))
            }
        };
        Ok(Place { mount: &open.mount, system, directory, path: inside })
    }

    /// The mount that contains a path, and the path inside of it.
    fn find<'a>(&'a self, path: &'a str) -> Result<(&'a Open, &'a str), FileError> {
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
                Some((&**open, inside))
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
        let is_below = |open: &Arc<Open>| open.mount.guest.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if self.mounts.iter().any(is_below) {
            return Err(FileError::Busy);
        }
        Ok(place)
    }
}
