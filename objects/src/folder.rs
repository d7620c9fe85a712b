//! Objects in a folder, for servers of one machine and for network file systems with locks.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, PutResult, Result, local::LocalFileSystem,
};
use sha2::{Digest as _, Sha256};

/// The folder of the locks. Keys do not begin with a dot.
const LOCKS: &str = ".locks";

/// Timeout for a lock.
const LOCKING: Duration = Duration::from_secs(30);

/// Poll interval for a lock, which is held about this long.
const LOCKED_FOR: Duration = Duration::from_millis(1);

/// Files of a folder by their paths.
#[derive(Debug)]
pub(crate) struct Folder {
    files: LocalFileSystem,
    locks: PathBuf,
}

impl Folder {
    /// Opens a folder, which is made for this user only if it does not exist.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let locks = path.join(LOCKS);
        DirBuilder::new().recursive(true).mode(0o700).create(&locks)?;
        let path = fs::canonicalize(path)?;
        Ok(Self { files: LocalFileSystem::new_with_prefix(&path).map_err(io::Error::other)?, locks: path.join(LOCKS) })
    }

    pub(crate) fn files(&self) -> &dyn ObjectStore {
        &self.files
    }

    /// Writes an object if its version is this one. The library can write a new file only if there is none, and has no such
    /// comparison for files that exist, so all writers compare under a lock.
    ///
    /// It goes on to its end if the caller goes away: the lock must not be given back before the file is written.
    pub(crate) async fn swap(
        self: Arc<Self>,
        key: object_store::path::Path,
        payload: PutPayload,
        expected: Option<String>,
    ) -> Result<PutResult> {
        let swapped = tokio::spawn(async move { self.swap_locked(&key, payload, expected.as_deref()).await });
        swapped.await.unwrap_or_else(|source| Err(Error::JoinError { source }))
    }

    async fn swap_locked(
        &self,
        key: &object_store::path::Path,
        payload: PutPayload,
        expected: Option<&str>,
    ) -> Result<PutResult> {
        let _locked =
            self.lock(key.as_ref()).await.map_err(|error| Error::Generic { store: "folder", source: error.into() })?;
        let Some(expected) = expected else { return self.files.put_opts(key, payload, PutMode::Create.into()).await };
        // Times and numbers of files can be the same again; records differ in what they contain.
        let found = self.files.get(key).await?.bytes().await?;
        if version(&found) != expected {
            let source = "it was written by another server".into();
            return Err(Error::Precondition { path: key.to_string(), source });
        }
        self.files.put(key, payload).await
    }

    /// One of 256 locks, until the file is dropped.
    async fn lock(&self, key: &str) -> io::Result<File> {
        let path = self.locks.join(format!("{:02x}", Sha256::digest(key)[0]));
        let file = OpenOptions::new().create(true).write(true).truncate(false).mode(0o600).open(path)?;
        let until = Instant::now() + LOCKING;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                // Another server, which may be stopped.
                Err(TryLockError::WouldBlock) if Instant::now() < until => tokio::time::sleep(LOCKED_FOR).await,
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The version of an object: the digest of its content.
pub(crate) fn version(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
