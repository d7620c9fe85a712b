//! Snapshots of a session, and sessions that continue from them.

use std::sync::Arc;

use isolette_engine::{AnnouncedGuest, Guest, GuestState, Missing};
use isolette_types::Error;

use super::Session;
use crate::{shared::Shared, snapshot::Snapshot, system::SystemState};

impl Session {
    /// Starts a session that continues from a snapshot.
    pub(crate) fn open_from(shared: Arc<Shared>, snapshot: &Snapshot) -> Result<Self, Error> {
        let state = snapshot.state(&shared)?;
        let place = shared.place(None)?;
        let context = shared.guest_context_from(snapshot.system(), place)?;
        Ok(Self::with(shared, context, Some(state)))
    }

    /// Saves the state of the session: globals, modules and `/tmp`. The session goes on.
    ///
    /// This takes about a millisecond, and one more for each 4 MiB that the session has changed since its start.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the isolation does not save states (`wasm`), or if the session holds resources of custom
    /// interfaces or locks on files, which exist only in the host; [`Error::InvalidArgument`] while a program waits for answers;
    /// [`Error::SessionEnded`].
    pub fn snapshot(&mut self) -> Result<Snapshot, Error> {
        self.check_not_paused()?;
        self.settle();
        let state = self.saved()?;
        Ok(Snapshot::new(&self.shared, state, self.context.system.state()))
    }

    /// Returns the session to the state of a snapshot, of this session or of another one. The session can have ended: it
    /// has not any more then. A program that waits for answers ends, or is left to
    /// its file if it was saved. Files on mounts stay as they are.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the snapshot is of another image or isolation.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let state = snapshot.state(&self.shared)?;
        self.before = None;
        self.return_to(self.with_state(state));
        self.context = self.context.for_next_guest(Some(snapshot.system()));
        Ok(())
    }

    /// Starts `count` sessions that continue from the present state of this one. It goes on, too. Memory that none of them
    /// changes exists once.
    ///
    /// # Errors
    /// As of [`Session::snapshot`].
    pub fn fork(&mut self, count: usize) -> Result<Vec<Self>, Error> {
        let snapshot = self.snapshot()?;
        let start = |_| Self::open_from(Arc::clone(&self.shared), &snapshot);
        let mut forks: Vec<Self> = (0..count).map(start).collect::<Result<_, _>>()?;
        let announced = AnnouncedGuest::several(&self.shared.engine, &snapshot.state(&self.shared)?, count);
        forks.iter_mut().zip(announced).for_each(|(fork, announced)| fork.announced = Some(announced));
        Ok(forks)
    }

    /// How far deterministic clocks and random numbers have come, and the monotonic clock.
    pub(crate) fn system_state(&self) -> SystemState {
        self.context.system.state()
    }

    /// The present state.
    pub(crate) fn saved(&self) -> Result<GuestState, Error> {
        match self.state_or_guest()? {
            Ok(state) => Ok(state),
            Err(guest) => guest.save().map_err(unavailable),
        }
    }

    /// The present state, for asynchronous callers.
    pub(super) async fn saved_async(&self) -> Result<GuestState, Error> {
        match self.state_or_guest()? {
            Ok(state) => Ok(state),
            Err(guest) => guest.save_async().await.map_err(unavailable),
        }
    }

    /// The present state if it is known, else the guest that has it.
    fn state_or_guest(&self) -> Result<Result<GuestState, &Guest>, Error> {
        match (&self.origin, &self.guest, self.ended) {
            (Some(state), _, None) => Ok(Ok(state.clone())),
            (None, Some(guest), None) => {
                self.check_kept_by_host()?;
                Ok(Err(guest))
            }
            (_, _, reason) => Err(Error::SessionEnded { reason: reason.unwrap_or("its guest is gone").into() }),
        }
    }

    /// Returns what the session holds that exists in the host only: locks on files, or resources of custom interfaces. While it does,
    /// its state cannot be saved. `None` if it holds nothing of the kind.
    #[must_use]
    pub fn held_in_host(&self) -> Option<String> {
        self.context.held_in_host(&self.shared.capabilities.interfaces)
    }

    /// Fails if the session holds what only the host knows.
    fn check_kept_by_host(&self) -> Result<(), Error> {
        let Some(held) = self.held_in_host() else { return Ok(()) };
        Err(unavailable(Missing {
            reason: format!("the session holds {held}, which exist in the host only"),
            hint: "release them in the session first",
        }))
    }
}

fn unavailable(missing: Missing) -> Error {
    Error::Unavailable { what: "a snapshot of the session".into(), reason: missing.reason, hint: missing.hint.into() }
}
