//! Snapshots of sandboxes: the states of their contexts, and their files. Forks are sandboxes that continue from one.

mod library;
mod state;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde::Serialize;

pub(crate) use self::state::SavedState;

use crate::{
    blocking::blocking,
    clock,
    failure::Failure,
    sandboxes::{Context, Folder, Guard, LiveSandbox, Loaded, context_row},
    shared::Shared,
    spec::SandboxSpec,
    store::{
        SavedContext, StoredTree, TreeEntry, Written,
        rows::{self, ContextRow, SandboxRow, SnapshotRow},
    },
};

/// A sandbox that is to be made.
pub(crate) struct NewSandbox {
    pub(crate) owner: Arc<str>,
    pub(crate) name: Option<String>,
    pub(crate) spec: SandboxSpec,
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) is_checkpointed: bool,
    pub(crate) ttl: Duration,
    pub(crate) idle: Duration,
    /// The sandbox or the snapshot that it continues from.
    pub(crate) origin: Option<String>,
}

impl Shared {
    /// Takes a snapshot of a sandbox, after the programs that run in it.
    pub(crate) async fn take_snapshot(
        self: &Arc<Self>,
        sandbox: &Arc<LiveSandbox>,
        note: String,
    ) -> Result<SnapshotRow, Failure> {
        let count = self.count_snapshots(&sandbox.owner).await?;
        if count >= self.resources.limits.snapshots_of_caller {
            return Err(Failure::busy(
                format!("there are {count} snapshots, as many as one caller can have"),
                "delete those that are no longer needed",
            ));
        }
        let pinned = self.pin(sandbox).await?;
        let state = &pinned.state;
        let row = SnapshotRow {
            id: crate::id::random("snap"),
            owner: sandbox.owner.to_string(),
            sandbox: sandbox.id.clone(),
            note,
            created: clock::now(),
            spec: to_json(&sandbox.spec),
            contexts: to_json(&state.contexts),
            files: to_json(&state.files),
            bytes: i64::try_from(state.bytes).unwrap_or(i64::MAX),
        };
        self.publish_snapshot(&row, state).await?;
        let (stored, blobs) = (row.clone(), state.blobs());
        self.resources.store.change(move |connection| rows::insert_snapshot(connection, &stored, &blobs)).await?;
        Ok(row)
    }

    /// Makes `count` sandboxes that continue from the present state of another one.
    pub(crate) async fn fork(
        self: &Arc<Self>,
        sandbox: &Arc<LiveSandbox>,
        count: usize,
    ) -> Result<Vec<Arc<LiveSandbox>>, Failure> {
        self.sandboxes.check_room(&sandbox.owner, count, &self.resources)?;
        let pinned = self.pin(sandbox).await?;
        let times = sandbox.times();
        let ttl = Duration::from_millis(u64::try_from(times.expires - clock::now()).unwrap_or(0));
        let new = || NewSandbox {
            owner: Arc::clone(&sandbox.owner),
            name: None,
            spec: sandbox.spec.clone(),
            metadata: sandbox.metadata.clone(),
            is_checkpointed: sandbox.is_checkpointed,
            ttl,
            idle: times.idle,
            origin: Some(sandbox.id.clone()),
        };
        let rows = (0..count).map(|_| rows_of(new(), &pinned.state)).collect();
        self.make(rows, &pinned.state).await
    }

    /// Makes a sandbox, in the state of a snapshot if there is one.
    pub(crate) async fn create(
        self: &Arc<Self>,
        new: NewSandbox,
        state: Option<SavedState>,
    ) -> Result<Arc<LiveSandbox>, Failure> {
        self.sandboxes.drop_copies_named(&self.resources, &new.owner, new.name.as_deref()).await?;
        self.sandboxes.check_room(&new.owner, 1, &self.resources)?;
        let state = state.unwrap_or_default();
        let rows = vec![rows_of(new, &state)];
        let made = self.make(rows, &state).await?;
        made.into_iter().next().ok_or_else(|| Failure::conflict("the sandbox was not made", "try again"))
    }

    /// Returns a sandbox to the state of a snapshot, after the programs that run in it.
    pub(crate) async fn restore(
        self: &Arc<Self>,
        sandbox: &Arc<LiveSandbox>,
        state: SavedState,
    ) -> Result<(), Failure> {
        let mut guards = Vec::new();
        for context in sandbox.all_contexts() {
            guards.push(self.locked(&context).await?);
        }
        let rows = contexts_of(&sandbox.id, &state);
        let contexts = rows.iter().cloned().map(Context::stored).collect::<Result<Vec<_>, _>>()?;
        let folder = crate::id::random("files");
        self.write_files(&folder, state.files.clone()).await?;
        let (id, name) = (sandbox.id.clone(), folder.clone());
        let unused = self
            .resources
            .store
            .change(move |connection| {
                if !state.is_kept(connection)? {
                    return Ok(Err(state.gone()));
                }
                let mut unused = Vec::new();
                for before in rows::contexts_of(connection, &id)? {
                    if !rows.iter().any(|row| row.name == before.name) {
                        unused.extend(rows::delete_context(connection, &id, &before.name)?);
                    }
                }
                for row in &rows {
                    unused.extend(rows::put_context(connection, row)?);
                }
                rows::set_folder(connection, &id, &name)?;
                Ok(Ok(unused))
            })
            .await??;
        guards.into_iter().for_each(Guard::delete);
        sandbox.replace_contexts(contexts);
        let before = sandbox.move_to(self.sandboxes.folder().join(&folder));
        self.resources.store.remove_blobs(unused).await;
        Ok(blocking(move || before.remove()).await?)
    }

    async fn locked(&self, context: &Arc<Context>) -> Result<Guard, Failure> {
        let late = || Failure::busy("a program uses the sandbox", "wait for it, or cancel it");
        tokio::time::timeout(self.resources.limits.waiting_time, context.lock()).await.unwrap_or_else(|_| Err(late()))
    }

    /// Saves all contexts and files of a sandbox, after the programs that run in it.
    async fn pin(self: &Arc<Self>, sandbox: &Arc<LiveSandbox>) -> Result<Pinned, Failure> {
        let mut pinned = Pinned::default();
        for context in sandbox.all_contexts() {
            let guard = self.locked(&context).await?;
            let blob = match guard.is_live() {
                true => {
                    let mut loaded = guard.load(&self.sandboxes, &self.resources, sandbox).await?;
                    let blob = loaded.digest(&self.resources, sandbox).await?;
                    pinned.loaded.push(loaded);
                    blob
                }
                false => {
                    let blob = guard.saved().cloned();
                    pinned.guards.push(guard);
                    blob
                }
            };
            pinned.state.contexts.push(SavedContext {
                name: context.name.clone(),
                language: context.language.name().into(),
                cwd: context.cwd.clone(),
                blob,
            });
        }
        let (files, store, owner) = (sandbox.files(), self.resources.store.clone(), Arc::clone(&sandbox.owner));
        let StoredTree { entries, bytes, written } = blocking(move || store.write_tree(&owner, &files.open()?)).await?;
        pinned.state.files = entries;
        pinned.state.bytes = bytes;
        pinned.written = written;
        Ok(pinned)
    }

    /// Makes sandboxes with these files. They exist all or not at all, and callers find them when they are complete.
    async fn make(
        self: &Arc<Self>,
        rows: Vec<(SandboxRow, Vec<ContextRow>)>,
        state: &SavedState,
    ) -> Result<Vec<Arc<LiveSandbox>>, Failure> {
        let mut made = Vec::new();
        for (row, contexts) in &rows {
            made.push(Arc::new(LiveSandbox::new(row.clone(), contexts.clone(), self.sandboxes.folder())?));
        }
        let _names = self.sandboxes.reserve_names(&made)?;
        for (row, _) in &rows {
            // A folder that no sandbox has is removed when the next process begins.
            self.write_files(&row.folder, state.files.clone()).await?;
        }
        let state = state.clone();
        let insert = move |connection: &rusqlite::Connection| {
            if !state.is_kept(connection)? {
                return Ok(Err(state.gone()));
            }
            rows.iter().try_for_each(|(row, contexts)| insert(connection, row, contexts)).map(Ok)
        };
        self.resources.store.change(insert).await??;
        for sandbox in &made {
            if let Err(failure) = sandbox.publish_new(&self.resources).await {
                for sandbox in &made {
                    self.sandboxes.undo(&self.resources, sandbox).await;
                }
                return Err(failure);
            }
        }
        made.iter().for_each(|sandbox| self.sandboxes.add(Arc::clone(sandbox)));
        Ok(made)
    }

    async fn write_files(&self, folder: &str, entries: Vec<TreeEntry>) -> Result<(), Failure> {
        let folder = Folder::of(self.sandboxes.folder().join(folder));
        let blobs = Arc::clone(&self.resources.store.blobs);
        let write = move || {
            let written = folder.create().and_then(|()| blobs.read_tree(&entries, &folder.open()?));
            written.inspect_err(|_| drop(folder.remove()))
        };
        Ok(blocking(write).await?)
    }
}

/// The state of a sandbox in which no program runs, until this is dropped. Everything in it is stored.
#[derive(Default)]
struct Pinned {
    state: SavedState,
    guards: Vec<Guard>,
    loaded: Vec<Loaded>,
    /// Keeps blobs until the database refers to them.
    written: Vec<Written>,
}

fn rows_of(new: NewSandbox, state: &SavedState) -> (SandboxRow, Vec<ContextRow>) {
    let id = crate::id::random("sb");
    let contexts = contexts_of(&id, state);
    let row = SandboxRow {
        id,
        owner: new.owner.to_string(),
        name: new.name,
        access: crate::id::random("at"),
        folder: crate::id::random("files"),
        spec: to_json(&new.spec),
        metadata: to_json(&new.metadata),
        origin: new.origin,
        is_checkpointed: new.is_checkpointed,
        created: clock::now(),
        expires: clock::after(new.ttl),
        idle: i64::try_from(new.idle.as_millis()).unwrap_or(i64::MAX),
    };
    (row, contexts)
}

fn contexts_of(sandbox: &str, state: &SavedState) -> Vec<ContextRow> {
    state.contexts.iter().map(|context| context_row(sandbox, context.clone())).collect()
}

fn insert(connection: &rusqlite::Connection, row: &SandboxRow, contexts: &[ContextRow]) -> rusqlite::Result<()> {
    rows::insert_sandbox(connection, row)?;
    contexts.iter().try_for_each(|context| rows::put_context(connection, context).map(drop))
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
