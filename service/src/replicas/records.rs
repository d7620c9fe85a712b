//! The records of the shared store: what others need to continue a sandbox, or to report about a run.

use futures_util::{StreamExt as _, stream};
use isolette_objects::Version;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::Replicas;
use crate::{
    failure::Failure,
    store::{
        SavedContext, TreeEntry,
        rows::{OutputRow, RunRow, SandboxRow},
    },
};

/// Maximum number of objects of one caller that are listed.
pub(crate) const LISTED: usize = 100_000;

/// Maximum number of records that are read at the same time.
const READ_AT_ONCE: usize = 16;

/// Maximum length of a record in bytes.
const LENGTH: u64 = 64 << 20;

/// The record of a sandbox.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SandboxRecord {
    /// The replica that has it. `None` if any replica can take it over.
    pub(crate) holder: Option<String>,
    /// Makes every record different from all others.
    pub(crate) nonce: String,
    /// Whether it was deleted. The record remains for a while, so that no replica that still has the sandbox writes it again.
    pub(crate) is_deleted: bool,
    /// Without the folder, which each replica names for itself.
    pub(crate) row: SandboxRow,
    pub(crate) contexts: Vec<SavedContext>,
    pub(crate) files: Vec<TreeEntry>,
}

/// The record of a run in the background, or of one that is paused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    /// The replica that has it, if it has not ended.
    pub(crate) holder: Option<String>,
    pub(crate) nonce: String,
    pub(crate) row: RunRow,
    pub(crate) output: Vec<OutputRow>,
}

/// A record of something that one replica has at a time.
pub(crate) trait Record: Serialize + DeserializeOwned {
    /// The replica that has it.
    fn holder(&self) -> Option<&String>;
}

impl Record for SandboxRecord {
    fn holder(&self) -> Option<&String> {
        self.holder.as_ref()
    }
}

impl Record for RunRecord {
    fn holder(&self) -> Option<&String> {
        self.holder.as_ref()
    }
}

/// The keys of records.
pub(crate) mod keys {
    pub(crate) fn sandbox(id: &str) -> String {
        format!("sandboxes/{id}")
    }

    /// Below it, there is a key for each sandbox of a caller.
    pub(crate) fn sandboxes_of(owner: &str) -> String {
        format!("callers/{owner}/sandboxes")
    }

    pub(crate) fn name(owner: &str, name: &str) -> String {
        format!("callers/{owner}/names/{name}")
    }

    pub(crate) fn snapshots_of(owner: &str) -> String {
        format!("callers/{owner}/snapshots")
    }

    pub(crate) fn snapshot(owner: &str, id: &str) -> String {
        format!("callers/{owner}/snapshots/{id}")
    }

    pub(crate) fn runs_of(owner: &str) -> String {
        format!("runs/{owner}")
    }

    pub(crate) fn run(owner: &str, id: &str) -> String {
        format!("runs/{owner}/{id}")
    }

    /// The response to a request with an idempotency key.
    pub(crate) fn response(owner: &str, key: &str) -> String {
        format!("responses/{owner}/{key}")
    }

    /// The program of a run that is paused.
    pub(crate) fn paused(id: &str) -> String {
        format!("paused/{id}")
    }
}

impl Replicas {
    /// Reads a record.
    pub(crate) async fn read<T: DeserializeOwned>(&self, key: &str) -> Result<Option<(T, Version)>, Failure> {
        let Some(found) = self.objects.get(key, LENGTH).await? else { return Ok(None) };
        let record = serde_json::from_slice(&found.bytes).map_err(|error| {
            let message = format!("the record `{key}` of the shared store cannot be read: {error}");
            let hint = "run servers of the same version, or delete it";
            Failure::new(http::StatusCode::INTERNAL_SERVER_ERROR, "Io", message, hint)
        })?;
        Ok(Some((record, found.version)))
    }

    /// Reads records, several at the same time, and keeps of each what `keep` makes of it before further ones are read. In no order.
    pub(crate) async fn read_all<T: DeserializeOwned, U>(
        &self,
        keys: impl IntoIterator<Item = String>,
        keep: impl Fn(T) -> U,
    ) -> Result<Vec<U>, Failure> {
        let read = async |key: String| self.read::<T>(&key).await.map(|found| found.map(|(record, _)| keep(record)));
        let found: Vec<_> = stream::iter(keys).map(read).buffer_unordered(READ_AT_ONCE).collect().await;
        found.into_iter().filter_map(Result::transpose).collect()
    }

    /// Writes a record that this replica holds, as [`swap`](Self::swap). If the stored record is a different one that names this
    /// replica, the response to that write was lost: no other replica writes records with its name, so the record is overwritten.
    pub(crate) async fn swap_own<T: Record>(
        &self,
        key: &str,
        record: &T,
        expected: Option<&Version>,
    ) -> Result<Option<Version>, Failure> {
        let written = self.swap(key, record, expected).await?;
        if written.is_some() {
            return Ok(written);
        }
        match self.read::<T>(key).await? {
            Some((found, version)) if found.holder() == Some(&self.id) => self.swap(key, record, Some(&version)).await,
            _ => Ok(None),
        }
    }

    /// Writes a record, unless it was changed since it was read. Returns its version, or `None`.
    pub(crate) async fn swap(
        &self,
        key: &str,
        record: &impl Serialize,
        expected: Option<&Version>,
    ) -> Result<Option<Version>, Failure> {
        let bytes = serde_json::to_vec(record).map_err(|error| Failure::invalid(error.to_string(), "report it"))?;
        if bytes.len() as u64 > LENGTH {
            let message = format!("the record `{key}` has {} bytes, and can have {LENGTH}", bytes.len());
            let failure = Failure::new(http::StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, "use fewer files");
            return Err(failure);
        }
        Ok(self.objects.swap(key, bytes.into(), expected).await?)
    }
}
