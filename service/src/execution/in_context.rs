//! Stores how programs in contexts end, or that they are paused.
//!
//! The context is kept for a program that is paused. What is stored of it is its state before the program, which it returns to if the
//! program is cancelled; the program is stored with the names around it.

use std::sync::Arc;

use super::{
    end::{acknowledge, end_and_store, fail, store_end, store_paused, store_progress},
    outcome::{Outcome, cancelled},
};
use crate::{
    run::{LiveRun, RunState},
    sandboxes::{Context, LiveSandbox, Loaded},
    shared::Shared,
    store::rows,
};

/// Stores how a program in a context has ended, together with the state that it has left.
pub(super) async fn end_in_context(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    sandbox: &LiveSandbox,
    outcome: Outcome,
    loaded: Option<Loaded>,
) {
    let mut loaded = match (loaded, &outcome) {
        (Some(loaded), Outcome::PausedInContext) => return pause(shared, run, loaded).await,
        (Some(loaded), _) => loaded,
        (None, _) => return store_end(shared, run, run.after(outcome.end())).await,
    };
    let end = run.after(outcome.end());
    if loaded.has_ended() {
        // The next program begins with the state before this one.
        loaded.discard().await;
    } else if sandbox.is_checkpointed && loaded.saves_states() {
        let (row, parts) = (run.row_in(end.clone()), run.log.unstored());
        let stored = loaded.save(&shared.resources, &sandbox.id, move |connection| {
            rows::put_run_with_output(connection, &row, &parts)
        });
        match stored.await {
            Ok(()) => {
                drop(loaded);
                return acknowledge(shared, run, end, Some(sandbox)).await;
            }
            // The guest goes on; its state is saved with the next program.
            Err(error) => tracing::warn!(%error, "a context was not saved"),
        }
        drop(loaded);
    } else if !sandbox.is_checkpointed && !run.is_stored() && shared.resources.replicas.is_none() {
        drop(loaded);
        return end_and_store(shared, run, end).await;
    }
    let _ = store_progress(shared, run, &end).await;
    // Its files may have changed.
    acknowledge(shared, run, end, Some(sandbox)).await;
}

/// Stores that a program is paused. Its guest ends. So does a program that cannot be stored: it could wait for days in its guest, and would
/// be lost with the server.
async fn pause(shared: &Arc<Shared>, run: &Arc<LiveRun>, mut loaded: Loaded) {
    let calls = loaded.session().map(|session| session.paused_calls().to_vec()).unwrap_or_default();
    let of_session = Arc::clone(&shared.resources);
    let bytes = loaded.with_session(move |session| session.paused_to_bytes(&of_session.key)).await;
    // Answers and a cancellation wait until the program is stored.
    let place = run.paused.lock().await;
    let (written, next) = match store_paused(shared, run, calls, bytes).await {
        Ok(stored) => stored,
        Err(error) => {
            if let Some(session) = loaded.session() {
                session.forget_paused_file();
            }
            drop(place);
            fail(shared, run, error).await;
            return loaded.discard().await;
        }
    };
    let context = Arc::clone(loaded.context());
    loaded.keep_for(&run.id);
    run.enter(next);
    drop((place, written));
    if context.is_being_deleted() {
        run.cancel.cancel();
    }
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
        let (mut changes, stopping) = (run.log.changes(), &shared.resources.stopping);
        while run.state() == RunState::Paused && !run.cancel.is_cancelled() && !stopping.is_cancelled() {
            tokio::select! {
                () = run.cancel.cancelled() => {}
                () = stopping.cancelled() => {}
                _ = changes.changed() => {}
            }
        }
        // A server that is being stopped waits for this, or it is left to the next one.
        let _counted = shared.resources.tasks.token();
        let place = run.paused.lock().await;
        if run.state() != RunState::Paused || !run.cancel.is_cancelled() || stopping.is_cancelled() {
            return;
        }
        // Requests that wait for the context, to use or to delete it, find that the run has ended.
        let guard = context.kept_by(&run.id);
        fail(&shared, &run, cancelled()).await;
        if let Some(guard) = guard {
            guard.discard().await;
        }
        drop(place);
    });
}
