//! The runs that an earlier process has not ended.

use std::sync::Arc;

use isolette::Error;

use super::{Execution, Target, in_context::wait_in_context, publish::saved_run};
use crate::{
    failure::ErrorDetail,
    run::{LiveRun, Log, Phase, RunState, StoredRequest},
    sandboxes::DEFAULT_CONTEXT,
    shared::Shared,
    store::{
        Digest,
        rows::{self, RunRow},
    },
};

/// Takes over runs: those that had not begun are begun, those that were paused wait, and those that ran are lost.
pub(crate) async fn take_over(shared: &Arc<Shared>) -> Result<(), Error> {
    let found = shared
        .resources
        .store
        .read(|connection| {
            let rows = rows::unfinished_runs(connection)?;
            rows.into_iter().map(|row| Ok((rows::output_of(connection, &row.id)?, row))).collect()
        })
        .await?;
    let mut found: Vec<(Vec<rows::OutputRow>, RunRow)> = found;
    // Those that are paused have their contexts before others get these.
    found.sort_by_key(|(_, row)| RunState::stored(&row.state) != RunState::Paused);
    for (output, row) in found {
        let request: StoredRequest = serde_json::from_str(&row.request).unwrap_or_default();
        let state = RunState::stored(&row.state);
        let run = LiveRun::stored(&row, request, Log::stored(output, false), shared.resources.ending.child_token());
        shared.resources.runs.restore(&run);
        match state {
            RunState::Queued => match target(shared, &run) {
                Some(target) => Execution { shared: Arc::clone(shared), run, target }.spawn(),
                None => lose(shared, &run).await,
            },
            RunState::Paused => match row.blob {
                Some(digest) => wait(shared, &run, digest).await,
                None => lose(shared, &run).await,
            },
            _ => lose(shared, &run).await,
        }
    }
    Ok(())
}

/// Lets a paused program of another process wait here.
pub(super) async fn wait_again(
    shared: &Arc<Shared>,
    row: RunRow,
    output: Vec<rows::OutputRow>,
    version: Option<isolette_objects::Version>,
) {
    let request: StoredRequest = serde_json::from_str(&row.request).unwrap_or_default();
    let run = LiveRun::stored(&row, request, Log::stored(output, false), shared.resources.ending.child_token());
    *run.version.lock().await = version;
    if let Some(replicas) = &shared.resources.replicas {
        run.epoch.store(replicas.epoch(), std::sync::atomic::Ordering::SeqCst);
    }
    shared.resources.runs.restore(&run);
    if let Some(digest) = row.blob {
        wait(shared, &run, digest).await;
    }
}

async fn wait(shared: &Arc<Shared>, run: &Arc<LiveRun>, digest: Digest) {
    let saved = match saved_run(shared, digest.clone()).await {
        Ok(saved) => saved,
        Err(error) => return super::end::fail(shared, run, error).await,
    };
    run.enter(run.after(Phase::Paused { calls: saved.calls(), blob: Some(digest) }));
    if run.sandbox.is_none() {
        return;
    }
    let has_place = match target(shared, run) {
        Some(Target::Context(_, context)) => wait_in_context(shared, run, context),
        _ => false,
    };
    if !has_place {
        let (message, hint) = ("its sandbox or its context is gone", "run the program again, in another one");
        end_as_lost(shared, run, message, hint).await;
    }
}

fn target(shared: &Arc<Shared>, run: &LiveRun) -> Option<Target> {
    let Some(sandbox) = &run.sandbox else { return Some(Target::Fresh(run.request.spec.clone().unwrap_or_default())) };
    let sandbox = shared.sandboxes.find(&run.owner, sandbox).ok()?;
    let name = run.context.as_deref().unwrap_or(DEFAULT_CONTEXT);
    let language = run.request.language.parse().ok()?;
    let (context, _) = sandbox.context_or_new(name, language, &shared.resources).ok()?;
    Some(Target::Context(sandbox, context))
}

async fn lose(shared: &Arc<Shared>, run: &Arc<LiveRun>) {
    let message = "the server was ended while the program ran";
    end_as_lost(shared, run, message, "run it again; its context is as it was before the program").await;
}

async fn end_as_lost(shared: &Arc<Shared>, run: &Arc<LiveRun>, message: &str, hint: &str) {
    let error = ErrorDetail { kind: "Lost".into(), message: message.into(), hint: hint.into() };
    let end = run.after(Phase::Ended { state: RunState::Lost, result: None, error: Some(error) });
    let _ = super::end::store_progress(shared, run, &end).await;
    run.enter(end);
    run.finish();
    shared.resources.runs.remove(&run.id);
}
