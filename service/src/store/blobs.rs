//! Files that are named by the SHA-256 digest of their content: saved contexts, paused programs, and the files of snapshots.

use std::{
    collections::{HashMap, HashSet},
    fmt, fs, io,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use isolette::Error;
use sha2::{Digest as _, Sha256};

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
    limit: u64,
    bytes: AtomicU64,
    /// Blobs that are written and have no reference in the database yet, with how often: they are not removed meanwhile.
    pending: Mutex<HashMap<String, usize>>,
}

/// A blob that was written. Until this is dropped, it is not removed; by then the database has to refer to it.
pub(crate) struct Written {
    blobs: Arc<Blobs>,
    pub(crate) digest: Digest,
}

impl Blobs {
    pub(super) fn open(directory: &Path, limit: u64) -> Result<Self, Error> {
        let directory = directory.join("blobs");
        fs::create_dir_all(&directory)
            .map_err(|error| Error::io(format!("cannot use `{}`", directory.display()), error))?;
        Ok(Self { directory, limit, bytes: AtomicU64::new(0), pending: Mutex::default() })
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
                        self.bytes.fetch_add(file.metadata()?.len(), Ordering::Relaxed);
                    } else {
                        fs::remove_file(file.path())?;
                    }
                }
            }
            Ok(())
        };
        sweep().map_err(|error: io::Error| Error::io(format!("cannot read `{}`", self.directory.display()), error))
    }

    /// Writes a blob as a whole, unless it exists.
    ///
    /// # Errors
    /// [`Error::Io`], also if there is no room for it.
    pub(crate) fn write(self: &Arc<Self>, bytes: &[u8]) -> Result<Written, Error> {
        let digest = Digest::of(bytes);
        *self.pending().entry(digest.0.clone()).or_default() += 1;
        let written = Written { blobs: Arc::clone(self), digest };
        let failed = |error| Error::io("cannot store what has to survive", error);
        let path = written.digest.path(&self.directory).ok_or_else(|| failed(io::Error::other("no digest")))?;
        if fs::metadata(&path).is_ok_and(|found| found.len() == bytes.len() as u64) {
            return Ok(written);
        }
        let length = bytes.len() as u64;
        if self.bytes.fetch_add(length, Ordering::Relaxed).saturating_add(length) > self.limit {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            let limit = self.limit;
            return Err(failed(io::Error::new(
                io::ErrorKind::StorageFull,
                format!("more than {limit} bytes would be stored; delete snapshots or sandboxes"),
            )));
        }
        let write = || {
            let folder = path.parent().unwrap_or(&self.directory);
            fs::create_dir_all(folder)?;
            let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(&self.directory)?;
            draft.write_all(bytes)?;
            draft.persist(&path).map(drop).map_err(|error| error.error)
        };
        write().map(|()| written).map_err(|error| {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            failed(error)
        })
    }

    /// Reads a blob, and compares it with its name.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read, or is damaged.
    pub(crate) fn read(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        let read = || {
            let path = digest.path(&self.directory).ok_or(io::ErrorKind::NotFound)?;
            let mut bytes = Vec::new();
            fs::File::open(path)?.take(self.limit).read_to_end(&mut bytes)?;
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
            Ok(()) => drop(self.bytes.fetch_sub(length, Ordering::Relaxed)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!(%error, "a file that nothing refers to was not removed"),
        }
    }

    /// Number of bytes of all blobs.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
    }
}
