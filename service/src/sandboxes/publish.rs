//! Writes sandboxes to the shared store, before what was done in them is acknowledged.

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use isolette::Error;
use tokio::sync::mpsc;

use super::{
    LiveSandbox,
    files::Folder,
    holding::{Fingerprint, Published},
};
use crate::{
    blocking::blocking,
    failure::Failure,
    replicas::{Replicas, SandboxRecord, keys},
    resources::Resources,
    store::{
        Digest, FILE_BYTES, SavedContext, TreeEntry, Visited, read_file,
        rows::{self, ContextRow, SandboxRow},
        visit,
    },
};

/// Maximum number of attempts to read a sandbox whose programs save contexts meanwhile.
const ATTEMPTS: usize = 10;

/// Maximum number of files that were read and wait for their transfer.
const READ_AHEAD: usize = 2;

impl LiveSandbox {
    /// Writes what the others need to continue the sandbox, unless they have it.
    ///
    /// # Errors
    /// With status 503 if the store cannot be reached, or another replica has the sandbox by now.
    pub(crate) async fn publish(&self, resources: &Arc<Resources>) -> Result<(), Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(()) };
        let mut published = self.holding.lock().await;
        self.write(resources, replicas, &mut published, Some(replicas.id.clone())).await
    }

    /// Releases the sandbox, so that any replica can take it over. This one keeps a copy.
    pub(crate) async fn let_go(&self, resources: &Arc<Resources>) -> Result<(), Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(()) };
        let mut published = self.holding.lock().await;
        self.write(resources, replicas, &mut published, None).await?;
        self.holding.release();
        Ok(())
    }

    /// Writes a sandbox that was made here, with its name, which no other sandbox of the caller has afterwards.
    pub(crate) async fn publish_new(&self, resources: &Arc<Resources>) -> Result<(), Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(()) };
        let key = format!("{}/{}", keys::sandboxes_of(&self.owner), self.id);
        replicas.objects.put(&key, Bytes::from_static(b"{}")).await?;
        self.holding.hold(replicas.epoch());
        self.publish(resources).await?;
        // The record was written before: the name of a sandbox without a record is free.
        match &self.name {
            Some(name) => replicas.take_name(&self.owner, name, &self.id).await,
            None => Ok(()),
        }
    }

    /// Marks a sandbox as deleted for all replicas.
    ///
    /// # Errors
    /// As [`publish`](Self::publish).
    pub(crate) async fn retire(&self, resources: &Arc<Resources>) -> Result<(), Failure> {
        let Some(replicas) = &resources.replicas else { return Ok(()) };
        let published = self.holding.lock().await;
        if !self.holding.is_held() {
            return Err(Failure::moved());
        }
        let key = keys::sandbox(&self.id);
        if let Some((mut record, version)) = replicas.read::<SandboxRecord>(&key).await? {
            if published.version.as_ref() != Some(&version) && record.holder.as_ref() != Some(&replicas.id) {
                self.holding.release();
                return Err(Failure::moved());
            }
            (record.is_deleted, record.holder, record.nonce) = (true, None, crate::id::random_text());
            (record.contexts, record.files) = (Vec::new(), Vec::new());
            replicas.swap(&key, &record, Some(&version)).await?.ok_or_else(Failure::moved)?;
        }
        self.holding.release();
        drop(published);
        replicas.forget_sandbox(&self.owner, &self.id, self.name.as_deref()).await
    }

    async fn write(
        &self,
        resources: &Arc<Resources>,
        replicas: &Replicas,
        published: &mut Published,
        holder: Option<String>,
    ) -> Result<(), Failure> {
        if !self.holding.is_held() {
            return Err(Failure::moved());
        }
        let found = self.upload_contexts(resources, replicas).await?;
        let (row, contexts) = found.ok_or_else(Failure::moved)?;
        let files = upload_files(replicas, self.files(), published).await?;
        let row = SandboxRow { folder: String::new(), ..row };
        let nonce = String::new();
        let mut record = SandboxRecord { holder, nonce, is_deleted: false, row, contexts, files };
        let digest = Digest::of(&serde_json::to_vec(&record).unwrap_or_default());
        // Only if this is certainly still the record. Otherwise it is written, which fails if another server has changed it.
        let is_certain = self.holding.is_held_in(replicas.epoch()) && replicas.is_current();
        if published.record.as_ref() == Some(&digest) && is_certain {
            return Ok(());
        }
        let key = keys::sandbox(&self.id);
        record.nonce = crate::id::random_text();
        // If the answer of the store is lost, it is not known what the record is.
        published.record = None;
        let written = replicas.swap_own(&key, &record, published.version.as_ref()).await?;
        let Some(version) = written else {
            self.holding.release();
            published.version = None;
            return Err(Failure::moved());
        };
        (published.version, published.record) = (Some(version), Some(digest));
        Ok(())
    }

    /// Writes the saved contexts. Returns the rows as they were then, or `None` if the sandbox was deleted.
    async fn upload_contexts(
        &self,
        resources: &Arc<Resources>,
        replicas: &Replicas,
    ) -> Result<Option<(SandboxRow, Vec<SavedContext>)>, Failure> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let id = self.id.clone();
            let read = move |connection: &rusqlite::Connection| {
                let row = rows::find_sandbox(connection, &id)?;
                row.map(|row| Ok((row, rows::contexts_of(connection, &id)?))).transpose()
            };
            let Some((row, contexts)) = resources.store.read(read).await? else { return Ok(None) };
            let mut failed = None;
            for digest in contexts.iter().filter_map(|context: &ContextRow| context.blob.as_ref()) {
                failed = replicas.upload_from(&resources.store.blobs, digest).await.err();
                if failed.is_some() {
                    break;
                }
            }
            last = failed;
            if last.is_none() {
                return Ok(Some((row, contexts.into_iter().map(saved).collect())));
            }
        }
        Err(last.unwrap_or_else(Failure::moved))
    }
}

fn saved(row: ContextRow) -> SavedContext {
    SavedContext { name: row.name, language: row.language, cwd: row.cwd, blob: row.blob }
}

/// Writes the files that have changed, one after the other.
async fn upload_files(
    replicas: &Replicas,
    folder: Folder,
    published: &mut Published,
) -> Result<Vec<TreeEntry>, Failure> {
    let known = published.files.iter().filter(|(_, (_, digest))| replicas.has(digest));
    let known: HashMap<_, _> = known.map(|(path, known)| (path.clone(), known.clone())).collect();
    let (sender, mut read) = mpsc::channel::<(Digest, Vec<u8>)>(READ_AHEAD);
    let reading = tokio::spawn(blocking(move || read_files(&folder, &known, &sender)));
    let mut uploaded = Ok(());
    while let Some((digest, bytes)) = read.recv().await {
        uploaded = replicas.upload(&digest, bytes.into()).await;
        if uploaded.is_err() {
            break;
        }
    }
    // Ends the reader, if it is not at its end.
    drop(read);
    let found =
        reading.await.unwrap_or_else(|error| Err(Error::io("files were not read", std::io::Error::other(error))));
    uploaded?;
    let (entries, files) = found?;
    published.files = files;
    Ok(entries)
}

type Files = HashMap<String, (Fingerprint, Digest)>;

/// Reads the files of a folder that are not known, and passes them on.
fn read_files(
    folder: &Folder,
    known: &Files,
    sender: &mpsc::Sender<(Digest, Vec<u8>)>,
) -> Result<(Vec<TreeEntry>, Files), Error> {
    let (mut entries, mut files, mut remaining) = (Vec::new(), Files::new(), FILE_BYTES);
    visit(&folder.open()?, &mut |path, visited| {
        let Visited::File(file) = visited else {
            entries.push(TreeEntry { path, blob: None });
            return Ok(());
        };
        // Before the file is read: if it changes meanwhile, the fingerprint is an older one.
        let metadata = file.metadata().map_err(|error| Error::io("a file of the sandbox cannot be read", error))?;
        let fingerprint = Fingerprint::of(&metadata);
        let digest = match known.get(&path).filter(|(before, _)| fingerprint == Some(*before)) {
            Some((_, digest)) => {
                remaining = remaining.saturating_sub(metadata.len());
                digest.clone()
            }
            None => {
                let bytes = read_file(file, remaining)?;
                remaining -= bytes.len() as u64;
                let digest = Digest::of(&bytes);
                let passed = sender.blocking_send((digest.clone(), bytes));
                passed.map_err(|_| Error::io("files were not stored", std::io::ErrorKind::BrokenPipe.into()))?;
                digest
            }
        };
        if let Some(fingerprint) = fingerprint {
            files.insert(path.clone(), (fingerprint, digest.clone()));
        }
        entries.push(TreeEntry { path, blob: Some(digest) });
        Ok(())
    })?;
    Ok((entries, files))
}
