//! The operations on one path, each with a handle of its own for the time that it takes.

use std::{
    fs::File,
    io::{self, Write as _},
    os::unix::fs::FileExt as _,
    time::{Duration, SystemTime},
};

use cap_std::fs::{FileType, OpenOptions, OpenOptionsExt as _};
use isolette_abi::{
    CHUNK_LIMIT,
    files::{FileError, Kind, Listing, Status},
};

use super::{Place, file_error};

/// Entries in one reply: with the longest names they still fit into a message.
const ENTRIES: usize = 512;

/// Part of a directory, with names of its own.
pub(super) struct Entries {
    entries: Vec<(String, Kind)>,
    more: bool,
}

impl Entries {
    pub(super) fn listing(&self) -> Listing<'_> {
        Listing { entries: self.entries.iter().map(|(name, kind)| (name.as_str(), *kind)).collect(), more: self.more }
    }
}

impl Place<'_> {
    pub(super) fn stat(&self) -> Result<Status, FileError> {
        let metadata = self.directory.metadata(self.path).map_err(|error| file_error(&error))?;
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.into_std().duration_since(SystemTime::UNIX_EPOCH).ok())
            .map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX));
        Ok(Status { kind: kind(metadata.file_type()), size: metadata.len(), modified })
    }

    pub(super) fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        let file = self.open(OpenOptions::new().read(true))?;
        let length = (length as usize).min(CHUNK_LIMIT);
        // A guest may ask for more than there is, and memory is only taken for what there is.
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

    pub(super) fn write(&self, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        let written = match offset {
            Some(offset) => self.open(OpenOptions::new().write(true))?.write_all_at(bytes, offset),
            None => self.open(OpenOptions::new().append(true))?.write_all(bytes),
        };
        written.map_err(|error| file_error(&error))
    }

    pub(super) fn list(&self, skip: u32) -> Result<Entries, FileError> {
        let directory = self.directory.read_dir(self.path).map_err(|error| file_error(&error))?;
        let mut entries = Vec::new();
        for entry in directory {
            let entry = entry.map_err(|error| file_error(&error))?;
            // A name that is not UTF-8 cannot be said in WIT, so it cannot be used either.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type().map_or(Kind::Other, kind);
            entries.push((name, kind));
        }
        entries.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let mut entries = entries.split_off((skip as usize).min(entries.len()));
        let more = entries.len() > ENTRIES;
        entries.truncate(ENTRIES);
        Ok(Entries { entries, more })
    }

    pub(super) fn create(&self, kind: Kind) -> Result<(), FileError> {
        match kind {
            Kind::File => {
                self.directory.open_with(self.path, OpenOptions::new().write(true).create_new(true)).map(drop)
            }
            Kind::Directory => self.directory.create_dir(self.path),
            Kind::Other => return Err(FileError::Unsupported),
        }
        .map_err(|error| file_error(&error))
    }

    pub(super) fn remove(&self, kind: Kind) -> Result<(), FileError> {
        match kind {
            _ if self.path == "." => return Err(FileError::Busy),
            Kind::File | Kind::Other => self.directory.remove_file(self.path),
            Kind::Directory => self.directory.remove_dir(self.path),
        }
        .map_err(|error| file_error(&error))
    }

    pub(super) fn rename(&self, target: &Self) -> Result<(), FileError> {
        if self.path == "." || target.path == "." {
            return Err(FileError::Busy);
        }
        self.directory.rename(self.path, target.directory, target.path).map_err(|error| file_error(&error))
    }

    pub(super) fn resize(&self, size: u64) -> Result<(), FileError> {
        self.open(OpenOptions::new().write(true))?.set_len(size).map_err(|error| file_error(&error))
    }

    pub(super) fn set_modified(&self, modified: u64) -> Result<(), FileError> {
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(modified);
        let file = match self.stat()?.kind {
            Kind::Directory => self.directory.open_dir(self.path).map_err(|error| file_error(&error))?.into_std_file(),
            _ => self.open(OpenOptions::new().write(true))?,
        };
        file.set_modified(time).map_err(|error| file_error(&error))
    }

    /// Opens a regular file. A pipe or a device would keep the host waiting, or do something when it is opened.
    fn open(&self, options: &mut OpenOptions) -> Result<File, FileError> {
        match self.stat()?.kind {
            Kind::File => {}
            Kind::Directory => return Err(FileError::IsDirectory),
            Kind::Other => return Err(FileError::Access),
        }
        // What was a file a moment ago may be a pipe now; opened like this, it does not wait.
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let file = self
            .directory
            .open_with(self.path, options.custom_flags(nonblocking))
            .map_err(|error| file_error(&error))?
            .into_std();
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(file),
            Ok(_) => Err(FileError::Access),
            Err(error) => Err(file_error(&error)),
        }
    }
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
