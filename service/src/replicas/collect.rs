//! Removes unreferenced objects from the shared store. One replica does it at a time, and nothing depends on that.

use std::{
    collections::HashSet,
    time::{Duration, SystemTime},
};

use super::{
    Replicas, RunRecord, SandboxRecord,
    blobs::{self, FRESH},
    keys,
};
use crate::{
    failure::Failure,
    run::RunState,
    store::{SavedContext, TreeEntry, responses, rows::SnapshotRow},
};

/// Maximum number of objects of one kind that are listed.
const LISTED: usize = 2_000_000;

/// Time for which unreferenced objects, and records of deleted ones, are kept.
const KEPT: Duration = Duration::from_secs(4 * FRESH.as_secs());

impl Replicas {
    /// Removes the objects that are due, if this is the first of the replicas.
    ///
    /// # Errors
    /// If the store cannot be read, or a record in it cannot be: nothing is removed that it might refer to.
    pub(crate) async fn collect(&self, kept_runs: Duration) -> Result<(), Failure> {
        if self.others().await?.first().is_some_and(|(id, _)| *id < self.id) {
            return Ok(());
        }
        let now = SystemTime::now();
        let before = now.checked_sub(KEPT).unwrap_or(SystemTime::UNIX_EPOCH);
        self.forget_members(before).await?;
        let mut used = HashSet::new();
        self.collect_sandboxes(before, &mut used).await?;
        let runs_before = now.checked_sub(kept_runs).unwrap_or(SystemTime::UNIX_EPOCH);
        self.collect_snapshots(&mut used).await?;
        self.collect_runs(runs_before).await?;
        self.collect_responses(now.checked_sub(responses::KEPT).unwrap_or(SystemTime::UNIX_EPOCH)).await?;
        for first in 0..=u8::MAX {
            for listed in self.objects.list(&format!("blobs/{first:02x}"), LISTED).await? {
                // It may have been written again since it was listed.
                let is_old = |modified: SystemTime| modified < before;
                if is_old(listed.modified)
                    && !used.contains(&listed.key)
                    && self.objects.modified(&listed.key).await?.is_some_and(is_old)
                {
                    self.objects.delete(&listed.key).await?;
                }
            }
        }
        Ok(())
    }

    /// Notes the blobs of sandboxes. Marks those as deleted that have expired, and forgets those that were deleted long ago.
    async fn collect_sandboxes(&self, before: SystemTime, used: &mut HashSet<String>) -> Result<(), Failure> {
        for listed in self.objects.list("sandboxes", LISTED).await? {
            let Some((mut record, version)) = self.read::<SandboxRecord>(&listed.key).await? else { continue };
            if record.is_deleted {
                if listed.modified < before {
                    self.objects.delete(&listed.key).await?;
                }
                continue;
            }
            if !record.is_there() && !self.is_held(record.holder.as_deref()).await? {
                (record.is_deleted, record.holder, record.nonce) = (true, None, crate::id::random_text());
                (record.contexts, record.files) = (Vec::new(), Vec::new());
                if self.swap(&listed.key, &record, Some(&version)).await?.is_some() {
                    self.forget_sandbox(&record.row.owner, &record.row.id, record.row.name.as_deref()).await?;
                    continue;
                }
            }
            note(&record.contexts, &record.files, used)?;
        }
        Ok(())
    }

    /// Notes the blobs of snapshots.
    async fn collect_snapshots(&self, used: &mut HashSet<String>) -> Result<(), Failure> {
        for listed in self.objects.list("callers", LISTED).await? {
            if listed.key.split('/').nth(2) != Some("snapshots") {
                continue;
            }
            let Some((row, _)) = self.read::<SnapshotRow>(&listed.key).await? else { continue };
            let damaged = |error: serde_json::Error| {
                Failure::invalid(format!("`{}` cannot be read: {error}", listed.key), "delete it")
            };
            let contexts: Vec<SavedContext> = serde_json::from_str(&row.contexts).map_err(damaged)?;
            let files: Vec<TreeEntry> = serde_json::from_str(&row.files).map_err(damaged)?;
            note(&contexts, &files, used)?;
        }
        Ok(())
    }

    /// Removes responses that were kept long enough.
    async fn collect_responses(&self, before: SystemTime) -> Result<(), Failure> {
        for listed in self.objects.list("responses", LISTED).await? {
            if listed.modified < before {
                self.objects.delete(&listed.key).await?;
            }
        }
        Ok(())
    }

    /// Removes old records of runs that have ended, and of runs whose server is gone.
    async fn collect_runs(&self, before: SystemTime) -> Result<(), Failure> {
        for listed in self.objects.list("runs", LISTED).await? {
            if listed.modified >= before {
                continue;
            }
            let Some((record, _)) = self.read::<RunRecord>(&listed.key).await? else { continue };
            // A paused run waits for its answer, however long that takes.
            let is_over = record.row.state != RunState::Paused.as_str();
            if is_over && !self.is_held(record.holder.as_deref()).await? {
                self.objects.delete(&listed.key).await?;
                self.objects.delete(&keys::paused(&record.row.id)).await?;
            }
        }
        Ok(())
    }
}

fn note(contexts: &[SavedContext], files: &[TreeEntry], used: &mut HashSet<String>) -> Result<(), Failure> {
    let contexts = contexts.iter().filter_map(|context| context.blob.as_ref());
    for digest in contexts.chain(files.iter().filter_map(|file| file.blob.as_ref())) {
        used.insert(blobs::key(digest)?);
    }
    Ok(())
}
