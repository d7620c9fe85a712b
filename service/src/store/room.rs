//! The room for what is stored beside the database: a limit for all of it, and a share for each caller.
//!
//! What a caller refers to counts towards its share, and every file counts once towards the limit for all. Room is reserved before
//! a program runs whose state has to be stored, so that a program is refused where it is known that its state would not be. Bytes that are
//! being written count as reserved until the database refers to them.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette::Error;

/// What an error of the store says first.
pub(super) const FAILED: &str = "cannot store what has to survive";

/// What can be stored, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredBytes {
    pub(crate) of_all: u64,
    /// `None` for an equal share of each caller.
    pub(crate) of_caller: Option<u64>,
}

/// The room for blobs.
pub(crate) struct Room {
    limits: StoredBytes,
    state: Mutex<State>,
}

struct State {
    /// Number of callers that share the room.
    callers: u64,
    /// Bytes of all files.
    on_disk: u64,
    /// Bytes that are reserved and not yet part of a file.
    announced: u64,
    accounts: HashMap<String, Account>,
    /// Whether the limits apply no longer.
    are_lifted: bool,
}

/// What one caller has.
#[derive(Clone, Copy, Default)]
struct Account {
    /// Bytes of the blobs that its rows refer to.
    stored: u64,
    /// Bytes that are reserved, and those that are written and have no reference yet.
    reserved: u64,
}

/// Room of a caller, until this is dropped.
pub(crate) struct Reservation {
    room: Arc<Room>,
    owner: String,
    bytes: u64,
    /// Those of the bytes that are not part of a file.
    announced: u64,
}

impl Room {
    pub(super) fn new(limits: StoredBytes) -> Self {
        let state = State { callers: 1, on_disk: 0, announced: 0, accounts: HashMap::new(), are_lifted: false };
        Self { limits, state: Mutex::new(state) }
    }

    /// Sets the number of callers, each of which has an equal share unless the operator has set another one.
    pub(crate) fn set_callers(&self, callers: usize) {
        self.state().callers = (callers as u64).max(1);
    }

    /// Lifts the limits. This is for a server that is being stopped, after its last program: what was acknowledged is saved.
    pub(crate) fn lift_limits(&self) {
        self.state().are_lifted = true;
    }

    /// Reserves room for a caller.
    ///
    /// # Errors
    /// [`Error::Io`] of the kind `StorageFull`.
    pub(crate) fn reserve(self: &Arc<Self>, owner: &str, bytes: u64) -> Result<Reservation, Error> {
        let mut reservation = self.none(owner);
        reservation.resize(bytes)?;
        Ok(reservation)
    }

    /// A reservation of nothing.
    pub(super) fn none(self: &Arc<Self>, owner: &str) -> Reservation {
        Reservation { room: Arc::clone(self), owner: owner.to_owned(), bytes: 0, announced: 0 }
    }

    /// Checks that this much could be reserved for a caller at present.
    ///
    /// # Errors
    /// [`Error::Io`] of the kind `StorageFull`.
    pub(crate) fn check(&self, owner: &str, bytes: u64) -> Result<(), Error> {
        self.fits(&self.state(), owner, bytes)
    }

    fn fits(&self, state: &State, owner: &str, bytes: u64) -> Result<(), Error> {
        let account = state.accounts.get(owner).copied().unwrap_or_default();
        let share = self.limits.of_caller.unwrap_or(self.limits.of_all / state.callers);
        let of_caller = account.stored.saturating_add(account.reserved).saturating_add(bytes);
        let of_all = state.on_disk.saturating_add(state.announced).saturating_add(bytes);
        if state.are_lifted || bytes == 0 || (of_caller <= share && of_all <= self.limits.of_all) {
            return Ok(());
        }
        let Account { stored, reserved } = account;
        Err(full(match of_caller > share && share < self.limits.of_all {
            true => format!(
                "more than the {share} bytes of this caller would be stored: {stored} are, {reserved} are reserved for its \
                 programs, and {bytes} more are needed\n\
                 hint: delete snapshots, contexts or sandboxes that are no longer needed; the operator of the server can raise \
                 `stored_bytes_of_caller`"
            ),
            false => format!(
                "more than the {} bytes of all callers would be stored\n\
                 hint: delete snapshots, contexts or sandboxes that are no longer needed; the operator of the server can raise \
                 `stored_bytes`",
                self.limits.of_all
            ),
        }))
    }

    /// Sets what the rows of a caller refer to, once it is committed.
    pub(super) fn set_stored(&self, owner: &str, bytes: u64) {
        self.state().accounts.entry(owner.to_owned()).or_default().stored = bytes;
    }

    /// Counts a file that was found, or that is there again after its removal has failed.
    pub(super) fn add_file(&self, bytes: u64) {
        let mut state = self.state();
        state.on_disk = state.on_disk.saturating_add(bytes);
    }

    /// Counts a file no longer.
    pub(super) fn remove_file(&self, bytes: u64) {
        let mut state = self.state();
        state.on_disk = state.on_disk.saturating_sub(bytes);
    }

    /// Bytes of all files.
    pub(super) fn on_disk(&self) -> u64 {
        self.state().on_disk
    }

    pub(super) fn limit(&self) -> u64 {
        self.limits.of_all
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error where there is no room.
fn full(text: String) -> Error {
    Error::io(FAILED, io::Error::new(io::ErrorKind::StorageFull, text))
}

impl Reservation {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reserves another number of bytes in place of the present one, none of which are part of a file. Less is always possible.
    ///
    /// # Errors
    /// [`Error::Io`] of the kind `StorageFull`; it stays as it was then.
    pub(crate) fn resize(&mut self, bytes: u64) -> Result<(), Error> {
        let mut state = self.room.state();
        if let Some(more) = bytes.checked_sub(self.bytes) {
            self.room.fits(&state, &self.owner, more)?;
        }
        state.announced = state.announced.saturating_sub(self.announced).saturating_add(bytes);
        let account = state.accounts.entry(self.owner.clone()).or_default();
        account.reserved = account.reserved.saturating_sub(self.bytes).saturating_add(bytes);
        (self.bytes, self.announced) = (bytes, bytes);
        Ok(())
    }

    /// Notes that a file has the bytes now. They stay reserved for the caller until this is dropped.
    pub(super) fn is_written(&mut self) {
        let mut state = self.room.state();
        state.announced = state.announced.saturating_sub(self.announced);
        state.on_disk = state.on_disk.saturating_add(self.announced);
        self.announced = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut state = self.room.state();
        state.announced = state.announced.saturating_sub(self.announced);
        if let Some(account) = state.accounts.get_mut(&self.owner) {
            account.reserved = account.reserved.saturating_sub(self.bytes);
            if account.stored == 0 && account.reserved == 0 {
                state.accounts.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(of_caller: Option<u64>) -> Arc<Room> {
        Arc::new(Room::new(StoredBytes { of_all: 100, of_caller }))
    }

    #[test]
    fn what_is_reserved_is_not_given_twice() {
        let room = room(None);
        let mut first = room.reserve("alice", 60).unwrap();
        assert!(room.reserve("alice", 41).is_err());
        let second = room.reserve("bob", 40).unwrap();
        assert!(first.resize(61).is_err());
        drop(second);
        first.resize(61).unwrap();
        first.is_written();
        // It is on the disk, and still reserved for its owner.
        assert_eq!(room.on_disk(), 61);
        assert!(room.check("alice", 40).is_err());
        room.set_stored("alice", 61);
        drop(first);
        room.check("alice", 39).unwrap();
        assert!(room.check("alice", 40).is_err());
        room.remove_file(61);
        room.set_stored("alice", 0);
        room.check("alice", 100).unwrap();
    }

    #[test]
    fn callers_cannot_use_what_others_need() {
        for of_caller in [None, Some(50)] {
            let room = room(of_caller);
            room.set_callers(2);
            let alice = room.reserve("alice", 50).unwrap();
            let error = room.reserve("alice", 1).err().unwrap().to_string();
            assert!(error.contains("more than the 50 bytes of this caller"), "{error}");
            assert!(error.contains("\nhint: "), "{error}");
            room.check("bob", 50).unwrap();
            assert!(room.check("bob", 51).is_err());
            drop(alice);
        }
        // Shares that are more than there is do not make more.
        let room = room(Some(80));
        let _alice = room.reserve("alice", 80).unwrap();
        let error = room.reserve("bob", 21).err().unwrap().to_string();
        assert!(error.contains("more than the 100 bytes of all callers"), "{error}");
    }

    #[test]
    fn a_server_that_ends_saves_what_it_has() {
        let room = room(None);
        let mut reservation = room.reserve("alice", 100).unwrap();
        assert!(reservation.resize(101).is_err());
        room.lift_limits();
        reservation.resize(200).unwrap();
    }
}
