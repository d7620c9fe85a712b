//! A context: the state that programs leave for the next one, in a live guest or saved.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use isolette::{Error, Language, RunOptions, Sandbox, Session, Snapshot};
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore, watch};

use super::{LiveSandbox, Sandboxes};
use crate::{
    blocking::blocking,
    failure::Failure,
    grants::saves_states,
    resources::Resources,
    run::LiveRun,
    spec::parse_language,
    store::{Digest, rows, rows::ContextRow},
};

/// Maximum number of programs that wait for one context.
const WAITING: usize = 64;

/// A context of a sandbox.
pub(crate) struct Context {
    pub(crate) name: String,
    pub(crate) language: Language,
    state: Arc<Mutex<State>>,
    waiting: Semaphore,
    /// How many programs were begun, in this process.
    begun: AtomicU64,
    /// Whether a guest lives, for those who do not have the state.
    is_live: AtomicBool,
    /// Whether it waits for what runs in it, to be removed from its sandbox.
    is_being_deleted: AtomicBool,
    /// The program that is paused in it.
    paused: watch::Sender<Option<Paused>>,
}

/// A program that is paused in a context, and keeps it locked.
struct Paused {
    run: String,
    state: OwnedMutexGuard<State>,
}

/// Locked while a program runs in the context.
#[derive(Default)]
struct State {
    session: Option<Session>,
    saved: Option<Digest>,
    /// Whether a program has run since it was saved.
    is_changed: bool,
    /// Whether it was removed from its sandbox.
    is_deleted: bool,
}

/// A context that no other program uses at the same time.
pub(crate) struct Guard {
    context: Arc<Context>,
    state: OwnedMutexGuard<State>,
}

/// A context whose guest lives.
pub(crate) struct Loaded {
    guard: Guard,
    sandbox: Sandbox,
}

impl Context {
    pub(crate) fn new(name: &str, language: Language) -> Self {
        Self::with(name.to_owned(), language, State::default())
    }

    /// A context that is in this state.
    pub(crate) fn saved(name: &str, language: Language, saved: Option<Digest>) -> Self {
        Self::with(name.to_owned(), language, State { saved, ..State::default() })
    }

    pub(crate) fn stored(row: ContextRow) -> Result<Self, Failure> {
        let language = parse_language(&row.language)?;
        // What was not saved is gone with the process that had it.
        Ok(Self::saved(&row.name, language, row.blob))
    }

    fn with(name: String, language: Language, state: State) -> Self {
        let state = Arc::new(Mutex::new(state));
        Self {
            name,
            language,
            state,
            waiting: Semaphore::new(WAITING),
            begun: AtomicU64::new(0),
            is_live: AtomicBool::new(false),
            is_being_deleted: AtomicBool::new(false),
            paused: watch::Sender::new(None),
        }
    }

    pub(crate) fn is_live(&self) -> bool {
        self.is_live.load(Ordering::Relaxed)
    }

    /// The number of another program, from 1.
    pub(crate) fn count(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Waits until no other program uses the context. One that is paused may do so for days, and is not waited for.
    pub(crate) async fn lock(self: &Arc<Self>) -> Result<Guard, Failure> {
        let _waits = self.waiting.try_acquire().map_err(|_| {
            Failure::busy(format!("{WAITING} programs wait for this context already"), "wait for some of them")
        })?;
        let mut paused = self.paused.subscribe();
        let paused = async {
            let found = paused.wait_for(Option::is_some).await;
            found.ok().and_then(|paused| paused.as_ref().map(|paused| paused.run.clone()))
        };
        let state = tokio::select! {
            biased;
            state = Arc::clone(&self.state).lock_owned() => state,
            run = paused => return Err(self.is_paused(&run.unwrap_or_default())),
        };
        if state.is_deleted || self.is_being_deleted() {
            return Err(Failure::not_found("context", &self.name));
        }
        Ok(Guard { context: Arc::clone(self), state })
    }

    fn is_paused(&self, run: &str) -> Failure {
        Failure::conflict(
            format!("the program {run} is paused in the context `{}` until its calls are answered", self.name),
            "answer its calls, cancel it, or name another context",
        )
    }

    /// The context as a paused program has kept it, if it is that one.
    pub(crate) fn kept_by(self: &Arc<Self>, run: &str) -> Option<Guard> {
        let mut found = None;
        self.paused.send_if_modified(|paused| {
            found = paused.take_if(|paused| paused.run == run);
            found.is_some()
        });
        found.map(|paused| Guard { context: Arc::clone(self), state: paused.state })
    }

    /// Lets no other program begin or be paused in it, from before what runs in it is cancelled.
    pub(crate) fn begin_deletion(&self) {
        self.is_being_deleted.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_being_deleted(&self) -> bool {
        self.is_being_deleted.load(Ordering::SeqCst)
    }

    /// Ends the guest for good, after what runs in it has ended.
    pub(crate) async fn delete(self: &Arc<Self>) {
        let state = Arc::clone(&self.state).lock_owned().await;
        Guard { context: Arc::clone(self), state }.delete();
    }

    /// The context, unless a program uses it.
    pub(crate) fn try_lock(self: &Arc<Self>) -> Option<Guard> {
        let state = Arc::clone(&self.state).try_lock_owned().ok()?;
        Some(Guard { context: Arc::clone(self), state })
    }
}

impl Guard {
    /// The state that is stored.
    pub(crate) fn saved(&self) -> Option<&Digest> {
        self.state.saved.as_ref()
    }

    pub(crate) fn is_live(&self) -> bool {
        self.state.session.is_some()
    }

    /// Ends the guest, which may wait for its audit; the next program begins with the state that was saved last.
    pub(crate) async fn discard(mut self) {
        let session = self.state.session.take();
        let _ = blocking(move || {
            drop(session);
            Ok(())
        })
        .await;
        self.drop_guest();
    }

    /// Ends the guest for good.
    pub(crate) fn delete(mut self) {
        self.state.is_deleted = true;
        self.drop_guest();
    }

    /// Keeps the context for a program that is paused in it.
    pub(crate) fn keep_for(self, run: &str) {
        let Self { context, state } = self;
        context.paused.send_replace(Some(Paused { run: run.to_owned(), state }));
    }

    fn drop_guest(&mut self) {
        self.state.session = None;
        self.state.is_changed = false;
        self.context.is_live.store(false, Ordering::Relaxed);
    }

    /// The row of the context, if it is saved as this blob.
    fn row(&self, sandbox: &str, blob: Option<Digest>) -> ContextRow {
        ContextRow {
            sandbox: sandbox.to_owned(),
            name: self.context.name.clone(),
            language: self.context.language.name().into(),
            blob,
        }
    }

    /// Makes sure that the guest lives.
    pub(crate) async fn load(
        mut self,
        sandboxes: &Sandboxes,
        resources: &Arc<Resources>,
        owner: &LiveSandbox,
    ) -> Result<Loaded, Failure> {
        let sandbox = self.begin(sandboxes, resources, owner).await?;
        Ok(Loaded { guard: self, sandbox })
    }

    /// As [`load`](Self::load), for a program that is paused in it, which keeps the context if that fails or it is cancelled.
    pub(crate) async fn load_for(
        mut self,
        run: &LiveRun,
        sandboxes: &Sandboxes,
        resources: &Arc<Resources>,
        owner: &LiveSandbox,
    ) -> Result<Loaded, Failure> {
        let begun = tokio::select! {
            biased;
            () = run.cancel.cancelled() => Err(Error::Cancelled { partial: Box::default() }.into()),
            begun = self.begin(sandboxes, resources, owner) => begun,
        };
        match begun {
            Ok(sandbox) => Ok(Loaded { guard: self, sandbox }),
            Err(failure) => {
                self.keep_for(&run.id);
                Err(failure)
            }
        }
    }

    async fn begin(
        &mut self,
        sandboxes: &Sandboxes,
        resources: &Arc<Resources>,
        owner: &LiveSandbox,
    ) -> Result<Sandbox, Failure> {
        let sandbox = resources.sandbox(owner.key(self.context.language)).await?;
        if self.state.session.as_ref().is_some_and(Session::ended) {
            self.drop_guest();
        }
        if self.state.session.is_none() {
            let session = sandboxes.with_room(resources, || Box::pin(self.start(resources, &sandbox))).await?;
            self.state.session = Some(session);
            self.context.is_live.store(true, Ordering::Relaxed);
        }
        Ok(sandbox)
    }

    async fn start(&self, resources: &Arc<Resources>, sandbox: &Sandbox) -> Result<Session, Error> {
        let Some(digest) = self.state.saved.clone() else {
            let mut session = sandbox.session_async().await?;
            // Relative paths are those of the files that callers send and get.
            session.run_async(begin_in_workspace(self.context.language), RunOptions::new()).await?;
            return Ok(session);
        };
        let (resources, sandbox) = (Arc::clone(resources), sandbox.clone());
        blocking(move || {
            let snapshot = Snapshot::from_bytes(resources.store.blobs.read(&digest)?, &resources.key)?;
            sandbox.session_from(&snapshot)
        })
        .await
    }

    /// Saves the guest if a program has run since the last time, and ends it. Where the isolation cannot save, the state is lost.
    pub(crate) async fn save_and_end(self, resources: &Arc<Resources>, owner: &LiveSandbox) -> Result<(), Error> {
        let mut guard = self;
        if guard.state.session.is_none() {
            return Ok(());
        }
        let sandbox = resources.sandbox(owner.key(guard.context.language)).await?;
        if guard.state.is_changed && saves_states(&sandbox) {
            let mut loaded = Loaded { guard, sandbox };
            loaded.save(resources, &owner.id, |_| Ok(Vec::new())).await?;
            guard = loaded.guard;
        }
        guard.drop_guest();
        Ok(())
    }
}

/// A program that leaves no names.
fn begin_in_workspace(language: Language) -> &'static str {
    match language {
        Language::Python => "__import__('os').chdir('/workspace')",
        _ => "process.chdir('/workspace'); undefined",
    }
}

impl Loaded {
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.guard.context
    }

    pub(crate) fn session(&mut self) -> Option<&mut Session> {
        self.guard.state.session.as_mut()
    }

    /// Whether the state can be saved.
    pub(crate) fn saves_states(&self) -> bool {
        saves_states(&self.sandbox)
    }

    /// Notes that a program changes the context. It is not saved until it is saved again.
    pub(crate) fn changes(&mut self) {
        self.guard.state.is_changed = true;
    }

    /// Whether the session has ended, or cannot run another program, so that the next program begins with the state that was saved last.
    pub(crate) fn has_ended(&self) -> bool {
        let has_ended = |session: &Session| session.ended() || !session.paused_calls().is_empty();
        self.guard.state.session.as_ref().is_none_or(has_ended)
    }

    /// Ends the guest; the next program begins with the state that was saved last.
    pub(crate) async fn discard(self) {
        self.guard.discard().await;
    }

    /// Keeps the context for the program that is paused in it, and was saved. Its guest ends.
    pub(crate) fn keep_for(mut self, run: &str) {
        self.guard.drop_guest();
        self.guard.keep_for(run);
    }

    /// Does work with the session that blocks.
    pub(crate) async fn with_session<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Session) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Some(mut session) = self.guard.state.session.take() else {
            return Err(Error::SessionEnded { reason: "its guest is gone".into() });
        };
        let (session, done) = blocking(move || {
            let done = work(&mut session);
            Ok((session, done))
        })
        .await?;
        self.guard.state.session = Some(session);
        done
    }

    /// Saves the state, together with other changes of the database: `with` makes them, and returns blobs that have no reference
    /// any more.
    pub(crate) async fn save(
        &mut self,
        resources: &Arc<Resources>,
        sandbox: &str,
        with: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<Vec<Digest>> + Send + 'static,
    ) -> Result<(), Error> {
        let of_session = Arc::clone(resources);
        let bytes = self
            .with_session(move |session| session.snapshot().and_then(|snapshot| snapshot.to_bytes(&of_session.key)));
        let bytes = bytes.await?;
        let written = resources.store.blobs.write(&bytes)?;
        drop(bytes);
        let row = self.guard.row(sandbox, Some(written.digest.clone()));
        let unused = resources
            .store
            .change(move |connection| {
                let mut unused = with(connection)?;
                unused.extend(rows::put_context(connection, &row)?);
                Ok(unused)
            })
            .await?;
        self.guard.state.saved = Some(written.digest.clone());
        self.guard.state.is_changed = false;
        drop(written);
        resources.store.remove_blobs(unused).await;
        Ok(())
    }

    /// Saves the state, if a program has changed it since the last time.
    pub(crate) async fn save_changes(&mut self, resources: &Arc<Resources>, sandbox: &str) -> Result<(), Error> {
        match self.guard.state.is_changed {
            true => self.save(resources, sandbox, |_| Ok(Vec::new())).await,
            false => Ok(()),
        }
    }

    /// The digest of the present state, which is saved for it if it has changed.
    pub(crate) async fn digest(&mut self, resources: &Arc<Resources>, sandbox: &str) -> Result<Option<Digest>, Error> {
        if self.guard.state.is_changed || self.guard.state.saved.is_none() {
            self.save(resources, sandbox, |_| Ok(Vec::new())).await?;
        }
        Ok(self.guard.state.saved.clone())
    }
}
