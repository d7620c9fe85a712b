//! Runs that others have to know: those in the background, and those that are paused.

use std::sync::Arc;

use isolette::SavedRun;

use super::unfinished;
use crate::{
    blocking::blocking,
    failure::{ErrorDetail, Failure},
    replicas::{Replicas, RunRecord, keys, moved},
    run::{LiveRun, RunState},
    shared::Shared,
    store::{
        Digest,
        rows::{self, OutputRow, RunRow},
    },
};

/// How often a record is read again because another replica has written it meanwhile.
const ATTEMPTS: usize = 10;

/// Writes what other replicas need to report about a run, or to continue it.
///
/// # Errors
/// With status 503 if the store cannot be reached, or if another replica has the run by now.
pub(crate) async fn publish(shared: &Arc<Shared>, run: &LiveRun) -> Result<(), Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(()) };
    let mut version = run.version.lock().await;
    let state = run.state();
    if !run.request.is_background && state != RunState::Paused && version.is_none() {
        return Ok(());
    }
    let row = run.row();
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
    *version = Some(replicas.swap(&key, &record, version.as_ref()).await?.ok_or_else(moved)?);
    if has_ended {
        replicas.objects.delete(&keys::paused(&record.row.id)).await?;
    }
    Ok(())
}

/// Where a run is: the address of the replica that has it, or `None` if this one has it, has continued it, or knows how it has
/// ended.
pub(crate) async fn place(shared: &Arc<Shared>, owner: &str, id: &str) -> Result<Option<String>, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(None) };
    if shared.resources.runs.find(owner, id).is_some() {
        return Ok(None);
    }
    // The process that has begun the run.
    let first = id.rsplit_once('.').map_or("", |(_, replica)| replica);
    if first != replicas.id
        && crate::id::is_name(id)
        && let Some(member) = replicas.member(first).await?
    {
        return Ok(Some(member.url));
    }
    for _ in 0..ATTEMPTS {
        let Some((record, version)) = replicas.read::<RunRecord>(&keys::run(owner, id)).await? else { return Ok(None) };
        let holder = record.holder.as_deref();
        if let Some(holder) = holder.filter(|holder| *holder != replicas.id)
            && let Some(member) = replicas.member(holder).await?
        {
            return Ok(Some(member.url));
        }
        if holder.is_none() {
            store(shared, &record.row, record.output).await?;
            return Ok(None);
        }
        let is_mine = holder == Some(&replicas.id);
        if is_mine || take(shared, replicas, &record, &version).await? {
            return Ok(None);
        }
    }
    Err(Failure::busy("the run moves from one server to another", "send the request again"))
}

/// Continues a run that is paused, or reports that it is lost.
async fn take(
    shared: &Arc<Shared>,
    replicas: &Replicas,
    record: &RunRecord,
    version: &isolette_objects::Version,
) -> Result<bool, Failure> {
    let key = keys::run(&record.row.owner, &record.row.id);
    let program = match RunState::stored(&record.row.state) {
        RunState::Paused => replicas.objects.get(&keys::paused(&record.row.id), shared.resources.limits.stored_bytes).await?,
        _ => None,
    };
    let Some(program) = program else {
        let row = lost(record.row.clone());
        let record = RunRecord { holder: None, nonce: crate::id::random_text(), row, output: record.output.clone() };
        if replicas.swap(&key, &record, Some(version)).await?.is_none() {
            return Ok(false);
        }
        return store(shared, &record.row, record.output).await.map(|()| true);
    };
    let taken = RunRecord { holder: Some(replicas.id.clone()), nonce: crate::id::random_text(), ..record.clone() };
    let Some(version) = replicas.swap(&key, &taken, Some(version)).await? else { return Ok(false) };
    let blobs = Arc::clone(&shared.resources.store.blobs);
    let written = blocking(move || blobs.write(&program.bytes)).await?;
    let row = RunRow { blob: Some(written.digest.clone()), ..record.row.clone() };
    store(shared, &row, record.output.clone()).await?;
    unfinished::wait_again(shared, row, record.output.clone(), Some(version)).await;
    Ok(true)
}

fn lost(row: RunRow) -> RunRow {
    let error = ErrorDetail {
        kind: "Lost".into(),
        message: "the server that had the program is gone".into(),
        hint: "run it again; its context is as it was before the program".into(),
    };
    RunRow {
        state: RunState::Lost.as_str().into(),
        ended: Some(crate::clock::now()),
        calls: "[]".into(),
        error: serde_json::to_string(&error).ok(),
        blob: None,
        ..row
    }
}

/// Stores a run here, too.
async fn store(shared: &Arc<Shared>, row: &RunRow, output: Vec<OutputRow>) -> Result<(), Failure> {
    let row = row.clone();
    let change = move |connection: &rusqlite::Connection| {
        let unused = rows::put_run(connection, &row)?;
        rows::put_output(connection, &row.id, &output)?;
        Ok(unused)
    };
    let unused = shared.resources.store.change(change).await?;
    shared.resources.store.remove_blobs(unused.into_iter().collect()).await;
    Ok(())
}

/// Reads the program of a paused run.
pub(super) async fn saved_run(shared: &Arc<Shared>, digest: Digest) -> Result<SavedRun, isolette::Error> {
    let shared = Arc::clone(shared);
    blocking(move || SavedRun::from_bytes(shared.resources.store.blobs.read(&digest)?, &shared.resources.key)).await
}
