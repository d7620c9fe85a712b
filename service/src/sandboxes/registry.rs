//! All sandboxes of a service.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use isolette::Error;

use super::{LiveSandbox, files::Folder};
use crate::{
    blocking::blocking,
    failure::Failure,
    resources::Resources,
    store::{Store, rows, rows::ContextRow, rows::SandboxRow},
};

/// Interval between attempts to start a guest for which there is no place, if no sandbox can be saved.
const TRIED_EVERY: Duration = Duration::from_millis(20);

/// The sandboxes by their identifiers.
pub(crate) struct Sandboxes {
    /// The folder with a folder for the files of each sandbox.
    folder: PathBuf,
    sandboxes: Mutex<HashMap<String, Arc<LiveSandbox>>>,
    /// The names of sandboxes that are being made, with their owners.
    names: Mutex<HashSet<(Arc<str>, String)>>,
}

/// The outcome of saving a sandbox.
pub(crate) struct Saved {
    /// Whether a guest was ended.
    has_ended: bool,
    /// Why some of it was not saved, or not written to the shared store.
    pub(crate) failure: Option<Failure>,
}

/// Names that no other sandbox of their owners can get.
pub(crate) struct ReservedNames<'a> {
    sandboxes: &'a Sandboxes,
    names: Vec<(Arc<str>, String)>,
}

impl Drop for ReservedNames<'_> {
    fn drop(&mut self) {
        let mut reserved = self.sandboxes.names.lock().unwrap_or_else(PoisonError::into_inner);
        for name in &self.names {
            reserved.remove(name);
        }
    }
}

impl Sandboxes {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, sandboxes: Mutex::default(), names: Mutex::default() }
    }

    /// Takes over the sandboxes of the database, and removes the files of others.
    pub(crate) async fn load(&self, store: &Store) -> Result<(), Error> {
        let found = store
            .read(|connection| {
                let rows = rows::all_sandboxes(connection)?;
                rows.into_iter().map(|row| Ok((rows::contexts_of(connection, &row.id)?, row))).collect()
            })
            .await?;
        let found: Vec<(Vec<ContextRow>, SandboxRow)> = found;
        let mut known = HashSet::new();
        for (contexts, row) in found {
            known.insert(row.folder.clone());
            match LiveSandbox::new(row, contexts, &self.folder) {
                Ok(sandbox) => drop(self.lock().insert(sandbox.id.clone(), Arc::new(sandbox))),
                Err(failure) => tracing::error!("{}", failure.detail().message),
            }
        }
        let folder = self.folder.clone();
        blocking(move || Folder::remove_unknown(&folder, &known)).await
    }

    /// The folder with the folders of all sandboxes.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Fails if a caller cannot have this many more sandboxes.
    pub(crate) fn check_room(&self, owner: &str, more: usize, resources: &Resources) -> Result<(), Failure> {
        let (limits, is_shared) = (&resources.limits, resources.replicas.is_some());
        let sandboxes = self.lock();
        // Copies of sandboxes that other replicas have are not counted.
        let is_copy = |sandbox: &&Arc<LiveSandbox>| is_shared && !sandbox.holding.is_held();
        let all = sandboxes.values().filter(|sandbox| !is_copy(sandbox)).count();
        let is_own = |sandbox: &&Arc<LiveSandbox>| &*sandbox.owner == owner && !is_copy(sandbox);
        let own = sandboxes.values().filter(is_own).count();
        if own.saturating_add(more) > limits.sandboxes_of_caller || all.saturating_add(more) > limits.sandboxes {
            return Err(Failure::busy(
                format!("there are {own} sandboxes of this caller and {all} in all: there is no room for {more} more"),
                "delete those that are no longer needed",
            ));
        }
        Ok(())
    }

    pub(crate) fn add(&self, sandbox: Arc<LiveSandbox>) {
        self.lock().insert(sandbox.id.clone(), sandbox);
    }

    /// Finds a sandbox of a caller by its identifier or its name, and begins its idle time anew.
    pub(crate) fn find(&self, owner: &str, id: &str) -> Result<Arc<LiveSandbox>, Failure> {
        let sandbox = self.look_at(owner, id)?;
        sandbox.touch();
        Ok(sandbox)
    }

    /// Finds a sandbox of a caller by its identifier or its name, without using it.
    pub(crate) fn look_at(&self, owner: &str, id: &str) -> Result<Arc<LiveSandbox>, Failure> {
        let sandboxes = self.lock();
        let by_name =
            || sandboxes.values().find(|sandbox| &*sandbox.owner == owner && sandbox.name.as_deref() == Some(id));
        let found = sandboxes.get(id).filter(|sandbox| &*sandbox.owner == owner).or_else(by_name);
        let found = found.filter(|sandbox| !sandbox.has_expired()).cloned();
        drop(sandboxes);
        found.ok_or_else(|| Failure::not_found("sandbox", id))
    }

    /// Finds a sandbox by its identifier, if `is_its` accepts its access token, and begins its idle time anew.
    pub(crate) fn find_with(&self, id: &str, is_its: impl Fn(&str) -> bool) -> Result<Arc<LiveSandbox>, Failure> {
        let found = self.lock().get(id).cloned();
        let found = found.filter(|sandbox| !sandbox.has_expired() && is_its(&sandbox.access));
        let sandbox = found.ok_or_else(|| Failure::not_found("sandbox", id))?;
        sandbox.touch();
        Ok(sandbox)
    }

    /// The identifier of the sandbox whose access token `is_its` accepts.
    pub(crate) fn id_with(&self, is_its: impl Fn(&str) -> bool) -> Option<String> {
        // Without the lock: it takes its time for many.
        let all: Vec<_> = self.lock().values().cloned().collect();
        let mut found = all.iter().filter(|sandbox| is_its(&sandbox.access) && !sandbox.has_expired());
        found.next().map(|sandbox| sandbox.id.clone())
    }

    /// Whether this sandbox still exists, and was not replaced by another one.
    pub(crate) fn has(&self, sandbox: &Arc<LiveSandbox>) -> bool {
        self.lock().get(&sandbox.id).is_some_and(|found| Arc::ptr_eq(found, sandbox))
    }

    /// The copy of a caller's sandbox in this process, by its identifier or its name; without a caller, by its identifier only.
    pub(crate) fn known(&self, owner: Option<&str>, text: &str) -> Option<Arc<LiveSandbox>> {
        let sandboxes = self.lock();
        let is_its = |sandbox: &&Arc<LiveSandbox>| owner.is_none_or(|owner| &*sandbox.owner == owner);
        let is_named = |sandbox: &&Arc<LiveSandbox>| owner.is_some() && sandbox.name.as_deref() == Some(text);
        let by_name = || sandboxes.values().filter(is_its).find(is_named);
        sandboxes.get(text).filter(is_its).or_else(by_name).cloned()
    }

    /// Reserves the names of sandboxes that are being made, until the result is dropped.
    pub(crate) fn reserve_names(&self, made: &[Arc<LiveSandbox>]) -> Result<ReservedNames<'_>, Failure> {
        let names: Vec<_> =
            made.iter().filter_map(|sandbox| Some((Arc::clone(&sandbox.owner), sandbox.name.clone()?))).collect();
        let sandboxes = self.lock();
        let mut reserved = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let is_taken = |(owner, name): &&(Arc<str>, String)| {
            let is_one = |sandbox: &Arc<LiveSandbox>| sandbox.owner == *owner && sandbox.name.as_ref() == Some(name);
            sandboxes.values().any(is_one) || reserved.contains(&(Arc::clone(owner), name.clone()))
        };
        if let Some((_, name)) = names.iter().find(is_taken) {
            return Err(Failure::conflict(
                format!("there is a sandbox with the name `{name}`"),
                "choose another name, or use that sandbox by its name",
            ));
        }
        reserved.extend(names.iter().cloned());
        Ok(ReservedNames { sandboxes: self, names })
    }

    /// The sandboxes of a caller, the oldest first.
    pub(crate) fn list(&self, owner: &str) -> Vec<Arc<LiveSandbox>> {
        let mut own: Vec<_> = self.lock().values().filter(|sandbox| &*sandbox.owner == owner).cloned().collect();
        own.retain(|sandbox| !sandbox.has_expired());
        own.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
        own
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    /// The copy of a sandbox in this process, even if another replica has the sandbox by now.
    pub(super) fn copy(&self, id: &str) -> Option<Arc<LiveSandbox>> {
        self.lock().get(id).cloned()
    }

    /// The identifiers of the sandboxes with this name.
    pub(super) fn named(&self, owner: &str, name: Option<&str>) -> Vec<String> {
        let Some(name) = name else { return Vec::new() };
        let sandboxes = self.lock();
        let is_one = |sandbox: &&Arc<LiveSandbox>| &*sandbox.owner == owner && sandbox.name.as_deref() == Some(name);
        sandboxes.values().filter(is_one).map(|sandbox| sandbox.id.clone()).collect()
    }

    /// Deletes a sandbox: its runs are cancelled, its guests ended, its files removed.
    pub(crate) async fn delete(&self, resources: &Arc<Resources>, sandbox: &Arc<LiveSandbox>) -> Result<(), Failure> {
        sandbox.retire(resources).await?;
        Ok(self.remove(resources, sandbox).await?)
    }

    /// Removes a sandbox that was not made completely.
    pub(crate) async fn undo(&self, resources: &Arc<Resources>, sandbox: &Arc<LiveSandbox>) {
        // A sandbox that was not written yet has no record to mark as deleted.
        if sandbox.holding.is_held()
            && let Err(failure) = sandbox.retire(resources).await
        {
            tracing::warn!("a sandbox that was not made is in the shared store: {}", failure.detail().message);
        }
        if let Err(error) = self.remove(resources, sandbox).await {
            tracing::warn!(%error, "a sandbox that was not made was not removed");
        }
    }

    /// Ends what runs in a sandbox, and removes everything that this process has of it.
    pub(super) async fn remove(&self, resources: &Arc<Resources>, sandbox: &Arc<LiveSandbox>) -> Result<(), Error> {
        let id = sandbox.id.clone();
        let unused = resources.store.change(move |connection| rows::delete_sandbox(connection, &id)).await?;
        self.lock().remove(&sandbox.id);
        resources.store.remove_blobs(unused).await;
        let contexts = sandbox.all_contexts();
        contexts.iter().for_each(|context| context.begin_deletion());
        for run in resources.runs.in_sandbox(&sandbox.id) {
            run.cancel.cancel();
        }
        for context in contexts {
            context.delete().await;
        }
        let files = sandbox.files();
        blocking(move || files.remove()).await
    }

    /// Deletes sandboxes that have expired, and saves those that are idle.
    pub(crate) async fn sweep(&self, resources: &Arc<Resources>) {
        let all: Vec<_> = self.lock().values().cloned().collect();
        for sandbox in all {
            if sandbox.has_expired() {
                let is_copy = resources.replicas.is_some() && !sandbox.holding.is_held();
                let deleted = match is_copy {
                    true => self.drop_copy(resources, &sandbox.id).await.map_err(Failure::from),
                    false => self.delete(resources, &sandbox).await,
                };
                if let Err(failure) = deleted {
                    tracing::warn!("a sandbox that has expired was not deleted: {}", failure.detail().message);
                }
            } else if sandbox.is_idle() {
                let Saved { failure, .. } = self.save(resources, &sandbox).await;
                if failure.is_some() && sandbox.is_running() {
                    // Its guests go on with what was not saved. It is tried again when it was idle once more.
                    sandbox.touch();
                }
                if sandbox.holding.is_held()
                    && !sandbox.is_running()
                    && let Err(failure) = sandbox.let_go(resources).await
                {
                    tracing::warn!("a sandbox that is not used was not written: {}", failure.detail().message);
                }
            }
        }
    }

    /// Saves a sandbox, and ends its guests where no program runs. A guest whose state cannot be saved goes on.
    pub(crate) async fn save(&self, resources: &Arc<Resources>, sandbox: &LiveSandbox) -> Saved {
        let mut saved = Saved { has_ended: false, failure: None };
        for context in sandbox.all_contexts() {
            let Some(guard) = context.try_lock() else { continue };
            if !guard.is_live() {
                continue;
            }
            match guard.save_and_end(resources, sandbox).await {
                Ok(()) => saved.has_ended = true,
                Err(error) => {
                    let (sandbox, context) = (&sandbox.id, &context.name);
                    tracing::error!(%error, sandbox, context, "a context was not saved");
                    saved.failure = Some(error.into());
                }
            }
        }
        if saved.has_ended
            && let Err(failure) = sandbox.publish(resources).await
        {
            let (sandbox, message) = (&sandbox.id, failure.detail().message);
            tracing::error!(sandbox, "a sandbox was not written to the shared store: {message}");
            saved.failure = Some(failure);
        }
        saved
    }

    /// Starts a guest. If there is no place for it, sandboxes that are not used are saved, and guests that are in use are waited for.
    ///
    /// # Errors
    /// Those of `start`; [`Error::Busy`] if no place became free in time.
    pub(crate) async fn with_room<'a, T>(
        &self,
        resources: &Arc<Resources>,
        start: impl Fn() -> BoxFuture<'a, Result<T, Error>> + Send,
    ) -> Result<T, Error> {
        let until = Instant::now() + resources.limits.waiting_time;
        loop {
            match start().await {
                Err(Error::Busy { .. }) if Instant::now() < until => {
                    // Another program may get the place that this makes.
                    if !self.save_least_used(resources).await {
                        tokio::time::sleep(TRIED_EVERY).await;
                    }
                }
                started => return started,
            }
        }
    }

    /// Saves the least recently used sandbox that has a guest and runs no program, to make room for another guest. One that cannot be
    /// saved keeps its guests, and is not tried again at once.
    async fn save_least_used(&self, resources: &Arc<Resources>) -> bool {
        let mut running: Vec<_> = self.lock().values().filter(|sandbox| sandbox.is_running()).cloned().collect();
        running.sort_by_key(|sandbox| sandbox.last_used());
        for sandbox in running {
            let was_tried =
                |context: &Arc<super::Context>| context.try_lock().is_some_and(|guard| guard.was_just_not_saved());
            if sandbox.all_contexts().iter().any(was_tried) {
                continue;
            }
            if Box::pin(self.save(resources, &sandbox)).await.has_ended {
                return true;
            }
        }
        false
    }

    /// Saves all sandboxes. No program runs any more.
    pub(crate) async fn save_all(&self, resources: &Arc<Resources>) {
        let all: Vec<_> = self.lock().values().filter(|sandbox| sandbox.is_running()).cloned().collect();
        for sandbox in all {
            self.save(resources, &sandbox).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveSandbox>>> {
        self.sandboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
