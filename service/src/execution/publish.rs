//! Runs that others have to know: those in the background, and those that are paused.

use std::{collections::HashSet, sync::Arc};

use futures_util::{StreamExt as _, stream};
use isolette::SavedRun;

use super::unfinished;
use crate::{
    blocking::blocking,
    failure::{ErrorDetail, Failure},
    replicas::{Holder, Replicas, RunRecord, keys},
    run::{LiveRun, Progress, RunState},
    shared::Shared,
    store::{
        Digest,
        rows::{self, OutputRow, RunRow},
    },
};

/// Maximum number of runs of one caller that are listed.
const LISTED: usize = 100_000;

/// Maximum number of records that are read at the same time.
const READ_AT_ONCE: usize = 16;

/// How often a record is read again because another replica has written it meanwhile.
const ATTEMPTS: usize = 10;

/// Writes what other replicas need to report about a run, or to continue it, when it will have come this far.
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
    *version = Some(replicas.swap(&key, &record, version.as_ref()).await?.ok_or_else(Failure::moved)?);
    if has_ended {
        replicas.objects.delete(&keys::paused(&record.row.id)).await?;
    }
    Ok(())
}

/// Where a run is: the replica that has it, or `None` if this one has it, has continued it, or knows how it has
/// ended.
pub(crate) async fn place(shared: &Arc<Shared>, owner: &str, id: &str) -> Result<Option<Holder>, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(None) };
    if shared.resources.runs.find(owner, id).is_some() {
        return Ok(None);
    }
    // The process that has begun the run.
    let first = id.rsplit_once('.').map_or("", |(_, replica)| replica);
    if first != replicas.id
        && crate::id::is_name(id)
        && let Some(holder) = replicas.holder(first).await?
    {
        return Ok(Some(holder));
    }
    for _ in 0..ATTEMPTS {
        let Some((record, version)) = replicas.read::<RunRecord>(&keys::run(owner, id)).await? else { return Ok(None) };
        let holder = record.holder.as_deref();
        if let Some(holder) = holder.filter(|holder| *holder != replicas.id)
            && let Some(holder) = replicas.holder(holder).await?
        {
            return Ok(Some(holder));
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

/// The runs of a caller that replicas have begun which are gone, the latest first.
pub(crate) async fn of_others(
    shared: &Arc<Shared>,
    owner: &str,
    known: &HashSet<String>,
    limit: usize,
) -> Result<Vec<RunRow>, Failure> {
    let Some(replicas) = &shared.resources.replicas else { return Ok(Vec::new()) };
    let mut listed = replicas.objects.list(&keys::runs_of(owner), LISTED).await?;
    listed.retain(|listed| listed.key.rsplit('/').next().is_some_and(|id| !known.contains(id)));
    listed.sort_by_key(|listed| std::cmp::Reverse(listed.modified));
    listed.truncate(limit);
    let read = |key: String| async move { replicas.read::<RunRecord>(&key).await };
    let keys = listed.into_iter().map(|listed| listed.key);
    let found: Vec<_> = stream::iter(keys).map(read).buffer_unordered(READ_AT_ONCE).collect().await;
    let mut rows = Vec::new();
    for record in found {
        let Some((record, _)) = record? else { continue };
        let row = match (&record.holder, RunState::stored(&record.row.state)) {
            (None, _) | (_, RunState::Paused) => record.row,
            // It was begun, and is not among those of the servers that are there.
            (Some(holder), _) if *holder != replicas.id && replicas.member(holder).await?.is_none() => lost(record.row),
            _ => continue,
        };
        rows.push(row);
    }
    Ok(rows)
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
        RunState::Paused => {
            replicas.objects.get(&keys::paused(&record.row.id), shared.resources.limits.stored_bytes).await?
        }
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
