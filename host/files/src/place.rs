//! A path inside one mount, and what can be done there.

use isolette_abi::{CHUNK_LIMIT, files::Found};

use super::{
    directory::Directory,
    edit::{Edit, Edited, Fits},
    ledger::{Change, Freed, Holder},
};
use isolette_policy::Mount;
use isolette_policy::{Entry, FileError, FileSystem, Kind, Status};

/// Entries in one reply: with the longest names they still fit into a message.
const ENTRIES: usize = 512;

/// A path inside one mount. The root of the mount has the empty path, and stays where it is.
pub(super) struct Place<'a> {
    pub(super) mount: &'a Mount,
    pub(super) system: &'a dyn FileSystem,
    /// If that is what the system is. Its files are told apart by more than their names.
    pub(super) directory: Option<&'a Directory>,
    pub(super) path: &'a str,
}

impl Place<'_> {
    pub(super) fn stat(&self) -> Result<Status, FileError> {
        self.system.stat(self.path)
    }

    /// The same, and which file it is if files here are told apart by more than their names.
    pub(super) fn find(&self) -> Result<Found, FileError> {
        match self.directory {
            Some(directory) => directory.find(self.path),
            None => self.stat().map(|status| Found { status, file: None }),
        }
    }

    /// The guest's path of it.
    pub(super) fn guest(&self) -> String {
        if self.path.is_empty() { self.mount.guest.clone() } else { format!("{}/{}", self.mount.guest, self.path) }
    }

    pub(super) fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        let length = (length as usize).min(CHUNK_LIMIT);
        let mut bytes = self.system.read(self.path, offset, u32::try_from(length).unwrap_or(u32::MAX))?;
        // No more than was asked for, whatever there was.
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Writes to a file or resizes it, if what it comes to fits. What the system did not do to the end it may have done in
    /// part, so the length is the one that is seen afterwards.
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

    /// Whether there is something of this name, be it a link that leads nowhere.
    pub(super) fn is_there(&self) -> bool {
        match self.directory {
            Some(directory) => directory.is_there(self.path),
            None => self.stat().is_ok(),
        }
    }

    /// Part of a directory, sorted by name, and whether there is more.
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

    /// Removes the name and says what that gives back.
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

    /// Gives what is here another name, and says what that gives back of a file that had it.
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

    /// Something in this directory.
    pub(super) fn child(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }
}
