//! Stores how runs end or are paused, and lets those that wait for it go on.

use std::{sync::Arc, time::Duration};

use isolette::{Error, PausedCall};
use rusqlite::Connection;
use tokio::runtime::Handle;

use super::{
    outcome::{Outcome, cancelled},
    publish::{abandon, publish},
};
use crate::{
    blocking::blocking,
    failure::{ErrorDetail, Failure, detail},
    run::{LiveRun, Phase, Progress, RunState},
    sandboxes::LiveSandbox,
    shared::Shared,
    store::{Digest, Written, rows},
};

/// Interval between attempts to write a paused program to a shared store that could not be reached.
const PUBLISHED_EVERY: Duration = Duration::from_secs(5);

/// Interval between attempts to store the end of a run that could not be stored.
const STORED_AGAIN: Duration = Duration::from_secs(1);

/// Stores how a run outside of sandboxes has ended, or that it is paused.
pub(super) async fn settle(shared: &Arc<Shared>, run: &Arc<LiveRun>, outcome: Outcome) {
    let Outcome::Paused(paused) = outcome else {
        return store_end(shared, run, run.after(outcome.end())).await;
    };
    let calls = paused.calls().to_vec();
    // The program is saved, and its guest ends.
    let key = Arc::clone(shared);
    let saved = blocking(move || {
        let mut paused = paused;
        let bytes = paused.to_bytes(&key.resources.key);
        Ok((bytes, paused))
    });
    let (bytes, mut paused) = match saved.await {
        Ok(saved) => saved,
        Err(error) => return fail(shared, run, error).await,
    };
    // Answers and a cancellation wait until the program is stored and its guest is gone.
    let mut place = run.paused.lock().await;
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            // Nothing of its kind can be stored. It waits in this process, and is lost with it.
            paused.forget_file();
            *place = Some(paused);
            let mut next = run.after(Phase::Paused { calls, blob: None });
            next.warning = Some(would_not_survive(&detail(&error)));
            if let Err(error) = store_progress(shared, run, &next).await {
                next.warning = Some(would_not_survive(&detail(&error)));
            }
            return run.enter(next);
        }
    };
    let (written, mut next) = match store_paused(shared, run, calls, Ok(bytes)).await {
        Ok(stored) => stored,
        Err(error) => {
            // As in contexts, it ends with the reason: it could wait for days, and would be lost with the server.
            paused.forget_file();
            drop(place);
            fail(shared, run, error).await;
            let _ = blocking(move || {
                drop(paused);
                Ok(())
            })
            .await;
            return;
        }
    };
    match publish(shared, run, &next).await {
        Ok(()) => run.enter(next),
        Err(failure) if failure.is_moved() => abandon(shared, run),
        Err(failure) => {
            next.warning = Some(would_not_survive(&failure.detail()));
            run.enter(next);
            tokio::spawn(publish_later(Arc::clone(shared), Arc::clone(run)));
        }
    }
    drop(written);
    let _ = blocking(move || {
        drop(paused);
        Ok(())
    })
    .await;
    // A cancellation that came before the program was stored has found nothing to end.
    if run.cancel.is_cancelled() && run.state() == RunState::Paused {
        fail(shared, run, cancelled()).await;
    }
}

/// Writes a paused program to the shared store as soon as that can be reached, unless it goes on before.
async fn publish_later(shared: Arc<Shared>, run: Arc<LiveRun>) {
    while run.state() == RunState::Paused && !shared.resources.stopping.is_cancelled() {
        tokio::time::sleep(PUBLISHED_EVERY).await;
        let place = run.paused.lock().await;
        if run.state() != RunState::Paused {
            return;
        }
        let next = Progress { warning: None, ..run.progress() };
        match publish(&shared, &run, &next).await {
            Err(failure) if failure.is_moved() => return abandon(&shared, &run),
            Err(_) => drop(place),
            Ok(()) => return run.remove_warning(),
        }
    }
}

pub(super) async fn fail(shared: &Arc<Shared>, run: &Arc<LiveRun>, error: Error) {
    store_end(shared, run, run.after(Outcome::Ended(Err(error)).end())).await;
}

/// Stores that a program will be paused, with its bytes, which are kept until the first value is dropped and after that by the database.
pub(super) async fn store_paused(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    calls: Vec<PausedCall>,
    bytes: Result<Vec<u8>, Error>,
) -> Result<(Written, Progress), Error> {
    let mut room = run.set_room(None);
    let written = shared.resources.store.write(&run.owner, &bytes?, &mut room).await?;
    let next = run.after(Phase::Paused { calls, blob: Some(written.digest.clone()) });
    store_progress(shared, run, &next).await.map(|()| (written, next))
}

/// Stores the next progress of a run, before it is visible.
pub(super) async fn store_progress(shared: &Arc<Shared>, run: &Arc<LiveRun>, next: &Progress) -> Result<(), Error> {
    run.set_stored();
    let (row, parts) = (run.row_in(next.clone()), run.log.unstored());
    let first = parts.first().map(|part| part.number);
    let store = &shared.resources.store;
    match store.change(move |connection| rows::put_run_with_output(connection, &row, &parts)).await {
        Ok(unused) => {
            store.remove_blobs(unused).await;
            Ok(())
        }
        Err(error) => {
            run.log.not_stored(first);
            tracing::error!(%error, run = run.id, "a run was not stored");
            Err(error)
        }
    }
}

/// Stores the end of a run, and lets those that wait for it go on.
pub(super) async fn store_end(shared: &Arc<Shared>, run: &Arc<LiveRun>, end: Progress) {
    if run.sandbox.is_some() || run.is_stored() {
        return store_and_acknowledge(shared, run, end, None).await;
    }
    end_and_store(shared, run, end).await;
}

/// Stores the end of a run, and makes it visible. A program whose end cannot be stored has not succeeded: later requests, and the next
/// server, would not know of it.
pub(super) async fn store_and_acknowledge(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    mut end: Progress,
    sandbox: Option<&LiveSandbox>,
) {
    let has_row = run.is_stored();
    let Err(error) = store_progress(shared, run, &end).await else {
        return acknowledge(shared, run, end, sandbox).await;
    };
    if end.state == RunState::Succeeded {
        end.state = RunState::Failed;
        end.error = Some(ErrorDetail {
            message: format!("the program has run, and its end was not stored: {}", detail(&error).message),
            ..detail(&error)
        });
    }
    run.enter(end.clone());
    run.finish();
    match has_row {
        true => drop(tokio::spawn(store_later(Arc::clone(shared), Arc::clone(run), end))),
        // The response has all that is known of it.
        false => shared.resources.runs.remove(&run.id),
    }
}

/// Stores the end of a run of which the database has the beginning, as soon as it can. Until then, this process knows it.
async fn store_later(shared: Arc<Shared>, run: Arc<LiveRun>, end: Progress) {
    while !shared.resources.stopping.is_cancelled() {
        tokio::time::sleep(STORED_AGAIN).await;
        if store_progress(&shared, &run, &end).await.is_ok() {
            let _ = publish(&shared, &run, &end).await;
            return shared.resources.runs.remove(&run.id);
        }
    }
}

/// Lets those that wait for a run go on, and stores its end soon after. This is for programs in the foreground whose effects on a
/// context, if any, are not saved: nothing is acknowledged to their callers but the response itself.
pub(super) async fn end_and_store(shared: &Arc<Shared>, run: &Arc<LiveRun>, end: Progress) {
    let (row, parts) = (run.row_in(end.clone()), run.log.unstored());
    run.enter(end);
    run.finish();
    let (runtime, shared_, id) = (Handle::current(), Arc::clone(shared), run.id.clone());
    let store = move |connection: &Connection| rows::put_run_with_output(connection, &row, &parts);
    let stored = move |result: Result<Vec<Digest>, Error>| {
        shared_.resources.runs.remove(&id);
        match result {
            Ok(unused) if unused.is_empty() => {}
            Ok(unused) => drop(runtime.spawn(async move { shared_.resources.store.remove_blobs(unused).await })),
            Err(error) => tracing::error!(%error, "a run was not stored"),
        }
    };
    shared.resources.store.post_deferred(store, stored).await;
}

/// Makes the end of a stored run visible, after everything that it has changed is in the shared store.
pub(super) async fn acknowledge(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    mut end: Progress,
    sandbox: Option<&LiveSandbox>,
) {
    let published = async {
        if let Some(sandbox) = sandbox {
            sandbox.publish(&shared.resources).await?;
        }
        publish(shared, run, &end).await
    };
    if let Err(failure) = published.await {
        end = run.after(not_acknowledged(&failure));
        let _ = store_progress(shared, run, &end).await;
    }
    run.enter(end);
    run.finish();
    shared.resources.runs.remove(&run.id);
}

/// The warning about a program that waits in this server only.
fn would_not_survive(why: &ErrorDetail) -> ErrorDetail {
    ErrorDetail {
        kind: why.kind.clone(),
        message: format!("the program waits in this server only, and is lost with it: {}", why.message),
        hint: "answer its calls soon".into(),
    }
}

/// The end of a run whose effects do not survive.
fn not_acknowledged(failure: &Failure) -> Phase {
    Phase::Ended { state: RunState::Lost, result: None, error: Some(failure.detail()) }
}
