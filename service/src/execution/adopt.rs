//! Finds the replica that has a run, continues what none has, and reports what is lost.

use std::{
    collections::HashSet,
    sync::{Arc, atomic::Ordering},
};

use super::{publish::abandon, unfinished};
use crate::{
    failure::{ErrorDetail, Failure},
    replicas::{Holder, LISTED, Replicas, RunRecord, keys},
    run::RunState,
    shared::Shared,
    store::rows::{self, OutputRow, RunRow},
};

/// Maximum number of attempts to take over a run whose record another replica writes meanwhile.
const ATTEMPTS: usize = 10;

/// The location of a run: the replica that has it, or `None` if this one has it, has continued it, or knows how it has
/// ended.
pub(crate) async fn place(shared: &Arc<Shared>, owner: &str, id: &str) -> Result<Option<Holder>, Failure> {
    let Some(replicas) = shared.resources.replicas.as_ref().filter(|_| is_identifier(id)) else { return Ok(None) };
    if let Some(run) = shared.resources.runs.find(owner, id) {
        let is_certain = run.epoch.load(Ordering::SeqCst) == replicas.epoch() && replicas.is_current();
        if is_certain || run.version.lock().await.is_none() {
            return Ok(None);
        }
    }
    let one = replicas.moving(id);
    let _one_at_a_time = one.lock().await;
    for _ in 0..ATTEMPTS {
        let Some((record, version)) = replicas.read::<RunRecord>(&keys::run(owner, id)).await? else {
            // It has no record: the process that has begun it knows it, as long as that process runs.
            let first = id.split('-').nth(2).unwrap_or_default();
            return match first.is_empty() || first == replicas.id {
                true => Ok(None),
                false => replicas.holder(first).await,
            };
        };
        let holder = record.holder.as_deref();
        if holder != Some(&replicas.id)
            && let Some(run) = shared.resources.runs.find(owner, id)
        {
            // It was continued elsewhere while other servers regarded this one as gone.
            abandon(shared, &run);
        }
        if let Some(holder) = holder.filter(|holder| *holder != replicas.id)
            && let Some(holder) = replicas.holder(holder).await?
        {
            return Ok(Some(holder));
        }
        if holder.is_none() {
            store(shared, &record.row, record.output).await?;
            return Ok(None);
        }
        if let Some(run) = shared.resources.runs.find(owner, id) {
            run.epoch.store(replicas.epoch(), Ordering::SeqCst);
            return Ok(None);
        }
        // Also if this server has taken it before, and could not continue it.
        if take(shared, replicas, &record, &version).await? {
            return Ok(None);
        }
    }
    Err(Failure::busy("the run moves from one server to another", "send the request again"))
}

/// The runs of a caller that were begun by replicas that are gone, the latest first.
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
    // The output is left out.
    let keep = |record: RunRecord| RunRecord { output: Vec::new(), ..record };
    let keys: Vec<_> = listed.into_iter().map(|listed| listed.key).collect();
    let mut rows = Vec::new();
    for record in replicas.read_all(keys, keep).await? {
        let row = match (&record.holder, RunState::stored(&record.row.state)) {
            (None, _) | (_, RunState::Paused) => record.row,
            // It was begun, and no running server has it.
            (holder, _) if !replicas.is_held(holder.as_deref()).await? => lost(record.row),
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
    let written = shared.resources.store.write(&record.row.owner, &program.bytes, &mut None).await?;
    let row = RunRow { blob: Some(written.digest.clone()), ..record.row.clone() };
    store(shared, &row, record.output.clone()).await?;
    unfinished::wait_again(shared, row, record.output.clone(), Some(version)).await;
    Ok(true)
}

fn lost(row: RunRow) -> RunRow {
    let error = ErrorDetail {
        kind: "Lost".into(),
        message: "the server that had the program is gone".into(),
        hint: "look at its context, which may have its effects, before you run it again".into(),
    };
    RunRow {
        state: RunState::Lost.as_str().into(),
        ended: Some(crate::clock::now()),
        calls: "[]".into(),
        warning: None,
        error: serde_json::to_string(&error).ok(),
        blob: None,
        ..row
    }
}

fn is_identifier(id: &str) -> bool {
    id.starts_with("run-") && crate::id::is_name(id)
}

/// Stores a run in the database of this server, too.
async fn store(shared: &Arc<Shared>, row: &RunRow, output: Vec<OutputRow>) -> Result<(), Failure> {
    let row = row.clone();
    let store = &shared.resources.store;
    let unused = store.change(move |connection| rows::put_run_with_output(connection, &row, &output)).await?;
    store.remove_blobs(unused).await;
    Ok(())
}
