//! Executes a run from its place in the queue to its stored end.

use std::{sync::Arc, time::Duration};

use isolette::{Error, ExecutionResult, Language, PausedRun, RunOptions, Sandbox, Step};

use super::publish::{abandon, publish};
use crate::{
    blocking::blocking,
    failure::{ErrorDetail, Failure, detail},
    grants::Key,
    run::{LiveRun, Phase, Progress, RunState},
    sandboxes::{Context, LiveSandbox, Loaded},
    shared::Shared,
    spec::{SandboxSpec, parse_language},
    store::rows,
};

/// How often output of programs in the background is stored while they run.
const STORED_EVERY: Duration = Duration::from_secs(1);

/// How often it is tried to write a paused program to a shared store that could not be reached.
const PUBLISHED_EVERY: Duration = Duration::from_secs(5);

/// Where a program runs.
pub(crate) enum Target {
    /// In a guest of its own.
    Fresh(SandboxSpec),
    /// In a context of a sandbox.
    Context(Arc<LiveSandbox>, Arc<Context>),
}

/// A run and where it runs.
pub(crate) struct Execution {
    pub(crate) shared: Arc<Shared>,
    pub(crate) run: Arc<LiveRun>,
    pub(crate) target: Target,
}

/// What a program was when its guest gave an answer.
#[expect(clippy::large_enum_variant, reason = "it is moved once for each run")]
pub(super) enum Outcome {
    Ended(Result<ExecutionResult, Error>),
    Paused(PausedRun),
    /// It has not begun.
    Refused(Failure),
}

impl Execution {
    /// Starts the run in the background. `LiveRun::finished` waits for it.
    pub(crate) fn spawn(self) {
        let tasks = self.shared.resources.tasks.clone();
        tasks.spawn(self.perform());
    }

    async fn perform(self) {
        let Self { shared, run, target } = self;
        match target {
            Target::Fresh(spec) => {
                let outcome = {
                    let performed = fresh(&shared, &run, &spec);
                    while_storing(&shared, &run, performed).await
                };
                settle(&shared, &run, outcome).await;
            }
            Target::Context(sandbox, context) => {
                let (outcome, loaded) = {
                    let performed = in_context(&shared, &run, &sandbox, &context);
                    while_storing(&shared, &run, performed).await
                };
                end_in_context(&shared, &run, &sandbox, outcome, loaded).await;
                sandbox.touch();
            }
        }
    }
}

/// Stores output of a program in the background from time to time, so that it survives the process.
pub(super) async fn while_storing<T>(shared: &Arc<Shared>, run: &LiveRun, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    if !run.request.is_background {
        return work.await;
    }
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = tokio::time::sleep(STORED_EVERY) => store_output(shared, run).await,
        }
    }
}

async fn store_output(shared: &Arc<Shared>, run: &LiveRun) {
    let (id, parts) = (run.id.clone(), run.log.unstored());
    if !parts.is_empty() {
        shared.resources.store.post(move |connection| rows::put_output(connection, &id, &parts)).await;
    }
}

async fn fresh(shared: &Arc<Shared>, run: &Arc<LiveRun>, spec: &SandboxSpec) -> Outcome {
    let turn = match shared.resources.turn(&run.owner, &run.cancel).await {
        Ok(turn) => turn,
        Err(failure) => return Outcome::Refused(failure),
    };
    let sandbox = match sandbox_for(shared, run, spec).await {
        Ok(sandbox) => sandbox,
        Err(failure) => return Outcome::Refused(failure),
    };
    if let Err(failure) = store_start(shared, run).await {
        return Outcome::Refused(failure);
    }
    let turn = Arc::new(turn);
    // A program that has no place has not begun.
    let start = || sandbox.start_async(&run.request.code, options(run).hold(Arc::clone(&turn)));
    Outcome::of(shared.sandboxes.with_room(&shared.resources, || Box::pin(start())).await)
}

/// The sandbox of the library for a program outside of sandboxes.
pub(super) async fn sandbox_for(shared: &Arc<Shared>, run: &LiveRun, spec: &SandboxSpec) -> Result<Sandbox, Failure> {
    let language: Language = parse_language(&run.request.language)?;
    Ok(shared.resources.sandbox(Key::new(spec, language, None)).await?)
}

async fn in_context(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    sandbox: &LiveSandbox,
    context: &Arc<Context>,
) -> (Outcome, Option<Loaded>) {
    let prepared = async {
        let guard = tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(cancelled().into()),
            guard = context.lock() => guard?,
            () = tokio::time::sleep(shared.resources.limits.waiting_time) => {
                return Err(Failure::busy("another program uses the context", "wait for it, cancel it, or name another context"));
            }
        };
        let turn = shared.resources.turn(&run.owner, &run.cancel).await?;
        let mut loaded = guard.load(&shared.sandboxes, &shared.resources, sandbox).await?;
        if !sandbox.is_checkpointed {
            let (id, name) = (sandbox.id.clone(), context.name.clone());
            shared.resources.store.post(move |connection| rows::mark_changed(connection, &id, &name)).await;
        }
        store_start(shared, run).await?;
        loaded.changes();
        Ok((loaded, turn))
    };
    let (mut loaded, turn) = match prepared.await {
        Ok(prepared) => prepared,
        Err(failure) => return (Outcome::Refused(failure), None),
    };
    let mut options = options(run).hold(turn);
    if run.request.rollback_on_error {
        options = options.rollback_on_error();
    }
    let result = match loaded.session() {
        Some(session) => session.run_async(&run.request.code, options).await,
        None => Err(Error::SessionEnded { reason: "its guest is gone".into() }),
    };
    (Outcome::Ended(result), Some(loaded))
}

/// The options of a run.
pub(super) fn options(run: &Arc<LiveRun>) -> RunOptions {
    let log = Arc::clone(&run.log);
    let mut options = RunOptions::new()
        .cancel(run.cancel.clone())
        .on_output(move |stream, bytes| log.output(stream, bytes))
        .label("run", &run.id)
        .label("caller", &*run.owner)
        .hold(Arc::clone(run));
    if let Some(sandbox) = &run.sandbox {
        options = options.label("sandbox", sandbox);
    }
    if let Some(timeout) = run.request.timeout_ms {
        options = options.timeout(Duration::from_millis(timeout));
    }
    if let Some(filename) = &run.request.filename {
        options = options.filename(filename);
    }
    for (name, value) in &run.request.variables {
        options = options.variable(name, value.clone());
    }
    options
}

impl Outcome {
    pub(super) fn of(step: Result<Step, Error>) -> Self {
        match step {
            Ok(Step::Done(result)) => Self::Ended(Ok(result)),
            Ok(Step::Paused(paused)) => Self::Paused(paused),
            Ok(_) => Self::Refused(Failure::invalid("the program is in a state that is not known", "report it")),
            Err(error) => Self::Ended(Err(error)),
        }
    }

    /// The end of a run. One that is paused has not ended, and counts as cancelled.
    fn end(self) -> Phase {
        match self {
            Self::Ended(Ok(result)) => {
                let state = if result.success() { RunState::Succeeded } else { RunState::Failed };
                Phase::Ended { state, result: json(&result), error: None }
            }
            Self::Ended(Err(error)) => {
                let state = match error {
                    Error::Cancelled { .. } => RunState::Cancelled,
                    _ => RunState::Failed,
                };
                Phase::Ended { state, result: error.partial().and_then(json), error: Some(detail(&error)) }
            }
            Self::Refused(failure) => refused(failure.detail()),
            Self::Paused(_) => refused(detail(&cancelled())),
        }
    }
}

fn refused(error: ErrorDetail) -> Phase {
    let state = if error.kind == "Cancelled" { RunState::Cancelled } else { RunState::Failed };
    Phase::Ended { state, result: None, error: Some(error) }
}

fn json(result: &ExecutionResult) -> Option<String> {
    serde_json::to_string(result).ok()
}

/// Stores how a run outside of sandboxes has ended, or that it is paused.
pub(super) async fn settle(shared: &Arc<Shared>, run: &Arc<LiveRun>, outcome: Outcome) {
    let Outcome::Paused(paused) = outcome else {
        return store_end(shared, run, run.after(outcome.end())).await;
    };
    let calls = paused.calls().to_vec();
    // The guest is left to the file.
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
    let written = bytes.and_then(|bytes| shared.resources.store.blobs.write(&bytes));
    let written = match written {
        Ok(written) => written,
        Err(error) => {
            // It waits in this process, and is lost with it.
            tracing::warn!(%error, "a paused program would not survive the server");
            paused.forget_file();
            *place = Some(paused);
            let next = run.after(Phase::Paused { calls, blob: None });
            store_progress(shared, run, &next).await;
            return run.enter(next);
        }
    };
    let next = run.after(Phase::Paused { calls, blob: Some(written.digest.clone()) });
    store_progress(shared, run, &next).await;
    match publish(shared, run, &next).await {
        Err(failure) if failure.is_moved() => return abandon(shared, run),
        Err(failure) => {
            tracing::warn!("a paused program would not survive this server yet: {}", failure.detail().message);
            tokio::spawn(publish_later(Arc::clone(shared), Arc::clone(run)));
        }
        Ok(()) => {}
    }
    run.enter(next);
    drop(written);
    let _ = blocking(move || {
        drop(paused);
        Ok(())
    })
    .await;
    // A cancellation that came before the program was stored has found nothing to end.
    if run.cancel.is_cancelled() {
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
        match publish(&shared, &run, &run.progress()).await {
            Err(failure) if failure.is_moved() => return abandon(&shared, &run),
            Err(_) => drop(place),
            Ok(()) => return,
        }
    }
}

/// Stores that a program begins: if the server is killed from now on, it is lost, and is not begun again.
async fn store_start(shared: &Arc<Shared>, run: &LiveRun) -> Result<(), Failure> {
    let next = run.after(Phase::Running);
    if run.request.is_background {
        let row = run.row_in(next.clone());
        shared.resources.store.change(move |connection| rows::put_run(connection, &row).map(drop)).await?;
    }
    run.enter(next);
    Ok(())
}

pub(super) async fn fail(shared: &Arc<Shared>, run: &Arc<LiveRun>, error: Error) {
    store_end(shared, run, run.after(Outcome::Ended(Err(error)).end())).await;
}

/// Stores how far a run will have come, before it is seen to have.
pub(super) async fn store_progress(shared: &Arc<Shared>, run: &Arc<LiveRun>, next: &Progress) {
    let (row, parts) = (run.row_in(next.clone()), run.log.unstored());
    let change = move |connection: &rusqlite::Connection| {
        let unused = rows::put_run(connection, &row)?;
        rows::put_output(connection, &row.id, &parts)?;
        Ok(unused)
    };
    match shared.resources.store.change(change).await {
        Ok(unused) => shared.resources.store.remove_blobs(unused.into_iter().collect()).await,
        Err(error) => tracing::error!(%error, "a run was not stored"),
    }
}

/// Stores the end of a run, and lets those that wait for it go on. Those of programs in the foreground outside of sandboxes have the
/// result already when it is stored: nothing is acknowledged to them but the response itself.
async fn store_end(shared: &Arc<Shared>, run: &Arc<LiveRun>, end: Progress) {
    // One that was paused has a record in the shared store.
    if run.request.is_background || run.sandbox.is_some() || run.version.lock().await.is_some() {
        store_progress(shared, run, &end).await;
        return acknowledge(shared, run, end, None).await;
    }
    run.enter(end.clone());
    run.finish();
    store_progress(shared, run, &end).await;
    shared.resources.runs.remove(&run.id);
}

/// Stores how a program in a context has ended, together with the state that it has left.
async fn end_in_context(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    sandbox: &LiveSandbox,
    outcome: Outcome,
    loaded: Option<Loaded>,
) {
    let end = run.after(outcome.end());
    let Some(mut loaded) = loaded else { return store_end(shared, run, end).await };
    if loaded.has_ended() {
        // The next program begins with the state before this one.
        loaded.discard();
    } else if sandbox.is_checkpointed && loaded.saves_states() {
        let (row, parts) = (run.row_in(end.clone()), run.log.unstored());
        let stored = loaded.save(&shared.resources, &sandbox.id, move |connection| {
            let unused = rows::put_run(connection, &row)?;
            rows::put_output(connection, &row.id, &parts)?;
            Ok(unused.into_iter().collect())
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
    }
    store_progress(shared, run, &end).await;
    // Its files may have changed.
    acknowledge(shared, run, end, Some(sandbox)).await;
}

/// Lets everyone see the end of a run that is stored, after everything that it has changed is in the shared store.
async fn acknowledge(shared: &Arc<Shared>, run: &Arc<LiveRun>, mut end: Progress, sandbox: Option<&LiveSandbox>) {
    let published = async {
        if let Some(sandbox) = sandbox {
            sandbox.publish(&shared.resources).await?;
        }
        publish(shared, run, &end).await
    };
    if let Err(failure) = published.await {
        end = run.after(not_acknowledged(&failure));
        store_progress(shared, run, &end).await;
    }
    run.enter(end);
    run.finish();
    shared.resources.runs.remove(&run.id);
}

/// The end of a run whose effects do not survive.
fn not_acknowledged(failure: &Failure) -> Phase {
    Phase::Ended { state: RunState::Lost, result: None, error: Some(failure.detail()) }
}

pub(super) fn cancelled() -> Error {
    Error::Cancelled { partial: Box::default() }
}
