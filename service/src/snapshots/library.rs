//! The snapshots of a caller: those of this server, or those of all servers that share a store.

use super::SavedState;
use crate::{
    failure::Failure,
    replicas::{LISTED, Replicas, keys},
    sandboxes::fetch,
    shared::Shared,
    store::rows::{self, SnapshotRow},
};

impl Shared {
    /// Finds a snapshot of a caller. Everything in it is stored here afterwards.
    pub(crate) async fn find_snapshot(&self, owner: &str, id: &str) -> Result<SnapshotRow, Failure> {
        let (of, wanted) = (owner.to_owned(), id.to_owned());
        let found = self.resources.store.read(move |connection| rows::find_snapshot(connection, &of, &wanted)).await?;
        let absent = || Failure::not_found("snapshot", id);
        let Some(replicas) = self.resources.replicas.as_ref().filter(|_| crate::id::is_name(id)) else {
            return found.ok_or_else(absent);
        };
        match (replicas.read::<SnapshotRow>(&keys::snapshot(owner, id)).await?, found) {
            (None, None) => Err(absent()),
            (Some(_), Some(row)) => Ok(row),
            (Some((row, _)), None) => {
                self.fetch_snapshot(replicas, row.clone()).await?;
                Ok(row)
            }
            (None, Some(row)) => {
                // It was deleted through another server.
                self.forget_snapshot(&row).await?;
                Err(absent())
            }
        }
    }

    /// The snapshots of a caller, the latest first, each as `of` makes it of the row: the list of its files is long.
    pub(crate) async fn list_snapshots<T: Send + 'static>(
        &self,
        owner: &str,
        sandbox: Option<String>,
        of: fn(SnapshotRow) -> T,
    ) -> Result<Vec<T>, Failure> {
        let Some(replicas) = &self.resources.replicas else {
            let owner = owner.to_owned();
            let read =
                move |connection: &rusqlite::Connection| rows::snapshots_of(connection, &owner, sandbox.as_deref(), of);
            return Ok(self.resources.store.read(read).await?);
        };
        let listed = replicas.objects.list(&keys::snapshots_of(owner), LISTED).await?;
        let keys: Vec<_> = listed.into_iter().map(|listed| listed.key).collect();
        let found = move |row: SnapshotRow| (row.created, row.id.clone(), row.sandbox.clone(), of(row));
        let mut found: Vec<(i64, String, String, T)> = replicas.read_all(keys, found).await?;
        found.retain(|(_, _, of, _)| sandbox.as_ref().is_none_or(|sandbox| of == sandbox));
        found.sort_by(|one, other| (other.0, &other.1).cmp(&(one.0, &one.1)));
        Ok(found.into_iter().map(|(_, _, _, found)| found).collect())
    }

    /// The number of snapshots of a caller.
    pub(super) async fn count_snapshots(&self, owner: &str) -> Result<usize, Failure> {
        if let Some(replicas) = &self.resources.replicas {
            return Ok(replicas.objects.list(&keys::snapshots_of(owner), LISTED).await?.len());
        }
        let owner = owner.to_owned();
        let count = self.resources.store.read(move |connection| rows::count_snapshots(connection, &owner)).await?;
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Deletes a snapshot of a caller.
    pub(crate) async fn delete_snapshot(&self, owner: &str, id: &str) -> Result<(), Failure> {
        let row = self.find_snapshot(owner, id).await?;
        if let Some(replicas) = &self.resources.replicas {
            replicas.objects.delete(&keys::snapshot(owner, id)).await?;
        }
        self.forget_snapshot(&row).await
    }

    /// Writes a snapshot where other servers find it.
    pub(super) async fn publish_snapshot(&self, row: &SnapshotRow, state: &SavedState) -> Result<(), Failure> {
        let Some(replicas) = &self.resources.replicas else { return Ok(()) };
        for digest in state.blobs() {
            replicas.upload_from(&self.resources.store.blobs, &digest).await?;
        }
        let conflict = || Failure::conflict("there is such a snapshot", "take another one");
        replicas.swap(&keys::snapshot(&row.owner, &row.id), row, None).await?.map(drop).ok_or_else(conflict)
    }

    async fn fetch_snapshot(&self, replicas: &Replicas, row: SnapshotRow) -> Result<(), Failure> {
        let blobs = SavedState::stored(&row)?.blobs();
        let mut written = Vec::new();
        for digest in &blobs {
            written.push(fetch(&self.resources, replicas, &row.owner, digest).await?);
        }
        let insert = move |connection: &rusqlite::Connection| match rows::has_snapshot(connection, &row.id)? {
            true => Ok(()),
            false => rows::insert_snapshot(connection, &row, &blobs),
        };
        self.resources.store.change(insert).await?;
        drop(written);
        Ok(())
    }

    async fn forget_snapshot(&self, row: &SnapshotRow) -> Result<(), Failure> {
        let (id, blobs) = (row.id.clone(), SavedState::stored(row)?.blobs());
        let delete = move |connection: &rusqlite::Connection| rows::delete_snapshot(connection, &id, &blobs);
        let unused = self.resources.store.change(delete).await?;
        self.resources.store.remove_blobs(unused).await;
        Ok(())
    }
}
