//! Programs that are paused in contexts, until their calls are answered.
//!
//! The context is kept for such a program. What is stored of it is its state before the program, which it returns to if the program is
//! cancelled; the program is stored with the names around it.

use std::sync::Arc;

use isolette::{Answer, Error};

use super::{
    end::{end_in_context, fail, store_progress},
    execute::{options, while_storing},
    outcome::{Outcome, cancelled},
    publish::saved_run,
};
use crate::{
    failure::Failure,
    run::{LiveRun, Phase, RunState},
    sandboxes::{Context, LiveSandbox, Loaded},
    shared::Shared,
    store::Digest,
};

/// Stores that a program is paused. Its guest ends.
pub(super) async fn pause_in_context(shared: &Arc<Shared>, run: &Arc<LiveRun>, mut loaded: Loaded) {
    let calls = loaded.session().map(|session| session.paused_calls().to_vec()).unwrap_or_default();
    let of_session = Arc::clone(&shared.resources);
    let bytes = loaded.with_session(move |session| session.paused_to_bytes(&of_session.key)).await;
    // Answers and a cancellation wait until the program is stored.
    let place = run.paused.lock().await;
    let written = bytes.and_then(|bytes| shared.resources.store.blobs.write(&bytes));
    let next = run.after(Phase::Paused { calls, blob: written.as_ref().ok().map(|written| written.digest.clone()) });
    store_progress(shared, run, &next).await;
    if let Err(error) = &written {
        // It waits in this process, and is lost with it.
        tracing::warn!(%error, "a paused program would not survive the server");
        if let Some(session) = loaded.session() {
            session.forget_paused_file();
        }
    }
    let context = Arc::clone(loaded.context());
    loaded.keep_for(&run.id, written.is_ok());
    run.enter(next);
    drop((place, written));
    end_when_cancelled(shared, run, context);
}

/// Lets a program of an earlier process wait in its context, unless another program uses that.
pub(super) fn wait_in_context(shared: &Arc<Shared>, run: &Arc<LiveRun>, context: Arc<Context>) -> bool {
    let Some(guard) = context.try_lock() else { return false };
    guard.keep_for(&run.id);
    end_when_cancelled(shared, run, context);
    true
}

/// Ends a paused program as soon as it is cancelled, by its caller or because its context is deleted.
fn end_when_cancelled(shared: &Arc<Shared>, run: &Arc<LiveRun>, context: Arc<Context>) {
    let (shared, run) = (Arc::clone(shared), Arc::clone(run));
    tokio::spawn(async move {
        let mut changes = run.log.changes();
        while run.state() == RunState::Paused && !run.cancel.is_cancelled() {
            tokio::select! {
                () = run.cancel.cancelled() => {}
                _ = changes.changed() => {}
            }
        }
        let place = run.paused.lock().await;
        // If the server ends, it waits for the next one.
        let is_ending = shared.resources.ending.is_cancelled();
        if run.state() != RunState::Paused || !run.cancel.is_cancelled() || is_ending {
            return;
        }
        // Whoever waits for the context, to use or to delete it, finds that the run has ended.
        let guard = context.kept_by(&run.id);
        fail(&shared, &run, cancelled()).await;
        if let Some(guard) = guard {
            guard.discard().await;
        }
        drop(place);
    });
}

/// A program that is taken from its context to go on.
pub(super) struct Taken {
    sandbox: Arc<LiveSandbox>,
    loaded: Loaded,
}

impl Taken {
    /// Takes a program that is stored as `blob`, or waits in its guest if that failed.
    pub(super) async fn take(
        shared: &Arc<Shared>,
        run: &Arc<LiveRun>,
        sandbox: &str,
        blob: Option<Digest>,
    ) -> Result<Self, Failure> {
        let sandbox = shared.sandboxes.find(&run.owner, sandbox)?;
        let context = run.context.as_deref().and_then(|name| sandbox.context(name));
        let gone = || Failure::conflict("the program is gone with its context", "run it again");
        let guard = context.and_then(|context| context.kept_by(&run.id)).ok_or_else(gone)?;
        let mut loaded = guard.load_for(&run.id, &shared.sandboxes, &shared.resources, &sandbox).await?;
        if let Some(digest) = blob {
            let options = options(run);
            let continued: Result<(), Error> = async {
                let saved = saved_run(shared, digest).await?;
                loaded.with_session(move |session| session.continue_paused(&saved, options)).await
            }
            .await;
            if let Err(error) = continued {
                loaded.keep_for(&run.id, true);
                return Err(error.into());
            }
        }
        Ok(Self { sandbox, loaded })
    }

    /// Lets it wait again.
    pub(super) fn put_back(self, run: &LiveRun, is_stored: bool) {
        self.loaded.keep_for(&run.id, is_stored);
    }

    /// Continues the program, and stores how it ends or that it is paused again.
    pub(super) async fn go_on(self, shared: &Arc<Shared>, run: &Arc<LiveRun>, answers: Vec<(u64, Answer)>) {
        let Self { sandbox, mut loaded } = self;
        let resumed = async {
            let turn = shared.resources.turn(&run.owner, &run.cancel).await?;
            loaded.changes();
            let step = match loaded.session() {
                Some(session) => session.resume_async(answers).await,
                None => Err(Error::SessionEnded { reason: "its guest is gone".into() }),
            };
            drop(turn);
            Ok::<_, Failure>(Outcome::in_session(step))
        };
        let (outcome, loaded) = match while_storing(shared, run, resumed).await {
            Ok(outcome) => (outcome, Some(loaded)),
            Err(failure) => {
                loaded.discard();
                (Outcome::Refused(failure), None)
            }
        };
        end_in_context(shared, run, &sandbox, outcome, loaded).await;
        sandbox.touch();
    }
}
