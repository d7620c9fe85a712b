//! Writes runs that other replicas have to know: those in the background, and those that are paused.

use std::sync::{Arc, atomic::Ordering};

use isolette::SavedRun;

use crate::{
    blocking::blocking,
    failure::Failure,
    replicas::{RunRecord, keys},
    run::{LiveRun, Progress, RunState},
    shared::Shared,
    store::{Digest, rows},
};

/// Writes the record that other replicas need to report about a run with this progress, or to continue it.
///
/// # Errors
/// With status 503 if the store cannot be reached, or if another replica has the run by now.
pub(crate) async fn publish(shared: &Arc<Shared>, run: &LiveRun, next: &Progress) -> Result<(), Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(()) };
    let mut version = run.version.lock().await;
    if !run.request.is_background && next.state != RunState::Paused && version.is_none() {
        return Ok(());
    }
    let row = run.row_in(next.clone());
    if let Some(digest) = &row.blob {
        let (blobs, wanted) = (Arc::clone(&shared.resources.store.blobs), digest.clone());
        let bytes = blocking(move || blobs.read(&wanted)).await?;
        replicas.objects.put(&keys::paused(&row.id), bytes.into()).await?;
    }
    let (key, id, has_ended) = (keys::run(&row.owner, &row.id), row.id.clone(), row.ended.is_some());
    let read = move |connection: &rusqlite::Connection| rows::output_of(connection, &id);
    let output = shared.resources.store.read(read).await?;
    let holder = (!has_ended).then(|| replicas.id.clone());
    let record = RunRecord { holder, nonce: crate::id::random_text(), row, output };
    let written = replicas.swap_own(&key, &record, version.as_ref()).await?;
    *version = Some(written.ok_or_else(Failure::moved)?);
    run.epoch.store(replicas.epoch(), Ordering::SeqCst);
    if has_ended {
        replicas.objects.delete(&keys::paused(&record.row.id)).await?;
    }
    Ok(())
}

/// Forgets a run that another replica has.
pub(super) fn abandon(shared: &Arc<Shared>, run: &Arc<LiveRun>) {
    run.cancel.cancel();
    run.finish();
    shared.resources.runs.remove(&run.id);
}

/// Reads the program of a paused run.
pub(super) async fn saved_run(shared: &Arc<Shared>, digest: Digest) -> Result<SavedRun, isolette::Error> {
    let shared = Arc::clone(shared);
    blocking(move || SavedRun::from_bytes(shared.resources.store.blobs.read(&digest)?, &shared.resources.key)).await
}
