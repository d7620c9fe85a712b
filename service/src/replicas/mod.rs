//! Servers that share a store: each has the sandboxes that it was asked for last, and continues those of others that are gone.
//!
//! A record of the store says which replica has a sandbox. It is only ever changed by a comparison with the version that was read
//! ([`Objects::swap`]), so that a sandbox has one replica at a time, whatever clocks and networks do: if a replica was regarded
//! as gone, its next record is refused, and what it did since then is not acknowledged. Clocks decide only when another replica
//! may try.

mod blobs;
mod collect;
mod members;
mod names;
mod records;
mod responses;
mod settings;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError, atomic::AtomicU64},
    time::{Instant, SystemTime},
};

use isolette_objects::Objects;

pub(crate) use self::members::Holder;
pub(crate) use self::records::{LISTED, Record, RunRecord, SandboxRecord, keys};
pub(crate) use self::responses::{Keyed, KeyedRequest};
pub use self::settings::SharedStore;
use self::{blobs::Uploaded, members::Member};

/// Number of locks above which unused locks are removed.
const MOVING: usize = 1000;

/// This server as one of the servers that share a store.
pub(crate) struct Replicas {
    pub(crate) objects: Objects,
    /// The identifier of this process. It is part of the identifiers of its runs, and never used again.
    pub(crate) id: String,
    settings: SharedStore,
    /// The URL at which the others reach this server, once it listens.
    url: OnceLock<String>,
    /// The time at which the record of this server was last written.
    noted: Mutex<Option<(Instant, SystemTime)>>,
    /// Incremented when others can have regarded this server as gone, and have taken over its sandboxes and runs.
    epoch: AtomicU64,
    /// The cached records of other servers, and when they were read.
    members: Mutex<HashMap<String, (Instant, Option<Member>)>>,
    uploaded: Uploaded,
    /// The locks of sandboxes and runs that are looked for, by their identifiers.
    moving: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl fmt::Debug for Replicas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Replicas").field("id", &self.id).field("objects", &self.objects).finish_non_exhaustive()
    }
}

impl Replicas {
    pub(crate) fn open(settings: SharedStore) -> Result<Self, isolette::Error> {
        let objects = Objects::open(&settings.place).map_err(|error| {
            let text = error.to_string();
            let (message, hint) = text.split_once("\nhint: ").unwrap_or((&text, "see docs/service.md"));
            isolette::Error::invalid(format!("the shared store: {message}"), hint)
        })?;
        Ok(Self {
            objects,
            id: crate::id::of_server(),
            settings,
            url: OnceLock::new(),
            noted: Mutex::default(),
            epoch: AtomicU64::new(0),
            members: Mutex::default(),
            uploaded: Uploaded::default(),
            moving: Mutex::default(),
        })
    }

    /// Sets the URL at which the others reach this server, unless the settings name one.
    pub(crate) fn listens_at(&self, url: &str) {
        let url = self.settings.advertise.as_deref().unwrap_or(url);
        let _ = self.url.set(url.to_owned());
    }

    /// The lock of a sandbox or a run that may move to this replica: one request at a time takes it over.
    pub(crate) fn moving(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut moving = Self::lock(&self.moving);
        if moving.len() > MOVING {
            moving.retain(|_, lock| Arc::strong_count(lock) > 1);
        }
        Arc::clone(moving.entry(id.to_owned()).or_default())
    }

    fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
