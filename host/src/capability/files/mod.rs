//! Files on the mounts (`wit/files.wit`).
//!
//! Every operation goes through a directory handle of `cap-std`, which resolves paths below that directory and nowhere
//! else: a link that leads out of it is an error. Nothing but regular files and directories is ever opened.

mod operations;
pub(crate) mod output;
mod quota;
mod whole;

use std::io;

use cap_std::{ambient_authority, fs::Dir};
use isolette_abi::{
    encode,
    files::{Call, FileError},
    transfer::Chunk,
};
use rustix::io::Errno;

pub(crate) use self::quota::Quota;
use crate::{Error, policy::Mount};

/// A path in a message is short; the kernel's own limit is the same.
const PATH_LIMIT: usize = 4096;

/// They are told to a guest in one message.
const MOUNTS: usize = 32;

/// The directories that a guest sees.
#[derive(Debug, Default)]
pub(crate) struct Files {
    mounts: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    mount: Mount,
    directory: Dir,
}

impl Files {
    /// Opens every mount, so that none can be moved away under a guest.
    pub(crate) fn new(mounts: &[Mount]) -> Result<Self, Error> {
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
            let directory = Dir::open_ambient_dir(&mount.host, ambient_authority()).map_err(|error| {
                Error::io(format!("cannot mount `{}` at `{}`", mount.host.display(), mount.guest), error)
            })?;
            open.push(Open { mount: mount.clone(), directory });
        }
        // The longest path first: a mount inside a mount hides what is below it.
        open.sort_by_key(|open| std::cmp::Reverse(open.mount.guest.len()));
        Ok(Self { mounts: open })
    }

    /// As the guest is told of them.
    pub(crate) fn mounts(&self) -> Vec<isolette_abi::Mount<'_>> {
        let mut mounts: Vec<_> = self
            .mounts
            .iter()
            .map(|open| isolette_abi::Mount { path: &open.mount.guest, writable: open.mount.writable() })
            .collect();
        mounts.sort_unstable_by_key(|mount| mount.path);
        mounts
    }

    /// Does what a guest asks and encodes what comes of it.
    pub(crate) fn answer(&self, call: &Call<'_>, quota: &mut Quota) -> Vec<u8> {
        match *call {
            Call::Stat { path } => encode(&self.at(path).and_then(|place| place.stat())),
            Call::Read { path, offset, length } => {
                let bytes = self.at(path).and_then(|place| place.read(offset, length));
                encode(&bytes.as_deref().map(Chunk).map_err(|error| *error))
            }
            Call::Write { path, offset, bytes } => {
                encode(&self.writable(path).and_then(|place| quota.write(&place, offset, bytes)))
            }
            Call::List { path, skip } => {
                let listing = self.at(path).and_then(|place| place.list(skip));
                encode(&listing.as_ref().map(operations::Entries::listing).map_err(|error| *error))
            }
            Call::Create { path, kind } => encode(&self.writable(path).and_then(|place| quota.create(&place, kind))),
            Call::Remove { path, kind } => encode(&self.writable(path).and_then(|place| quota.remove(&place, kind))),
            Call::Rename { source, target } => encode(&self.rename(source, target, quota)),
            Call::Resize { path, size } => encode(&self.writable(path).and_then(|place| quota.resize(&place, size))),
            Call::SetModified { path, modified } => {
                encode(&self.writable(path).and_then(|place| place.set_modified(modified)))
            }
        }
    }

    fn rename(&self, source: &str, target: &str, quota: &mut Quota) -> Result<(), FileError> {
        let (source, target) = (self.writable(source)?, self.writable(target)?);
        if source.mount.guest != target.mount.guest {
            return Err(FileError::CrossDevice);
        }
        quota.rename(&source, &target)
    }

    fn at<'a>(&'a self, path: &'a str) -> Result<Place<'a>, FileError> {
        if path.len() > PATH_LIMIT {
            return Err(FileError::NameTooLong);
        }
        // The adapter sends normal paths only; whatever else arrives is not interpreted.
        if path.contains('\0') || path.split('/').any(|part| matches!(part, "." | "..")) {
            return Err(FileError::Invalid);
        }
        self.mounts
            .iter()
            .find_map(|open| {
                let rest = path.strip_prefix(&open.mount.guest)?;
                let inside = rest.strip_prefix('/').or(rest.is_empty().then_some(""))?;
                let inside = inside.trim_end_matches('/');
                let inside = if inside.is_empty() { "." } else { inside };
                Some(Place { mount: &open.mount, directory: &open.directory, path: inside })
            })
            .ok_or(FileError::NotFound)
    }

    fn writable<'a>(&'a self, path: &'a str) -> Result<Place<'a>, FileError> {
        let place = self.at(path)?;
        if !place.mount.writable() {
            return Err(FileError::ReadOnly);
        }
        Ok(place)
    }
}

/// A path inside one mount.
struct Place<'a> {
    mount: &'a Mount,
    directory: &'a Dir,
    path: &'a str,
}

/// What a program expects as `errno`.
fn file_error(error: &io::Error) -> FileError {
    // `cap-std` reports a path that leads out of its directory as "permission denied" without an `errno`.
    let Some(errno) = Errno::from_io_error(error) else {
        return match error.kind() {
            io::ErrorKind::PermissionDenied => FileError::Access,
            io::ErrorKind::NotFound => FileError::NotFound,
            io::ErrorKind::InvalidInput => FileError::Invalid,
            _ => FileError::Io,
        };
    };
    match errno {
        Errno::ACCESS | Errno::PERM => FileError::Access,
        Errno::BUSY | Errno::TXTBSY => FileError::Busy,
        Errno::EXIST => FileError::Exists,
        Errno::FBIG => FileError::FileTooLarge,
        Errno::INVAL => FileError::Invalid,
        Errno::ISDIR => FileError::IsDirectory,
        Errno::LOOP => FileError::LinkLoop,
        Errno::MFILE | Errno::NFILE => FileError::TooManyFiles,
        Errno::NAMETOOLONG => FileError::NameTooLong,
        Errno::NOENT => FileError::NotFound,
        Errno::NOTDIR => FileError::NotDirectory,
        Errno::NOTEMPTY => FileError::NotEmpty,
        Errno::NOSPC | Errno::DQUOT => FileError::NoSpace,
        Errno::NOTSUP => FileError::Unsupported,
        Errno::ROFS => FileError::ReadOnly,
        Errno::XDEV => FileError::CrossDevice,
        _ => FileError::Io,
    }
}
