//! Sandboxes that live on, each under a handle that only its creator knows.

use std::{
    collections::BTreeMap,
    sync::{Arc, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use isolette::{Budget, Language, Session, policy::Limits};
use rand::RngCore as _;
use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

use super::{limits::BudgetLimits, outcome::Failure, queue::Client};

/// Bytes of chance in a handle: as many as in a key.
const RANDOM_BYTES: usize = 16;

/// Calls that may wait for one sandbox.
const WAITING: usize = 64;

/// A text that nobody can guess.
pub(crate) fn chance() -> String {
    let mut random = [0; RANDOM_BYTES];
    rand::rng().fill_bytes(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

/// One sandbox that lives on.
pub(crate) struct Handle {
    pub(crate) id: String,
    pub(crate) language: Language,
    /// Who may see it in a list. Everybody else needs the handle itself.
    owner: Option<Client>,
    last_used: std::sync::Mutex<Instant>,
    /// What all programs in it may use together, also after it was emptied.
    pub(crate) budget: Option<Budget>,
    /// Held by whoever runs something in it, one after the other.
    session: Arc<Mutex<Session>>,
    waiting: Semaphore,
}

/// All of them: a limited number, none of them idle for long.
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

    /// Keeps a session and makes up its handle.
    pub(crate) fn create(
        &self,
        language: Language,
        owner: Option<Client>,
        start: impl FnOnce() -> Result<Session, isolette::Error>,
    ) -> Result<Arc<Handle>, Failure> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        if handles.len() >= self.limit {
            return Err(Failure::new(
                "TooManySandboxes",
                format!("there are {} sandboxes, and there can be no more", self.limit),
                "destroy one that is no longer needed",
            ));
        }
        let id = format!("sb_{}", chance());
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

    /// Finds a sandbox, which counts as using it.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Handle>, Failure> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        let handle = handles.get(id).ok_or_else(|| self.unknown())?;
        handle.touch();
        Ok(Arc::clone(handle))
    }

    /// Forgets a sandbox. A run that is under way in it is the last one.
    pub(crate) fn destroy(&self, id: &str) -> Result<(), Failure> {
        self.handles().remove(id).map(drop).ok_or_else(|| self.unknown())
    }

    /// Those that somebody may see, in the order of their handles.
    pub(crate) fn list(&self, owner: &Option<Client>) -> Vec<Arc<Handle>> {
        let mut handles = self.handles();
        self.expire(&mut handles);
        handles.values().filter(|handle| handle.owner.is_some() && handle.owner == *owner).cloned().collect()
    }

    /// Ends the sandboxes that nobody has used for too long. Gives back when to look again.
    pub(crate) fn sweep(&self) -> Duration {
        let mut handles = self.handles();
        self.expire(&mut handles);
        handles.values().map(|handle| self.left(handle)).min().unwrap_or(self.idle)
    }

    /// How many there are, those included that nobody has used for too long and nobody has looked at since.
    pub(crate) fn count(&self) -> usize {
        self.handles().len()
    }

    /// How long it will live if nobody uses it.
    pub(crate) fn left(&self, handle: &Handle) -> Duration {
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
        // One in which something runs is in use, however long ago that began.
        handles.retain(|_, handle| handle.idle() < self.idle || handle.session.try_lock().is_err());
    }

    fn handles(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Handle>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handle {
    /// Waits until nothing else goes on in it.
    pub(crate) async fn session(&self) -> Result<OwnedMutexGuard<Session>, Failure> {
        let _waits = self.waiting.try_acquire().map_err(|_| {
            Failure::new("Busy", format!("{WAITING} calls wait for this sandbox already"), "wait for some of them")
        })?;
        Ok(Arc::clone(&self.session).lock_owned().await)
    }

    /// What it is called where the handle itself must not be, since whoever has that has the sandbox: the beginning of its
    /// SHA-256, by which whoever knows the handle finds it.
    pub(crate) fn digest(&self) -> String {
        Sha256::digest(&self.id).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Notes that somebody uses it.
    pub(crate) fn touch(&self) {
        *self.last_used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn idle(&self) -> Duration {
        self.last_used.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}
