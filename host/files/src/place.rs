//! A path inside one mount, and the operations on it.

use isolette_abi::{CHUNK_LIMIT, files::StatReply};

use super::{
    directory::Directory,
    edit::{Edit, Edited, Fits},
    ledger::{Change, Freed, Holder},
};
use isolette_policy::Mount;
use isolette_policy::{Entry, FileError, FileSystem, Kind, Status};

/// Maximum number of entries in one reply. With names of maximum length they still fit into a message.
const ENTRIES: usize = 512;

/// A path inside one mount. The root of the mount has the empty path, and cannot be moved.
pub(super) struct Place<'a> {
    pub(super) mount: &'a Mount,
    pub(super) system: &'a dyn FileSystem,
    /// The file system as a directory of the host, if it is one. Its files have an identity besides their names.
    pub(super) directory: Option<&'a Directory>,
    pub(super) path: &'a str,
}

impl Place<'_> {
    pub(super) fn stat(&self) -> Result<Status, FileError> {
        self.system.stat(self.path)
    }

    /// The status of the file, and its identity if files of this file system have one.
    pub(super) fn find(&self) -> Result<StatReply, FileError> {
        match self.directory {
            Some(directory) => directory.find(self.path),
            None => self.stat().map(|status| StatReply { status, file: None }),
        }
    }

    /// The path as the guest sees it.
    pub(super) fn guest(&self) -> String {
        if self.path.is_empty() { self.mount.guest.clone() } else { format!("{}/{}", self.mount.guest, self.path) }
    }

    pub(super) fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        let length = (length as usize).min(CHUNK_LIMIT);
        let mut bytes = self.system.read(self.path, offset, u32::try_from(length).unwrap_or(u32::MAX))?;
        // A file system may return more than was requested.
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Writes to a file or resizes it, if `fits` allows the new length. An operation that failed may have had a partial
    /// effect, so the length is measured afterwards.
    pub(super) fn edit(&self, edit: &Edit<'_>, fits: &mut Fits<'_>) -> Result<Edited, FileError> {
        if let Some(directory) = self.directory {
            return directory.edit(self.path, edit, fits);
        }
        let before = self.stat()?.size;
        let after = edit.length(before);
        fits(before, after)?;
        let done = match *edit {
            Edit::Write { offset, bytes } => self.system.write(self.path, offset, bytes),
            Edit::Resize(size) => self.system.resize(self.path, size),
        };
        let after = if done.is_ok() { after } else { self.stat().map_or(before, |status| status.size.max(before)) };
        Ok((Some(Change { holder: self.holder(), before, after }), done))
    }

    fn holder(&self) -> Holder {
        Holder::Mount(self.mount.guest.clone())
    }

    /// Whether this name exists, even if it is a link without a target.
    pub(super) fn is_there(&self) -> bool {
        match self.directory {
            Some(directory) => directory.is_there(self.path),
            None => self.stat().is_ok(),
        }
    }

    /// Part of a directory, sorted by name, and whether there are more entries.
    pub(super) fn list(&self, skip: u32) -> Result<(Vec<Entry>, bool), FileError> {
        let mut entries = self.system.list_directory(self.path)?;
        entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        let mut entries = entries.split_off((skip as usize).min(entries.len()));
        let more = entries.len() > ENTRIES;
        entries.truncate(ENTRIES);
        Ok((entries, more))
    }

    pub(super) fn create(&self, kind: Kind) -> Result<(), FileError> {
        match (self.path, kind) {
            ("", _) => Err(FileError::Exists),
            (path, kind) => self.system.create(path, kind),
        }
    }

    /// Removes the name and returns what that credits.
    pub(super) fn remove(&self, kind: Kind) -> Result<Freed, FileError> {
        match (self.path, self.directory) {
            ("", _) => Err(FileError::Busy),
            (path, Some(directory)) => directory.freeing(path, || directory.remove(path, kind)),
            (path, None) => {
                let freed = self.freed();
                self.system.remove(path, kind).map(|()| freed)
            }
        }
    }

    /// Renames this file to `target`, and returns what that credits for a file that had that name.
    pub(super) fn rename(&self, target: &Self) -> Result<Freed, FileError> {
        if self.path.is_empty() || target.path.is_empty() {
            return Err(FileError::Busy);
        }
        match target.directory {
            Some(directory) => directory.freeing(target.path, || self.system.rename(self.path, target.path)),
            None => {
                let freed = target.freed();
                self.system.rename(self.path, target.path).map(|()| freed)
            }
        }
    }

    fn freed(&self) -> Freed {
        match self.system.freed(self.path) {
            Ok(bytes) if bytes > 0 => Freed::Some(self.holder(), bytes),
            _ => Freed::Nothing,
        }
    }

    pub(super) fn set_modified(&self, modified: u64) -> Result<(), FileError> {
        self.system.set_modified(self.path, modified)
    }

    /// The path of an entry of this directory.
    pub(super) fn child(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }
}
