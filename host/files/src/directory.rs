//! A directory of the host as a file system. It uses a handle of `cap-std`, which resolves paths only below that
//! directory: a link that leads out of it is an error. Only regular files and directories are opened, each with a
//! handle of its own for the duration of an operation.

use std::{
    fs::File,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Write as _},
    os::unix::fs::FileExt as _,
    path::Path,
    time::{Duration, SystemTime},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, FileType, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _},
};
use isolette_abi::{CHUNK_LIMIT, files::StatReply};
use rustix::{
    fs::{AtFlags, Timespec, Timestamps, UTIME_OMIT},
    io::Errno,
};

use super::{
    edit::{Edit, Edited, Fits},
    ledger::{Change, Freed, Holder},
    resizing,
};
use isolette_policy::{Entry, FileError, FileSystem, Kind, Status};

/// A directory of the host's. Links inside it are followed only if they stay inside it.
#[derive(Debug)]
pub struct Directory(Dir);

impl Directory {
    /// Opens the directory. The handle keeps referring to the same directory even if it is moved.
    ///
    /// # Errors
    /// The error of the system.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    /// Opens a regular file. Opening a pipe or a device could block the host or have side effects.
    fn file(&self, path: &str, options: &mut OpenOptions) -> Result<File, FileError> {
        match self.stat(path)?.kind {
            Kind::File => {}
            Kind::Directory => return Err(FileError::IsDirectory),
            Kind::Other => return Err(FileError::Access),
        }
        // The file may have been replaced by a pipe in the meantime; with this flag, opening it does not block.
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let file =
            self.0.open_with(path, options.custom_flags(nonblocking)).map_err(|error| file_error(&error))?.into_std();
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(file),
            Ok(_) => Err(FileError::Access),
            Err(error) => Err(file_error(&error)),
        }
    }

    /// Changes the length of a file. The length is measured by the handle that writes, because the file's names may
    /// change meanwhile.
    pub(super) fn edit(&self, path: &str, edit: &Edit<'_>, fits: &mut Fits<'_>) -> Result<Edited, FileError> {
        let appends = matches!(edit, Edit::Write { offset: None, .. });
        let mut options = OpenOptions::new();
        let mut file = self.file(path, if appends { options.append(true) } else { options.write(true) })?;
        let measured = |file: &File| file.metadata().map_err(|error| file_error(&error));
        let (holder, _) = identity(&file).map_err(|error| file_error(&error))?;
        let _held = resizing::hold(&holder)?;
        let before = measured(&file)?.len();
        fits(before, edit.length(before))?;
        let done = match *edit {
            Edit::Write { offset: Some(offset), bytes } => file.write_all_at(bytes, offset),
            Edit::Write { offset: None, bytes } => file.write_all(bytes),
            Edit::Resize(size) => file.set_len(size),
        };
        let done = done.map_err(|error| file_error(&error));
        // If the length cannot be measured, the whole change is assumed to have been made.
        let after = measured(&file).map_or_else(|_| edit.length(before).max(before), |metadata| metadata.len());
        Ok((Some(Change { holder, before, after }), done))
    }

    /// The status of a file, and its identity.
    pub(super) fn find(&self, path: &str) -> Result<StatReply, FileError> {
        let metadata = self.metadata(path)?;
        let status = status(&metadata);
        let file = (status.kind == Kind::File).then(|| {
            let mut hasher = DefaultHasher::new();
            (metadata.dev(), metadata.ino()).hash(&mut hasher);
            hasher.finish()
        });
        Ok(StatReply { status, file })
    }

    /// The device and the inode of a regular file.
    pub(super) fn inode(&self, path: &str) -> Result<(u64, u64), FileError> {
        let metadata = self.metadata(path)?;
        match kind(metadata.file_type()) {
            Kind::File => Ok((metadata.dev(), metadata.ino())),
            Kind::Directory => Err(FileError::IsDirectory),
            Kind::Other => Err(FileError::Access),
        }
    }

    /// The device and the inode of an open file.
    pub(super) fn inode_of(file: &File) -> Result<(u64, u64), FileError> {
        match identity(file).map_err(|error| file_error(&error))? {
            (Holder::File { device, inode }, _) => Ok((device, inode)),
            (Holder::Mount(_), _) => Err(FileError::Io),
        }
    }

    /// Opens a file for exclusive locks if it may be written to, else for shared ones. Also returns whether it is
    /// writable.
    pub(super) fn open_to_lock(&self, path: &str, writable: bool) -> Result<(File, bool), FileError> {
        if writable {
            match self.file(path, OpenOptions::new().read(true).write(true)) {
                Err(FileError::Access | FileError::ReadOnly) => {}
                opened => return opened.map(|file| (file, true)),
            }
        }
        self.file(path, OpenOptions::new().read(true)).map(|file| (file, false))
    }

    /// The handle of a directory only names it (`O_PATH`), so that the times are set through a path in it.
    fn set_modified_of_directory(&self, path: &str, modified: u64) -> Result<(), FileError> {
        let directory = self.0.open_dir(inside(path)).map_err(|error| file_error(&error))?;
        let time = Duration::from_nanos(modified);
        let times = Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            last_modification: Timespec {
                tv_sec: i64::try_from(time.as_secs()).map_err(|_| FileError::Invalid)?,
                tv_nsec: time.subsec_nanos().into(),
            },
        };
        let set = rustix::fs::utimensat(&directory, ".", &times, AtFlags::empty());
        set.map_err(|errno| file_error(&errno.into()))
    }

    fn metadata(&self, path: &str) -> Result<Metadata, FileError> {
        self.0.metadata(inside(path)).map_err(|error| file_error(&error))
    }

    /// Whether this name exists. It may be a link that cannot be followed.
    pub(super) fn is_there(&self, path: &str) -> bool {
        self.0.symlink_metadata(inside(path)).is_ok()
    }

    /// Runs `work`, which removes a name, and checks by a handle whether that freed the file: its bytes are only freed
    /// when it has no names left, and another process may add one at any time.
    pub(super) fn freeing(&self, path: &str, work: impl FnOnce() -> Result<(), FileError>) -> Result<Freed, FileError> {
        let named = self.named(path);
        let before = named.as_ref().and_then(|file| identity(file).ok());
        work()?;
        let after = named.map(|file| identity(&file));
        Ok(freed(before, after))
    }

    /// Opens the entry with this name, which may be a link, without opening the file itself.
    fn named(&self, path: &str) -> Option<File> {
        let flags = rustix::fs::OFlags::PATH | rustix::fs::OFlags::NOFOLLOW;
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(flags.bits().cast_signed());
        self.0.open_with(path, &options).ok().map(cap_std::fs::File::into_std)
    }
}

/// What was freed, given the identity and the number of names of a file before and after a name was removed. Some
/// network and user-space file systems cannot report files without names.
fn freed(before: Option<(Holder, u64)>, after: Option<io::Result<(Holder, u64)>>) -> Freed {
    match (before, after) {
        (_, Some(Ok((holder, 0)))) | (Some((holder, 1)), Some(Err(_))) => Freed::All(holder),
        _ => Freed::Nothing,
    }
}

/// The identity of a file, and its number of names.
fn identity(file: &File) -> io::Result<(Holder, u64)> {
    let metadata = file.metadata()?;
    let holder = Holder::File {
        device: std::os::unix::fs::MetadataExt::dev(&metadata),
        inode: std::os::unix::fs::MetadataExt::ino(&metadata),
    };
    Ok((holder, std::os::unix::fs::MetadataExt::nlink(&metadata)))
}

impl FileSystem for Directory {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.metadata(path).map(|metadata| status(&metadata))
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        let file = self.file(path, OpenOptions::new().read(true))?;
        let length = (length as usize).min(CHUNK_LIMIT);
        // A guest may request more than the file contains, so memory is only allocated for what it contains.
        let size = file.metadata().map_err(|error| file_error(&error))?.len();
        let there = usize::try_from(size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length.min(there)];
        let mut filled = 0;
        while filled < bytes.len() {
            match file.read_at(&mut bytes[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(file_error(&error)),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        let directory = self.0.read_dir(inside(path)).map_err(|error| file_error(&error))?;
        let mut entries = Vec::new();
        for entry in directory {
            let entry = entry.map_err(|error| file_error(&error))?;
            // A name that is not UTF-8 cannot be expressed in WIT, so it cannot be used either.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type().map_or(Kind::Other, kind);
            entries.push(Entry { name, kind });
        }
        Ok(entries)
    }

    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        let written = match offset {
            Some(offset) => self.file(path, OpenOptions::new().write(true))?.write_all_at(bytes, offset),
            None => self.file(path, OpenOptions::new().append(true))?.write_all(bytes),
        };
        written.map_err(|error| file_error(&error))
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        match kind {
            Kind::File => self.0.open_with(path, OpenOptions::new().write(true).create_new(true)).map(drop),
            Kind::Directory => self.0.create_dir(inside(path)),
            Kind::Other => return Err(FileError::Unsupported),
        }
        .map_err(|error| file_error(&error))
    }

    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        match kind {
            Kind::File | Kind::Other => self.0.remove_file(path),
            Kind::Directory => self.0.remove_dir(path),
        }
        .map_err(|error| file_error(&error))
    }

    fn freed(&self, path: &str) -> Result<u64, FileError> {
        let metadata = self.0.symlink_metadata(path).map_err(|error| file_error(&error))?;
        Ok(if metadata.is_file() && metadata.nlink() == 1 { metadata.len() } else { 0 })
    }

    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        self.0.rename(source, &self.0, target).map_err(|error| file_error(&error))
    }

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.file(path, OpenOptions::new().write(true))?.set_len(size).map_err(|error| file_error(&error))
    }

    fn set_modified(&self, path: &str, modified: u64) -> Result<(), FileError> {
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(modified);
        if self.stat(path)?.kind == Kind::Directory {
            return self.set_modified_of_directory(path, modified);
        }
        // The times of a file may be set by its owner, who need not be allowed to write to it.
        let file = match self.file(path, OpenOptions::new().read(true)) {
            Err(FileError::Access) => self.file(path, OpenOptions::new().write(true)),
            opened => opened,
        };
        file?.set_modified(time).map_err(|error| file_error(&error))
    }
}

/// The root has an empty path here, and `.` in the system.
fn inside(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn status(metadata: &Metadata) -> Status {
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.into_std().duration_since(SystemTime::UNIX_EPOCH).ok())
        .map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX));
    Status { kind: kind(metadata.file_type()), size: metadata.len(), modified }
}

fn kind(file_type: FileType) -> Kind {
    if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Directory
    } else {
        Kind::Other
    }
}

/// Maps an error of the system to the `errno` that a program expects. Errors without a number that are of no kind of file
/// operation are [`FileError::Io`].
#[must_use]
pub fn file_error(error: &io::Error) -> FileError {
    // `cap-std` reports a path that leads out of its directory as "permission denied" without an `errno`.
    let Some(errno) = Errno::from_io_error(error) else {
        return match error.kind() {
            io::ErrorKind::PermissionDenied => FileError::Access,
            io::ErrorKind::NotFound => FileError::NotFound,
            io::ErrorKind::AlreadyExists => FileError::Exists,
            io::ErrorKind::IsADirectory => FileError::IsDirectory,
            io::ErrorKind::NotADirectory => FileError::NotDirectory,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_asked_any_more_is_gone_with_its_only_name() {
        let file = |names| (Holder::File { device: 1, inode: 2 }, names);
        let lost = || Some(Err(io::Error::from(io::ErrorKind::NotFound)));
        for (before, after, is_freed) in [
            (Some(file(1)), lost(), true),
            (Some(file(2)), lost(), false),
            (None, lost(), false),
            (Some(file(1)), Some(Ok(file(0))), true),
            (Some(file(2)), Some(Ok(file(0))), true),
            (Some(file(1)), Some(Ok(file(1))), false),
            (Some(file(2)), Some(Ok(file(1))), false),
            (None, None, false),
        ] {
            let shown = format!("{before:?} {after:?}");
            assert_eq!(matches!(freed(before, after), Freed::All(_)), is_freed, "{shown}");
        }
    }
}
