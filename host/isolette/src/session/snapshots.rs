//! Snapshots of a session, and sessions that continue from them.

use std::sync::Arc;

use isolette_engine::Missing;
use isolette_types::{Error, SessionId};

use super::{Origin, Session};
use crate::{shared::Shared, snapshot::Snapshot};

impl Session {
    /// Starts a session that continues from a snapshot.
    pub(crate) fn start_from(shared: Arc<Shared>, snapshot: &Snapshot) -> Result<Self, Error> {
        let origin = Origin { state: snapshot.state(&shared)?, is_copy: true };
        let context = shared.guest_context_from(snapshot.system())?;
        Ok(Self { identifier: SessionId::random(), shared, context, guest: None, ended: None, origin: Some(origin) })
    }

    /// Saves the state of the session: globals, modules and `/tmp`. The session goes on.
    ///
    /// This takes about a millisecond, and one more for each 4 MiB that the session has changed since its start.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the isolation does not save states (`wasm`), or if the session holds resources of custom
    /// interfaces or locks on files, which exist only in the host; [`Error::SessionEnded`].
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.check_kept_by_host()?;
        let state = match (&self.guest, &self.origin) {
            (None, Some(origin)) if self.ended.is_none() => origin.state.clone(),
            _ => self.guest()?.save().map_err(unavailable)?,
        };
        Ok(Snapshot::new(&self.shared, state, self.context.system.state()))
    }

    /// Returns the session to the state of a snapshot, of this session or of another one. The session can have ended: it
    /// has not any more then. Files on mounts stay as they are.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the snapshot is of another image or isolation.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let state = snapshot.state(&self.shared)?;
        self.guest = None;
        self.context = self.context.for_next_guest(Some(snapshot.system()));
        self.origin = Some(Origin { state, is_copy: true });
        self.ended = None;
        Ok(())
    }

    /// Starts `count` sessions that continue from the present state of this one. It goes on, too. Memory that none of them
    /// changes exists once.
    ///
    /// # Errors
    /// As of [`Session::snapshot`].
    pub fn fork(&mut self, count: usize) -> Result<Vec<Self>, Error> {
        let snapshot = self.snapshot()?;
        (0..count).map(|_| Self::start_from(Arc::clone(&self.shared), &snapshot)).collect()
    }

    /// Fails if the session holds what only the host knows.
    fn check_kept_by_host(&self) -> Result<(), Error> {
        let held = self.context.resources.held();
        let mut parts: Vec<_> = self
            .shared
            .capabilities
            .interfaces
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
        match self.context.locks.count() {
            0 => {}
            1 => parts.push("a lock on a file".into()),
            count => parts.push(format!("locks on {count} files")),
        }
        if parts.is_empty() {
            return Ok(());
        }
        Err(unavailable(Missing {
            reason: format!("the session holds {}, which exist in the host only", parts.join(", ")),
            hint: "release them in the session first",
        }))
    }
}

pub(super) fn unavailable(missing: Missing) -> Error {
    Error::Unavailable { what: "a snapshot of the session".into(), reason: missing.reason, hint: missing.hint.into() }
}
