//! Finds the replica that has a sandbox, and continues sandboxes that none has.

use std::{collections::HashSet, sync::Arc};

use cap_std::fs::Dir;
use isolette::Error;
use isolette_objects::Version;

use super::{LiveSandbox, Sandboxes, files::Folder, holding::Holding};
use crate::{
    blocking::blocking,
    failure::Failure,
    replicas::{Holder, LISTED, Replicas, SandboxRecord, keys},
    resources::Resources,
    store::{
        Digest, FILE_BYTES, SavedContext, TreeEntry, Written,
        rows::{self, ContextRow, SandboxRow},
    },
};

/// Maximum number of attempts to take over a sandbox whose record another replica writes meanwhile.
const ATTEMPTS: usize = 10;

/// The location of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// This replica has it, or it does not exist.
    Here,
    /// Another replica has it.
    There(Holder),
}

impl Sandboxes {
    /// Returns the location of a sandbox, and takes the sandbox over if no running replica has it. `may` says whether the caller has a
    /// right to it; if not, it does not exist for the caller.
    pub(crate) async fn place(
        &self,
        resources: &Arc<Resources>,
        id: &str,
        may: impl Fn(&SandboxRow) -> bool + Send,
    ) -> Result<Place, Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(Place::Here) };
        let is_certain =
            |sandbox: Arc<LiveSandbox>| sandbox.holding.is_held_in(replicas.epoch()) && replicas.is_current();
        if self.copy(id).is_some_and(is_certain) {
            return Ok(Place::Here);
        }
        let one = replicas.moving(id);
        let _one_at_a_time = one.lock().await;
        for _ in 0..ATTEMPTS {
            let Some((record, version)) = replicas.read::<SandboxRecord>(&keys::sandbox(id)).await? else {
                self.drop_copy(resources, id).await?;
                return Ok(Place::Here);
            };
            if !record.is_there() {
                self.drop_copy(resources, id).await?;
                return Ok(Place::Here);
            }
            if !may(&record.row) {
                return Ok(Place::Here);
            }
            if let Some(holder) = record.holder.as_deref().filter(|holder| *holder != replicas.id)
                && let Some(holder) = replicas.holder(holder).await?
            {
                self.drop_copy(resources, id).await?;
                return Ok(Place::There(holder));
            }
            if self.take(resources, replicas, record, &version).await? {
                return Ok(Place::Here);
            }
        }
        Err(Failure::busy("the sandbox moves from one server to another", "send the request again"))
    }

    /// The sandboxes of a caller that no replica has, except for those that are `known`.
    pub(crate) async fn saved(
        &self,
        resources: &Arc<Resources>,
        owner: &str,
        known: &HashSet<String>,
    ) -> Result<Vec<LiveSandbox>, Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(Vec::new()) };
        let listed = replicas.objects.list(&keys::sandboxes_of(owner), LISTED).await?;
        let ids = listed.iter().filter_map(|listed| listed.key.rsplit('/').next());
        let keys: Vec<_> = ids.filter(|id| !known.contains(*id)).map(keys::sandbox).collect();
        // Its files are left out.
        let keep = |record: SandboxRecord| {
            record.is_there().then(|| {
                let contexts = record.contexts.into_iter().map(|context| context_row(&record.row.id, context));
                LiveSandbox::new(record.row.clone(), contexts.collect(), self.folder())
            })
        };
        replicas.read_all(keys, keep).await?.into_iter().flatten().collect()
    }

    /// Takes a sandbox over, unless another replica was first.
    async fn take(
        &self,
        resources: &Arc<Resources>,
        replicas: &Replicas,
        mut record: SandboxRecord,
        version: &Version,
    ) -> Result<bool, Failure> {
        let id = record.row.id.clone();
        let copy = self.copy(&id);
        let is_same = match &copy {
            Some(copy) => copy.holding.lock().await.version.as_ref() == Some(version),
            None => false,
        };
        if is_same && record.holder.as_ref() == Some(&replicas.id) {
            // It was held all the time, although other servers regarded this one as gone.
            if let Some(copy) = copy {
                let _published = copy.holding.lock().await;
                copy.holding.hold(replicas.epoch());
            }
            return Ok(true);
        }
        (record.holder, record.nonce) = (Some(replicas.id.clone()), crate::id::random_text());
        let Some(taken) = replicas.swap(&keys::sandbox(&id), &record, Some(version)).await? else { return Ok(false) };
        match copy.filter(|_| is_same) {
            Some(copy) => {
                let mut published = copy.holding.lock().await;
                (published.version, published.record) = (Some(taken), None);
                copy.touch();
                copy.holding.hold(replicas.epoch());
            }
            None => {
                self.drop_copy(resources, &id).await?;
                let mut free = SandboxRecord { holder: None, ..record.clone() };
                match self.restore(resources, replicas, record, taken.clone()).await {
                    Ok(sandbox) => self.add(sandbox),
                    Err(failure) => {
                        // A server with more room can have it.
                        free.nonce = crate::id::random_text();
                        let _ = replicas.swap(&keys::sandbox(&id), &free, Some(&taken)).await;
                        return Err(failure);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Makes a sandbox from its record.
    async fn restore(
        &self,
        resources: &Arc<Resources>,
        replicas: &Replicas,
        record: SandboxRecord,
        version: Version,
    ) -> Result<Arc<LiveSandbox>, Failure> {
        let mut written = Vec::new();
        for digest in record.contexts.iter().filter_map(|context| context.blob.as_ref()) {
            written.push(fetch(resources, replicas, &record.row.owner, digest).await?);
        }
        let row = SandboxRow { folder: crate::id::random("files"), ..record.row };
        let folder = Folder::of(self.folder().join(&row.folder));
        if let Err(failure) = download_files(resources, replicas, &folder, record.files).await {
            let _ = blocking(move || folder.remove()).await;
            return Err(failure);
        }
        let contexts: Vec<_> = record.contexts.into_iter().map(|context| context_row(&row.id, context)).collect();
        let mut sandbox = LiveSandbox::new(row.clone(), contexts.clone(), self.folder())?;
        sandbox.holding = Holding::held(version, replicas.epoch());
        // A copy of another sandbox with this name is outdated: that sandbox had the name before.
        for other in self.named(&row.owner, row.name.as_deref()) {
            self.drop_copy(resources, &other).await?;
        }
        let insert = move |connection: &rusqlite::Connection| {
            let unused = rows::delete_sandbox(connection, &row.id)?;
            rows::insert_sandbox(connection, &row)?;
            contexts.iter().try_for_each(|context| rows::put_context(connection, context).map(drop)).map(|()| unused)
        };
        let unused = resources.store.change(insert).await?;
        resources.store.remove_blobs(unused).await;
        drop(written);
        Ok(Arc::new(sandbox))
    }

    /// Forgets a sandbox that another replica has, or that is deleted. What runs in it is cancelled.
    pub(crate) async fn drop_copy(&self, resources: &Arc<Resources>, id: &str) -> Result<(), Error> {
        let Some(sandbox) = self.copy(id) else { return Ok(()) };
        sandbox.holding.release();
        self.remove(resources, &sandbox).await
    }

    /// Removes copies of sandboxes with this name that this replica does not hold: only the other replicas know whether they still exist.
    pub(crate) async fn drop_copies_named(
        &self,
        resources: &Arc<Resources>,
        owner: &str,
        name: Option<&str>,
    ) -> Result<(), Error> {
        if resources.replicas.is_none() {
            return Ok(());
        }
        for id in self.named(owner, name) {
            if self.copy(&id).is_some_and(|copy| !copy.holding.is_held()) {
                self.drop_copy(resources, &id).await?;
            }
        }
        Ok(())
    }
}

/// The row of a saved context of a sandbox.
pub(crate) fn context_row(sandbox: &str, context: SavedContext) -> ContextRow {
    let SavedContext { name, language, cwd, blob } = context;
    ContextRow { sandbox: sandbox.to_owned(), name, language, cwd, blob }
}

/// Gets a blob of a caller from the shared store, unless it is here.
pub(crate) async fn fetch(
    resources: &Arc<Resources>,
    replicas: &Replicas,
    owner: &str,
    digest: &Digest,
) -> Result<Written, Failure> {
    let (blobs, wanted) = (Arc::clone(&resources.store.blobs), digest.clone());
    let found = blocking(move || Ok(blobs.read(&wanted).ok())).await?;
    if let Some(bytes) = found {
        return Ok(resources.store.write(owner, &bytes, &mut None).await?);
    }
    let bytes = replicas.download(digest, resources.limits.stored_bytes).await?;
    Ok(resources.store.write(owner, &bytes, &mut None).await?)
}

/// Writes the files of a sandbox.
async fn download_files(
    resources: &Arc<Resources>,
    replicas: &Replicas,
    folder: &Folder,
    entries: Vec<TreeEntry>,
) -> Result<(), Failure> {
    let made = folder.clone();
    let root: Arc<Dir> = Arc::new(blocking(move || made.create().and_then(|()| made.open())).await?);
    let mut remaining = FILE_BYTES.min(resources.limits.stored_bytes);
    let mut paths = HashSet::new();
    for TreeEntry { path, blob } in entries {
        let bytes = match &blob {
            None => None,
            Some(digest) => {
                let bytes = replicas.download(digest, remaining).await?;
                remaining -= bytes.len() as u64;
                Some(bytes)
            }
        };
        if !paths.insert(path.clone()) {
            return Err(Failure::invalid("a record names a file twice", "delete its sandbox"));
        }
        let root = Arc::clone(&root);
        let write = move || match bytes {
            None => root.create_dir_all(&path),
            Some(bytes) => root.write(&path, &bytes),
        };
        blocking(move || write().map_err(|error| Error::io("the files of the sandbox cannot be written", error)))
            .await?;
    }
    Ok(())
}
