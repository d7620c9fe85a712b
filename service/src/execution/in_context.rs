//! Stores how programs in contexts end, or that they are paused.
//!
//! The context is kept for a program that is paused. What is stored of it is its state before the program, which it returns to if the
//! program is cancelled; the program is stored with the names around it.

use std::sync::Arc;

use isolette::Error;

use super::{
    end::{acknowledge, end_and_store, fail, store_and_acknowledge, store_end, store_paused},
    outcome::{Outcome, cancelled},
};
use crate::{
    failure::{ErrorDetail, detail},
    run::{LiveRun, Progress, RunState},
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
    let mut end = run.after(outcome.end());
    if loaded.has_ended() {
        // The next program begins with the state that was saved last.
        end.warning = lost_before(&loaded);
        loaded.discard().await;
    } else if sandbox.is_checkpointed && loaded.saves_states() {
        let (row, parts) = (run.row_in(end.clone()), run.log.unstored());
        let first = parts.first().map(|part| part.number);
        let stored = loaded
            .save(&shared.resources, sandbox, move |connection| rows::put_run_with_output(connection, &row, &parts));
        match stored.await {
            Ok(()) => {
                drop(loaded);
                return acknowledge(shared, run, end, Some(sandbox)).await;
            }
            Err(error) => {
                run.log.not_stored(first);
                not_saved(loaded, &mut end, &error).await;
            }
        }
    } else if !sandbox.is_checkpointed && !run.is_stored() && shared.resources.replicas.is_none() {
        drop(loaded);
        return end_and_store(shared, run, end).await;
    }
    // Its files may have changed.
    store_and_acknowledge(shared, run, end, Some(sandbox)).await;
}

/// Reports that the effects of a program on its context were not saved. The context returns to the state that is stored, since what
/// was reported as done must be there after a restart, too. A state of a kind that cannot be saved stays in the guest, and the result says so.
async fn not_saved(loaded: Loaded, end: &mut Progress, error: &Error) {
    let why = detail(error);
    if loaded.is_held_by_host() {
        let message = format!(
            "the context is in its guest only, until a later program leaves what can be saved: {}",
            why.message
        );
        end.warning = Some(ErrorDetail { message, ..why });
        return;
    }
    tracing::warn!(%error, "a context was not saved, and has returned to its last state");
    end.warning = lost_before(&loaded);
    loaded.discard().await;
    let what = "the effects of the program on its context were not saved, and are undone";
    end.error = Some(match end.error.take() {
        Some(before) => ErrorDetail { message: format!("{}; {what}: {}", before.message, why.message), ..before },
        None => ErrorDetail {
            message: format!("{what} (those on files and through tools are not): {}", why.message),
            ..why
        },
    });
    if end.state == RunState::Succeeded {
        end.state = RunState::Failed;
    }
}

/// The warning about earlier programs whose effects are lost with the guest.
fn lost_before(loaded: &Loaded) -> Option<ErrorDetail> {
    let count = loaded.unsaved_before();
    (count > 0).then(|| ErrorDetail {
        kind: "Lost".into(),
        message: format!(
            "the context has returned to the state that was saved last: the effects of {count} programs before this one are lost \
             with its guest"
        ),
        hint: "let the server save contexts after each program (`checkpoint`), or pause the sandbox to save it".into(),
    })
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
