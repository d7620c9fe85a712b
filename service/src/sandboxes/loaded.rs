//! A context whose guest runs: it is started in the saved state, used, and saved.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use isolette::{Error, Language, RunOptions, Sandbox, Session, Snapshot};
use serde_json::json;

use super::{Context, Guard, LiveSandbox, Sandboxes, environment};
use crate::{
    HOME, WORKSPACE,
    blocking::blocking,
    failure::Failure,
    grants::saves_states,
    resources::Resources,
    run::LiveRun,
    store::{Digest, Reservation, rows, rows::ContextRow},
};

/// The room that is reserved for a state of which nothing is known, in bytes: about as much as the smallest one takes.
pub(crate) const SMALLEST_STATE: u64 = 24 << 10;

/// Time between attempts to save a context to make room for another guest.
const SAVED_AGAIN: Duration = Duration::from_secs(1);

/// A context whose guest runs.
pub(crate) struct Loaded {
    guard: Guard,
    sandbox: Sandbox,
}

impl Guard {
    /// The row of the context, if it is saved as this blob.
    fn row(&self, sandbox: &str, blob: Option<Digest>) -> ContextRow {
        ContextRow {
            sandbox: sandbox.to_owned(),
            name: self.context.name.clone(),
            language: self.context.language.name().into(),
            cwd: self.context.cwd.clone(),
            blob,
        }
    }

    /// Reserves room for the state after the next program, unless it is reserved. As much as the state takes that is stored: until it
    /// is replaced, both are.
    ///
    /// # Errors
    /// With status 507 if there is no room; those of making the sandbox of the library.
    pub(crate) async fn reserve(&mut self, resources: &Arc<Resources>, owner: &LiveSandbox) -> Result<(), Failure> {
        let needed = self.needed(resources);
        let reserved = match &mut self.state.room {
            Some(room) => room.resize(needed.max(room.bytes())),
            None => resources.store.blobs.room.reserve(&owner.owner, needed).map(|room| {
                self.state.room = Some(room);
            }),
        };
        self.unless_not_saved(reserved, resources, owner).await
    }

    /// Checks that this room could be reserved at present.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve).
    pub(crate) async fn check_room(&self, resources: &Arc<Resources>, owner: &LiveSandbox) -> Result<(), Failure> {
        let reserved = self.state.room.as_ref().map_or(0, Reservation::bytes);
        let missing = self.needed(resources).saturating_sub(reserved);
        let checked = resources.store.blobs.room.check(&owner.owner, missing);
        self.unless_not_saved(checked, resources, owner).await
    }

    fn needed(&self, resources: &Resources) -> u64 {
        let saved = self.state.saved.as_ref().and_then(|digest| resources.store.blobs.size(digest));
        saved.unwrap_or(0).max(SMALLEST_STATE)
    }

    /// A context that cannot be saved, because of its isolation, needs no room.
    async fn unless_not_saved(
        &self,
        result: Result<(), Error>,
        resources: &Arc<Resources>,
        owner: &LiveSandbox,
    ) -> Result<(), Failure> {
        match result {
            Err(error) if saves_states(&resources.sandbox(owner.key(self.context.language)).await?) => {
                Err(error.into())
            }
            _ => Ok(()),
        }
    }

    /// Starts the guest, unless it runs.
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
            let session = sandboxes.with_room(resources, || Box::pin(self.start(resources, &sandbox, owner))).await?;
            self.state.session = Some(session);
            self.context.is_live.store(true, Ordering::Relaxed);
        }
        Ok(sandbox)
    }

    async fn start(
        &self,
        resources: &Arc<Resources>,
        sandbox: &Sandbox,
        owner: &LiveSandbox,
    ) -> Result<Session, Error> {
        let Some(digest) = self.state.saved.clone() else {
            let mut session = sandbox.session_async().await?;
            // Relative paths are those of the files that callers send and get.
            let mut program = begin_in(&self.context.cwd, self.context.language);
            if let Some(spec) = &owner.spec.e2b {
                let mut variables = spec.environment.clone();
                variables.entry("HOME".to_owned()).or_insert_with(|| HOME.to_owned());
                program += &environment::program(self.context.language, environment::changes(&variables));
            }
            let ended = session.run_async(&program, RunOptions::new()).await?;
            if let Some(error) = ended.error.filter(|_| owner.spec.e2b.is_some()) {
                return Err(environment::not_set(&error.message));
            }
            return Ok(session);
        };
        let (resources, sandbox) = (Arc::clone(resources), sandbox.clone());
        blocking(move || {
            let snapshot = Snapshot::from_bytes(resources.store.blobs.read(&digest)?, &resources.key)?;
            sandbox.session_from(&snapshot)
        })
        .await
    }

    /// Whether an attempt to save it has just failed.
    pub(crate) fn was_just_not_saved(&self) -> bool {
        self.state.was_not_saved.is_some_and(|then| then.elapsed() < SAVED_AGAIN)
    }

    /// Saves the guest if a program has run since the last time, and ends it. It goes on if it cannot be saved; where the isolation
    /// saves no states, the state is lost.
    pub(crate) async fn save_and_end(self, resources: &Arc<Resources>, owner: &LiveSandbox) -> Result<(), Error> {
        let mut guard = self;
        if guard.state.session.is_none() {
            return Ok(());
        }
        let sandbox = resources.sandbox(owner.key(guard.context.language)).await?;
        if guard.state.is_changed && saves_states(&sandbox) {
            let mut loaded = Loaded { guard, sandbox };
            let saved = loaded.save(resources, owner, |_| Ok(Vec::new())).await;
            guard = loaded.guard;
            if let Err(error) = saved {
                guard.state.was_not_saved = Some(Instant::now());
                return Err(error);
            }
        }
        guard.drop_guest();
        Ok(())
    }
}

/// A program that changes to a directory and defines no names. If the directory was removed, the context begins in the one
/// that always exists.
fn begin_in(directory: &str, language: Language) -> String {
    let mut directories = vec![WORKSPACE];
    directories.extend((directory != WORKSPACE).then_some(directory));
    // A text in JSON is the same text in both languages.
    let changes = directories.into_iter().map(|directory| json!(directory)).map(|directory| match language {
        Language::Python => format!("try: __import__('os').chdir({directory})\nexcept OSError: pass\n"),
        _ => format!("try {{ process.chdir({directory}) }} catch {{}} undefined;\n"),
    });
    changes.collect()
}

impl Loaded {
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.guard.context
    }

    pub(crate) fn session(&mut self) -> Option<&mut Session> {
        self.guard.state.session.as_mut()
    }

    /// The sandbox of the library.
    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Whether the session holds what exists in the host only, so that its state cannot be saved.
    pub(crate) fn is_held_by_host(&self) -> bool {
        self.guard.state.session.as_ref().is_some_and(|session| session.held_in_host().is_some())
    }

    /// Whether the state can be saved.
    pub(crate) fn saves_states(&self) -> bool {
        saves_states(&self.sandbox)
    }

    /// Notes that a program changes the context. It is not saved until it is saved again.
    pub(crate) fn changes(&mut self) {
        self.guard.state.is_changed = true;
        self.guard.state.unsaved += 1;
    }

    /// Number of programs before the one that runs whose effects are in the guest only.
    pub(crate) fn unsaved_before(&self) -> u64 {
        self.guard.state.unsaved.saturating_sub(1)
    }

    /// Whether the session has ended, or cannot run another program, so that the next program begins with the state that was saved last.
    pub(crate) fn has_ended(&self) -> bool {
        let has_ended = |session: &Session| session.ended() || !session.paused_calls().is_empty();
        self.guard.state.session.as_ref().is_none_or(has_ended)
    }

    /// Reserves room for the state after the next program.
    ///
    /// # Errors
    /// As [`Guard::reserve`].
    pub(crate) async fn reserve(&mut self, resources: &Arc<Resources>, owner: &LiveSandbox) -> Result<(), Failure> {
        self.guard.reserve(resources, owner).await
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
        sandbox: &LiveSandbox,
        with: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<Vec<Digest>> + Send + 'static,
    ) -> Result<(), Error> {
        let of_session = Arc::clone(resources);
        let bytes = self
            .with_session(move |session| session.snapshot().and_then(|snapshot| snapshot.to_bytes(&of_session.key)));
        let bytes = bytes.await?;
        let written = resources.store.write(&sandbox.owner, &bytes, &mut self.guard.state.room).await?;
        drop(bytes);
        let row = self.guard.row(&sandbox.id, Some(written.digest.clone()));
        let unused = resources
            .store
            .change(move |connection| {
                let mut unused = with(connection)?;
                unused.extend(rows::put_context(connection, &row)?);
                Ok(unused)
            })
            .await?;
        self.guard.state.saved = Some(written.digest.clone());
        (self.guard.state.is_changed, self.guard.state.unsaved) = (false, 0);
        self.guard.state.was_not_saved = None;
        drop(written);
        resources.store.remove_blobs(unused).await;
        Ok(())
    }

    /// Saves the state, if a program has changed it since the last time.
    pub(crate) async fn save_changes(
        &mut self,
        resources: &Arc<Resources>,
        sandbox: &LiveSandbox,
    ) -> Result<(), Error> {
        match self.guard.state.is_changed {
            true => self.save(resources, sandbox, |_| Ok(Vec::new())).await,
            false => Ok(()),
        }
    }

    /// The digest of the present state, which is saved for it if it has changed.
    pub(crate) async fn digest(
        &mut self,
        resources: &Arc<Resources>,
        sandbox: &LiveSandbox,
    ) -> Result<Option<Digest>, Error> {
        if self.guard.state.is_changed || self.guard.state.saved.is_none() {
            self.save(resources, sandbox, |_| Ok(Vec::new())).await?;
        }
        Ok(self.guard.state.saved.clone())
    }
}
