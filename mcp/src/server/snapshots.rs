//! Snapshots of sandboxes, by handle, and sandboxes that continue from them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette::{Language, Snapshot};
use rmcp::{RoleServer, model::CallToolResult, service::RequestContext};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Shared,
    handler::{done, owner},
    handles::{Handle, chance},
    outcome::Failure,
    sessions::One,
};

/// Maximum number of sandboxes that one call can make.
const FORKS: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fork {
    sandbox_id: String,
    #[serde(default)]
    count: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {
    snapshot_id: String,
    #[serde(default)]
    sandbox_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Delete {
    snapshot_id: String,
}

/// All snapshots of a server: limited in number, in bytes together and in idle time.
pub(crate) struct Snapshots {
    limit: usize,
    bytes: u64,
    idle: Duration,
    kept: Mutex<BTreeMap<String, Kept>>,
}

struct Kept {
    snapshot: Snapshot,
    language: Language,
    last_used: Instant,
}

impl Snapshots {
    pub(crate) fn new(limit: usize, bytes: u64, idle: Duration) -> Self {
        Self { limit, bytes, idle, kept: Mutex::default() }
    }

    /// Fails if there are as many as there may be, before another one is taken.
    fn check_room(&self) -> Result<(), Failure> {
        let kept = self.kept();
        if kept.len() < self.limit { Ok(()) } else { Err(self.full(&kept, 0)) }
    }

    fn full(&self, kept: &BTreeMap<String, Kept>, more: u64) -> Failure {
        let bytes = kept.values().map(|kept| kept.snapshot.size()).fold(more, u64::saturating_add);
        Failure::new(
            "TooManySnapshots",
            format!(
                "there are {} snapshots of at most {}, with {bytes} bytes of at most {} with this one",
                kept.len(),
                self.limit,
                self.bytes
            ),
            "delete one that is no longer needed with `delete_snapshot`",
        )
    }

    /// Keeps a snapshot and returns its handle.
    fn keep(&self, language: Language, snapshot: Snapshot) -> Result<String, Failure> {
        let mut kept = self.kept();
        let bytes = kept.values().map(|kept| kept.snapshot.size()).fold(snapshot.size(), u64::saturating_add);
        if kept.len() >= self.limit || bytes > self.bytes {
            return Err(self.full(&kept, snapshot.size()));
        }
        let id = format!("sn-{}", chance());
        kept.insert(id.clone(), Kept { snapshot, language, last_used: Instant::now() });
        Ok(id)
    }

    fn find(&self, id: &str) -> Result<(Language, Snapshot), Failure> {
        let mut kept = self.kept();
        let found = kept.get_mut(id).ok_or_else(unknown)?;
        found.last_used = Instant::now();
        Ok((found.language, found.snapshot.clone()))
    }

    fn delete(&self, id: &str) -> Result<(), Failure> {
        self.kept().remove(id).map(drop).ok_or_else(unknown)
    }

    /// Removes snapshots that were unused for too long.
    pub(crate) fn sweep(&self) {
        drop(self.kept());
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.last_used.elapsed() < self.idle);
        kept
    }
}

fn unknown() -> Failure {
    Failure::new(
        "UnknownSnapshot",
        "there is no snapshot with this handle",
        "take one with `snapshot_sandbox`; snapshots end when they are deleted, or were not used for long",
    )
}

impl Shared {
    pub(super) async fn snapshot_sandbox(&self, arguments: One) -> Result<CallToolResult, Failure> {
        let handle = self.handles.find(&arguments.sandbox_id)?;
        self.snapshots.check_room()?;
        let snapshot = self.with_session(&handle, isolette::Session::snapshot).await?;
        let bytes = snapshot.size();
        let id = self.snapshots.keep(handle.language, snapshot)?;
        let text = format!("took snapshot {id} of sandbox {}", handle.id);
        Ok(done(json!({ "snapshot_id": id, "language": handle.language.name(), "bytes": bytes }), text))
    }

    pub(super) async fn fork_sandbox(
        &self,
        arguments: Fork,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let count = arguments.count.unwrap_or(1);
        if !(1..=FORKS).contains(&count) {
            return Err(Failure::new(
                "InvalidArguments",
                format!("`count` is {count}, and can be from 1 to {FORKS}"),
                "fork in several calls",
            ));
        }
        let handle = self.handles.find(&arguments.sandbox_id)?;
        self.handles.check_room(count)?;
        let forks = self.with_session(&handle, move |session| session.fork(count)).await?;
        let mut handles: Vec<Arc<Handle>> = Vec::new();
        for fork in forks {
            match self.handles.create(handle.language, owner(context), || Ok(fork)) {
                Ok(fork) => handles.push(fork),
                Err(failure) => {
                    // All or none: a caller does not get the handles of some.
                    handles.iter().for_each(|fork| drop(self.handles.destroy(&fork.id)));
                    return Err(failure);
                }
            }
        }
        let sandboxes: Vec<Value> = handles.iter().map(|fork| self.describe(fork)).collect();
        let ids: Vec<_> = handles.iter().map(|fork| &*fork.id).collect();
        let text = format!("sandboxes that continue from {}:\n{}", handle.id, ids.join("\n"));
        Ok(done(json!({ "sandboxes": sandboxes }), text))
    }

    pub(super) async fn restore_sandbox(
        &self,
        arguments: Restore,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let (language, snapshot) = self.snapshots.find(&arguments.snapshot_id)?;
        let handle = match &arguments.sandbox_id {
            Some(id) => {
                let handle = self.handles.find(id)?;
                self.with_session(&handle, move |session| session.restore(&snapshot)).await?;
                handle
            }
            None => {
                let entry = self.sandboxes().choose(Some(language.name()))?;
                self.handles.create(language, owner(context), || entry.sandbox.session_from(&snapshot))?
            }
        };
        let text = format!("sandbox {} continues from snapshot {}", handle.id, arguments.snapshot_id);
        Ok(done(self.describe(&handle), text))
    }

    pub(super) fn delete_snapshot(&self, arguments: Delete) -> Result<CallToolResult, Failure> {
        self.snapshots.delete(&arguments.snapshot_id)?;
        Ok(done(json!({ "deleted": true }), format!("deleted snapshot {}", arguments.snapshot_id)))
    }
}
