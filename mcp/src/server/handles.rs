//! Sandboxes that keep their state between calls, each under an unguessable handle.

use std::{
    collections::BTreeMap,
    sync::{Arc, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette::{Budget, Language, Session, policy::Limits};
use rand::RngCore as _;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use super::{client::Client, limits::BudgetLimits, outcome::Failure};

/// Number of random bytes in a handle: 128 bits, like a key.
const RANDOM_BYTES: usize = 16;

/// Maximum number of calls that wait for one sandbox.
const WAITING: usize = 64;

/// Makes an unguessable text: hexadecimal digits.
pub(crate) fn chance() -> String {
    let mut random = [0; RANDOM_BYTES];
    rand::rng().fill_bytes(&mut random);
    hex::encode(random)
}

/// A sandbox that keeps its state between calls.
pub(crate) struct Handle {
    pub(crate) id: String,
    pub(crate) language: Language,
    /// The client that sees it in lists. All others need the handle itself.
    owner: Option<Client>,
    last_used: std::sync::Mutex<Instant>,
    /// The shared budget of all programs in it, which a reset does not renew.
    pub(crate) budget: Option<Budget>,
    /// Locked while a call uses the sandbox; calls run one after the other.
    session: Arc<Mutex<Session>>,
    waiting: Semaphore,
}

/// All sandboxes with handles: limited in number and in idle time.
pub(crate) struct Handles {
    limit: usize,
    idle: Duration,
    budget: BudgetLimits,
    handles: std::sync::Mutex<BTreeMap<String, Arc<Handle>>>,
}

impl Handles {
    pub(crate) fn new(limit: usize, idle: Duration, budget: BudgetLimits) -> Self {
        Self { limit, idle, budget, handles: std::sync::Mutex::default() }
    }

    /// Starts a session and generates its handle.
    pub(crate) fn create(
        &self,
        language: Language,
        owner: Option<Client>,
        start: impl FnOnce() -> Result<Session, isolette::Error>,
    ) -> Result<Arc<Handle>, Failure> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        self.check_limit(handles.len().saturating_add(1))?;
        let id = format!("sb-{}", chance());
        let session = start().map_err(|error| Failure::of(&error))?;
        let handle = Arc::new(Handle {
            id: id.clone(),
            language,
            owner,
            last_used: std::sync::Mutex::new(Instant::now()),
            budget: self.budget.budget(),
            session: Arc::new(Mutex::new(session)),
            waiting: Semaphore::new(WAITING),
        });
        handles.insert(id, Arc::clone(&handle));
        Ok(handle)
    }

    /// Fails if there cannot be this many more sandboxes, before they are made.
    pub(crate) fn check_room(&self, more: usize) -> Result<(), Failure> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        self.check_limit(handles.len().saturating_add(more))
    }

    fn check_limit(&self, count: usize) -> Result<(), Failure> {
        if count <= self.limit {
            return Ok(());
        }
        Err(Failure::new(
            "TooManySandboxes",
            format!("there would be {count} sandboxes, and there can be {} at most", self.limit),
            "destroy one that is no longer needed",
        ))
    }

    /// Finds a sandbox and resets its idle time.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Handle>, Failure> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        let handle = handles.get(id).ok_or_else(|| self.unknown())?;
        handle.touch();
        Ok(Arc::clone(handle))
    }

    /// Removes a sandbox. A run in flight in it is the last one.
    pub(crate) fn destroy(&self, id: &str) -> Result<(), Failure> {
        self.handles().remove(id).map(drop).ok_or_else(|| self.unknown())
    }

    /// The sandboxes of an owner, in the order of their handles.
    pub(crate) fn list(&self, owner: &Option<Client>) -> Vec<Arc<Handle>> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        handles.values().filter(|handle| handle.owner.is_some() && handle.owner == *owner).cloned().collect()
    }

    /// Removes sandboxes that were idle for too long. Returns the time until the next one expires.
    pub(crate) fn sweep(&self) -> Duration {
        let mut handles = self.handles();
        self.expire(&mut handles);
        handles.values().map(|handle| self.remaining(handle)).min().unwrap_or(self.idle)
    }

    /// Number of sandboxes, expired ones included that were not swept yet.
    pub(crate) fn count(&self) -> usize {
        self.handles().len()
    }

    /// Time until the sandbox expires if it is not used.
    pub(crate) fn remaining(&self, handle: &Handle) -> Duration {
        self.idle.saturating_sub(handle.idle())
    }

    fn unknown(&self) -> Failure {
        let unused = match self.idle == Limits::UNLIMITED_TIME {
            true => String::new(),
            false => format!(", or after {} s without use", self.idle.as_secs()),
        };
        Failure::new(
            "UnknownSandbox",
            "there is no sandbox with this handle",
            format!("create one with `create_sandbox`; sandboxes end when they are destroyed{unused}"),
        )
    }

    fn expire(&self, handles: &mut BTreeMap<String, Arc<Handle>>) {
        // A sandbox in which a program runs is in use, however long ago the program started.
        handles.retain(|_, handle| handle.idle() < self.idle || handle.session.try_lock().is_err());
    }

    fn handles(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Handle>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handle {
    /// Waits until no other call uses the sandbox.
    pub(crate) async fn session(&self) -> Result<OwnedMutexGuard<Session>, Failure> {
        let _waits = self.waiting.try_acquire().map_err(|_| {
            Failure::new("Busy", format!("{WAITING} calls wait for this sandbox already"), "wait for some of them")
        })?;
        Ok(Arc::clone(&self.session).lock_owned().await)
    }

    /// An identifier for logs and labels, where the handle must not appear because it grants access: the beginning of
    /// its SHA-256, which the owner of the handle can compute.
    pub(crate) fn digest(&self) -> String {
        Sha256::digest(&self.id).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Resets the idle time.
    pub(crate) fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}
