//! Files that are named by the SHA-256 digest of their content: saved contexts, paused programs, and the files of snapshots.

use std::{
    collections::{HashMap, HashSet},
    fmt, fs, io,
    io::{Read as _, Write as _},
    mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette::Error;
use sha2::{Digest as _, Sha256};

use super::room::{FAILED, Reservation, Room};

/// Prefix of the names of files that are being written.
const DRAFT: &str = ".draft-";

/// The SHA-256 digest of a blob, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) struct Digest(String);

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(bytes)))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// A digest that the database has.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    /// The path of the blob, with two levels, so that no folder has too many entries. `None` if it is not a digest: only hexadecimal
    /// digits are part of a path.
    pub(crate) fn relative(&self) -> Option<String> {
        let is_digest = self.0.len() == 64 && self.0.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_digest.then(|| format!("{}/{}", &self.0[..2], &self.0[2..]))
    }

    fn path(&self, directory: &Path) -> Option<PathBuf> {
        self.relative().map(|path| directory.join(path))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The directory of blobs.
pub(crate) struct Blobs {
    directory: PathBuf,
    pub(crate) room: Arc<Room>,
    /// Blobs that are written and have no reference in the database yet, with how often: they are not removed meanwhile.
    pending: Mutex<HashMap<String, usize>>,
    /// Blobs that were written, and for which it is not known whether the database refers to them.
    unchecked: Mutex<Vec<Digest>>,
}

/// A blob that was written. Until this is dropped, it is not removed; by then the database has to refer to it.
pub(crate) struct Written {
    blobs: Arc<Blobs>,
    pub(crate) digest: Digest,
    /// Whether it is not known that the database refers to it.
    is_unchecked: bool,
    /// The room of the caller, until the database refers to it.
    _room: Option<Reservation>,
}

impl Blobs {
    pub(super) fn open(directory: &Path, room: Room) -> Result<Self, Error> {
        let directory = directory.join("blobs");
        fs::create_dir_all(&directory)
            .map_err(|error| Error::io(format!("cannot use `{}`", directory.display()), error))?;
        Ok(Self { directory, room: Arc::new(room), pending: Mutex::default(), unchecked: Mutex::default() })
    }

    /// Removes the files that no row refers to, drafts included, and counts the rest.
    pub(super) fn keep_only(&self, known: &HashSet<String>) -> Result<(), Error> {
        let sweep = || {
            for folder in fs::read_dir(&self.directory)? {
                let folder = folder?;
                if !folder.file_type()?.is_dir() {
                    fs::remove_file(folder.path())?;
                    continue;
                }
                for file in fs::read_dir(folder.path())? {
                    let file = file?;
                    let name =
                        format!("{}{}", folder.file_name().to_string_lossy(), file.file_name().to_string_lossy());
                    if known.contains(&name) {
                        self.room.add_file(file.metadata()?.len());
                    } else {
                        fs::remove_file(file.path())?;
                    }
                }
            }
            Ok(())
        };
        sweep().map_err(|error: io::Error| Error::io(format!("cannot read `{}`", self.directory.display()), error))
    }

    /// Returns the blob with these bytes, which is not removed from now on. It may not be written yet.
    pub(super) fn pin(self: &Arc<Self>, bytes: &[u8]) -> Written {
        let digest = Digest::of(bytes);
        *self.pending().entry(digest.0.clone()).or_default() += 1;
        Written { blobs: Arc::clone(self), digest, is_unchecked: false, _room: None }
    }

    /// The size of a blob; `None` if there is no such file.
    pub(crate) fn size(&self, digest: &Digest) -> Option<u64> {
        fs::metadata(digest.path(&self.directory)?).ok().map(|found| found.len())
    }

    /// Writes a blob as a whole into room that was reserved for it.
    ///
    /// # Errors
    /// [`Error::Io`]. The room is still reserved then.
    pub(super) fn put(&self, written: &mut Written, bytes: &[u8], room: &mut Option<Reservation>) -> Result<(), Error> {
        let path = written.digest.path(&self.directory).ok_or_else(|| failed(io::Error::other("no digest")))?;
        let write = || {
            let folder = path.parent().unwrap_or(&self.directory);
            fs::create_dir_all(folder)?;
            if let Some(damaged) = self.size(&written.digest).filter(|size| *size != bytes.len() as u64) {
                fs::remove_file(&path)?;
                self.room.remove_file(damaged);
            }
            let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(&self.directory)?;
            draft.write_all(bytes)?;
            match draft.persist_noclobber(&path) {
                Ok(_) => Ok(true),
                // Another program has left the same state at the same time.
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error.error),
            }
        };
        // Also if it was there: what has written it may not have come to refer to it.
        written.is_unchecked = true;
        let is_new = write().map_err(failed)?;
        if let Some(room) = room.as_mut().filter(|_| is_new) {
            room.is_written();
        }
        written._room = room.take();
        Ok(())
    }

    /// Reads a blob, and compares it with its name.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, or is damaged.
    pub(crate) fn read(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        let read = || {
            let path = digest.path(&self.directory).ok_or(io::ErrorKind::NotFound)?;
            let mut bytes = Vec::new();
            // What was saved when a server ended may be more.
            let longest = self.room.limit().max(self.size(digest).unwrap_or(0));
            fs::File::open(path)?.take(longest).read_to_end(&mut bytes)?;
            if Digest::of(&bytes) != *digest {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is damaged"));
            }
            Ok(bytes)
        };
        read().map_err(|error| Error::io(format!("cannot read the stored state {digest}"), error))
    }

    /// Removes the file of a blob that has no reference, unless it is being stored again.
    pub(super) fn remove(&self, digest: &Digest) {
        let pending = self.pending();
        if pending.contains_key(digest.as_str()) {
            return;
        }
        let Some(path) = digest.path(&self.directory) else { return };
        let length = fs::metadata(&path).map_or(0, |found| found.len());
        match fs::remove_file(&path) {
            Ok(()) => self.room.remove_file(length),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%error, "a file that nothing refers to was not removed"),
        }
    }

    /// Number of bytes of all blobs.
    pub(crate) fn bytes(&self) -> u64 {
        self.room.on_disk()
    }

    /// The blobs that were written since the last call and may have no reference.
    pub(super) fn take_unchecked(&self) -> Vec<Digest> {
        mem::take(&mut self.unchecked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: io::Error) -> Error {
    if error.kind() != io::ErrorKind::StorageFull && error.kind() != io::ErrorKind::QuotaExceeded {
        return Error::io(FAILED, error);
    }
    let text = format!("{error}\nhint: the disk of the server is full: tell its operator, and try again later");
    Error::io(FAILED, io::Error::new(io::ErrorKind::StorageFull, text))
}

impl Drop for Written {
    fn drop(&mut self) {
        let mut pending = self.blobs.pending();
        if let Some(count) = pending.get_mut(self.digest.as_str()) {
            *count -= 1;
            if *count == 0 {
                pending.remove(self.digest.as_str());
            }
        }
        drop(pending);
        if self.is_unchecked {
            let digest = self.digest.clone();
            self.blobs.unchecked.lock().unwrap_or_else(PoisonError::into_inner).push(digest);
        }
    }
}
