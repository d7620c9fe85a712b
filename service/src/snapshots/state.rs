//! The state of a sandbox at one moment.

use crate::{
    failure::Failure,
    store::{
        Digest, SavedContext, TreeEntry,
        rows::{self, SnapshotRow},
    },
};

/// The state of a sandbox. Everything in it is stored, and what holds it keeps it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavedState {
    pub(crate) contexts: Vec<SavedContext>,
    pub(crate) files: Vec<TreeEntry>,
    pub(crate) bytes: u64,
    /// The snapshot that keeps it.
    snapshot: Option<String>,
}

impl SavedState {
    /// The blobs that it refers to, each as often as it does.
    pub(crate) fn blobs(&self) -> Vec<Digest> {
        let contexts = self.contexts.iter().filter_map(|context| context.blob.clone());
        contexts.chain(self.files.iter().filter_map(|file| file.blob.clone())).collect()
    }

    /// Whether its blobs are still there: not if its snapshot was deleted meanwhile.
    pub(super) fn is_kept(&self, connection: &rusqlite::Connection) -> rusqlite::Result<bool> {
        self.snapshot.as_ref().map_or(Ok(true), |id| rows::has_snapshot(connection, id))
    }

    pub(super) fn gone(&self) -> Failure {
        Failure::not_found("snapshot", self.snapshot.as_deref().unwrap_or_default())
    }

    /// The state that a row of the database has.
    pub(crate) fn stored(row: &SnapshotRow) -> Result<Self, Failure> {
        let damaged = |error: serde_json::Error| {
            Failure::invalid(format!("the snapshot {} cannot be read: {error}", row.id), "delete it")
        };
        Ok(Self {
            contexts: serde_json::from_str(&row.contexts).map_err(damaged)?,
            files: serde_json::from_str(&row.files).map_err(damaged)?,
            bytes: u64::try_from(row.bytes).unwrap_or(0),
            snapshot: Some(row.id.clone()),
        })
    }
}
