//! Saved states and files in the shared store, by their digests.

use std::{
    collections::HashMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use bytes::Bytes;

use super::Replicas;
use crate::{
    failure::Failure,
    store::{Blobs, Digest},
};

/// Time after its last write in which a blob certainly exists, and is not written again. Blobs without a reference are deleted after
/// four times as long, so that no blob is deleted between this check and the reference to it.
pub(super) const FRESH: Duration = Duration::from_secs(6 * 60 * 60);

/// Maximum number of blobs that are remembered.
const REMEMBERED: usize = 100_000;

/// Blobs that this process has written, and when.
#[derive(Debug, Default)]
pub(super) struct Uploaded(Mutex<HashMap<String, Instant>>);

pub(super) fn key(digest: &Digest) -> Result<String, Failure> {
    let path = digest.relative().ok_or_else(|| Failure::invalid("a record names no digest", "delete its sandbox"))?;
    Ok(format!("blobs/{path}"))
}

impl Replicas {
    /// Whether a blob certainly exists, and need not be written.
    pub(crate) fn has(&self, digest: &Digest) -> bool {
        Self::lock(&self.uploaded.0).get(digest.as_str()).is_some_and(|written| written.elapsed() < FRESH)
    }

    /// Writes a blob, unless it certainly exists.
    pub(crate) async fn upload(&self, digest: &Digest, bytes: Bytes) -> Result<(), Failure> {
        if self.has(digest) {
            return Ok(());
        }
        self.objects.put(&key(digest)?, bytes).await?;
        let mut uploaded = Self::lock(&self.uploaded.0);
        if uploaded.len() >= REMEMBERED {
            uploaded.retain(|_, written| written.elapsed() < FRESH / 2);
        }
        if uploaded.len() < REMEMBERED {
            uploaded.insert(digest.as_str().to_owned(), Instant::now());
        }
        Ok(())
    }

    /// Writes a blob of this process, unless it certainly exists.
    pub(crate) async fn upload_from(&self, blobs: &std::sync::Arc<Blobs>, digest: &Digest) -> Result<(), Failure> {
        if self.has(digest) {
            return Ok(());
        }
        let (blobs, wanted) = (std::sync::Arc::clone(blobs), digest.clone());
        let bytes = crate::blocking::blocking(move || blobs.read(&wanted)).await?;
        self.upload(digest, bytes.into()).await
    }

    /// Reads a blob of at most `limit` bytes, and compares it with its digest.
    pub(crate) async fn download(&self, digest: &Digest, limit: u64) -> Result<Bytes, Failure> {
        let key = key(digest)?;
        let damaged = |what: &str| {
            let message = format!("the state {digest} {what} in the shared store");
            Failure::new(
                http::StatusCode::INTERNAL_SERVER_ERROR,
                "Io",
                message,
                "delete the sandbox, or restore the store",
            )
        };
        let found = self.objects.get(&key, limit).await?.ok_or_else(|| damaged("is missing"))?;
        if Digest::of(&found.bytes) != *digest {
            return Err(damaged("is damaged"));
        }
        Ok(found.bytes)
    }
}
