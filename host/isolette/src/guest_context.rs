//! The state that belongs to one guest.

use std::{
    path::Path,
    sync::{Arc, Mutex, TryLockError},
};

use isolette_capabilities::{Interfaces, ResourceTable};
use isolette_engine::GuestEnd;
use isolette_files::{Files, Locks, Quota};
use isolette_policy::{OUTPUT, Policy};
use isolette_types::{Error, OutputDirectory, OutputFile};

use crate::{
    places::GuestPlace,
    system::{System, SystemState},
};

/// The files, resources, locks and clocks of one guest, and its place in a pool.
#[derive(Clone, Debug)]
pub(crate) struct GuestContext {
    pub(crate) files: Arc<Files>,
    pub(crate) output: Option<Arc<dyn OutputDirectory>>,
    pub(crate) resources: ResourceTable,
    pub(crate) quota: Arc<Mutex<Quota>>,
    pub(crate) locks: Locks,
    pub(crate) system: Arc<System>,
    /// `None` if the sandbox is in no pool.
    place: Option<Arc<GuestPlace>>,
}

impl GuestContext {
    /// Makes the context of a new guest. `files` are the opened mounts of the policy; with `temporary_output` the guest
    /// also gets an `/output` directory of its own.
    pub(crate) fn new(
        policy: &Policy,
        files: &Arc<Files>,
        temporary_output: bool,
        system: System,
        place: Option<Arc<GuestPlace>>,
    ) -> Result<Self, Error> {
        let files = if temporary_output { Arc::new(files.with_temporary_output()?) } else { Arc::clone(files) };
        let has_output = temporary_output || policy.mounts.iter().any(|mount| mount.guest == OUTPUT);
        let output = has_output.then(|| Arc::new(Output(Arc::clone(&files))) as _);
        Ok(Self {
            files,
            output,
            resources: ResourceTable::new(policy.limits.resources),
            quota: Arc::new(Mutex::new(Quota::new(Arc::new(policy.limits.clone())))),
            locks: Locks::default(),
            system: Arc::new(system),
            place,
        })
    }

    /// The context of a guest that takes the place of this one, which has ended: with the same files and counts, and without
    /// its resources and locks. `system` is the state of deterministic clocks if they do not go on.
    pub(crate) fn for_next_guest(&self, system: Option<&SystemState>) -> Self {
        let system = system.map_or_else(|| Arc::clone(&self.system), |state| Arc::new(self.system.with(state)));
        Self { resources: self.resources.emptied(), locks: Locks::default(), system, ..self.clone() }
    }

    /// Its place in a pool, for the guest that takes over from it.
    pub(crate) fn place(&self) -> Option<Arc<GuestPlace>> {
        self.place.clone()
    }

    /// Releases the locks of a guest that does not return from a host call. It does nothing while a call for files is
    /// pending: that call may still write, and needs its lock until it ends.
    pub(crate) fn abandon_locks(&self) {
        if !matches!(self.quota.try_lock(), Err(TryLockError::WouldBlock)) {
            self.locks.end();
        }
    }

    /// What the guest holds that exists in this process only, as part of a sentence.
    pub(crate) fn held_in_host(&self, interfaces: &Interfaces) -> Option<String> {
        let held = self.resources.held();
        let mut parts: Vec<_> = interfaces
            .iter()
            .enumerate()
            .flat_map(|(index, capability)| {
                let of_capability = held.iter().filter(move |held| held.capability == index);
                of_capability.map(|held| {
                    let interface = capability.interface();
                    let resource =
                        interface.types.get(held.definition).map_or("resource", |definition| &definition.name);
                    format!("{} `{resource}` of `{}`", held.count, interface.name)
                })
            })
            .collect();
        match self.locks.count() {
            0 => {}
            1 => parts.push("a lock on a file".into()),
            count => parts.push(format!("locks on {count} files")),
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Returns the cleanup that the engine runs when the guest ends.
    pub(crate) fn at_end(&self, counted: Option<crate::metrics::LiveGuest>) -> AtEnd {
        AtEnd { locks: self.locks.clone(), _counted: counted, _place: self.place.clone() }
    }
}

/// Cleanup at the end of a guest: releases its file locks, its place, and removes it from the live guests in the metrics.
pub(crate) struct AtEnd {
    locks: Locks,
    _counted: Option<crate::metrics::LiveGuest>,
    _place: Option<Arc<GuestPlace>>,
}

impl GuestEnd for AtEnd {
    fn end(&self) {
        self.locks.end();
    }
}

/// The `/output` of a guest, which results read from. A temporary one is removed when the last result that refers to it is
/// dropped.
#[derive(Debug)]
struct Output(Arc<Files>);

impl OutputDirectory for Output {
    fn path(&self) -> Option<&Path> {
        self.0.output_path()
    }

    fn list(&self) -> Vec<OutputFile> {
        self.0.output().0
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        if path != OUTPUT && !path.starts_with("/output/") {
            return Err(Error::invalid(
                format!("cannot read `{}`: it is not in `/output`", path.escape_debug()),
                "name a file below `/output`",
            ));
        }
        self.0.read_whole(path, limit)
    }
}
