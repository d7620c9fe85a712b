//! Executes a run from its place in the queue to its stored end.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task,
    time::Duration,
};

use futures_util::future::BoxFuture;
use isolette::{Error, Language, RunOptions, Sandbox, queue::Place};

use super::{
    end::settle,
    in_context::end_in_context,
    outcome::{Outcome, cancelled},
};
use crate::{
    failure::Failure,
    grants::{Key, saves_states},
    run::{LiveRun, Phase},
    sandboxes::{Context, LiveSandbox, Loaded, SMALLEST_STATE, environment},
    shared::Shared,
    spec::{SandboxSpec, parse_language},
    store::rows,
};

/// Interval at which output of programs in the background is stored while they run.
const STORED_EVERY: Duration = Duration::from_secs(1);

/// The guest or the context that a program runs in.
pub(crate) enum Target {
    /// In a guest of its own.
    Fresh(SandboxSpec),
    /// In a context of a sandbox.
    Context(Arc<LiveSandbox>, Arc<Context>),
}

impl Target {
    /// Checks that there is room for what a program leaves, as far as that is known before the program runs.
    ///
    /// # Errors
    /// With status 507 if there is none.
    pub(crate) async fn check_room(&self, shared: &Arc<Shared>, owner: &str) -> Result<(), Failure> {
        let room = || shared.resources.store.blobs.room.check(owner, SMALLEST_STATE);
        match self {
            Self::Fresh(spec) if can_pause(spec) => {
                let Err(error) = room() else { return Ok(()) };
                let sandbox = shared.resources.sandbox(Key::new(spec, spec.language()?, None)).await?;
                if saves_states(&sandbox) { Err(error.into()) } else { Ok(()) }
            }
            Self::Fresh(_) => Ok(()),
            Self::Context(sandbox, context) => {
                if sandbox.spec.pauses {
                    room()?;
                }
                // A program that runs in it has reserved what it needs.
                match context.try_lock() {
                    Some(guard) => guard.check_room(&shared.resources, sandbox).await,
                    None => Ok(()),
                }
            }
        }
    }
}

/// Whether a program on its own can be paused.
fn can_pause(spec: &SandboxSpec) -> bool {
    spec.approves || !spec.tools.is_empty()
}

/// A run, and the guest or the context that it runs in.
pub(crate) struct Execution {
    pub(crate) shared: Arc<Shared>,
    pub(crate) run: Arc<LiveRun>,
    pub(crate) target: Target,
}

impl Execution {
    /// Starts the run in the background. `LiveRun::finished` waits for it.
    pub(crate) fn spawn(self) {
        let tasks = self.shared.resources.tasks.clone();
        let mut performed = Box::pin(self.perform());
        // Runs of a context begin in the order of their requests: each takes its place before its caller is answered. The task polls
        // again, and is woken from then on.
        if performed.as_mut().poll(&mut task::Context::from_waker(task::Waker::noop())).is_pending() {
            tasks.spawn(performed);
        }
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
        let is_storing = AtomicBool::new(false);
        let mut storing = std::pin::pin!(async {
            tokio::time::sleep(STORED_EVERY).await;
            is_storing.store(true, Ordering::Relaxed);
            store_output(shared, run).await;
        });
        tokio::select! {
            biased;
            done = &mut work => {
                // It knows what it has not stored.
                if is_storing.load(Ordering::Relaxed) {
                    storing.await;
                }
                return done;
            }
            () = &mut storing => {}
        }
    }
}

async fn store_output(shared: &Arc<Shared>, run: &LiveRun) {
    let (id, parts) = (run.id.clone(), run.log.unstored());
    let Some(first) = parts.first().map(|part| part.number) else { return };
    let stored = shared.resources.store.change(move |connection| rows::put_output(connection, &id, &parts)).await;
    if let Err(error) = stored {
        // It is stored later, at the latest with the end of the program.
        tracing::warn!(%error, run = run.id, "output was not stored");
        run.log.not_stored(Some(first));
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
    let longest = match longest(shared, run, spec, &sandbox) {
        Ok(longest) => longest,
        Err(error) => return Outcome::Refused(error.into()),
    };
    if can_pause(spec)
        && saves_states(&sandbox)
        && let Err(failure) = reserve_for_pause(shared, run)
    {
        return Outcome::Refused(failure);
    }
    if let Err(failure) = store_start(shared, run).await {
        return Outcome::Refused(failure);
    }
    let turn = Arc::new(Turn::new(turn));
    // A program that has no place has not begun.
    let start = || -> BoxFuture<'_, _> {
        Box::pin(sandbox.start_async(&run.request.code, options(run, longest).hold(Arc::clone(&turn))))
    };
    let outcome = Outcome::of(shared.sandboxes.with_room(&shared.resources, start).await);
    if matches!(outcome, Outcome::Paused(_)) {
        turn.give_up();
    }
    outcome
}

/// Reserves room for a program that can be paused.
pub(super) fn reserve_for_pause(shared: &Shared, run: &LiveRun) -> Result<(), Failure> {
    let room = shared.resources.store.blobs.room.reserve(&run.owner, SMALLEST_STATE)?;
    run.set_room(Some(room));
    Ok(())
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
        let mut guard = tokio::select! {
            biased;
            () = run.cancel.cancelled() => return Err(cancelled().into()),
            guard = context.lock() => guard?,
            () = tokio::time::sleep(shared.resources.limits.waiting_time) => {
                return Err(Failure::busy("another program uses the context", "wait for it, cancel it, or name another context"));
            }
        };
        let turn = shared.resources.turn(&run.owner, &run.cancel).await?;
        let room = shared.resources.limits.sandbox_file_bytes;
        sandbox.files().within(move |folder| folder.check_room(room)).await?;
        guard.reserve(&shared.resources, sandbox).await?;
        let mut loaded = guard.load(&shared.sandboxes, &shared.resources, sandbox).await?;
        if sandbox.spec.pauses {
            // After a pause, the context returns to what is stored.
            let saved = loaded.save_changes(&shared.resources, sandbox).await;
            match saved {
                // A program in it can go on, and cannot be paused.
                Err(_) if loaded.is_held_by_host() && !run.request.rollback_on_error => {}
                Err(error) => return Err(error.into()),
                Ok(()) => {}
            }
            loaded.reserve(&shared.resources, sandbox).await?;
            reserve_for_pause(shared, run)?;
        }
        let longest = longest(shared, run, &sandbox.spec, loaded.sandbox())?;
        store_start(shared, run).await?;
        loaded.changes();
        Ok((loaded, Arc::new(Turn::new(turn)), options(run, longest)))
    };
    let (mut loaded, turn, options) = match prepared.await {
        Ok(prepared) => prepared,
        Err(failure) => {
            if let Some(guard) = context.try_lock() {
                guard.release_unused_room();
            }
            return (Outcome::Refused(failure), None);
        }
    };
    let options = options.hold(Arc::clone(&turn));
    let before = match loaded.session().filter(|_| !run.request.environment.is_empty()) {
        Some(session) => match environment::set(session, context.language, &run.request.environment, &run.cancel).await
        {
            Ok(before) => Some(before),
            // The program has not begun.
            Err(error) => return (Outcome::Refused(error.into()), Some(loaded)),
        },
        None => None,
    };
    let outcome = match loaded.session() {
        Some(session) if sandbox.spec.pauses => {
            Outcome::in_session(session.start_async(&run.request.code, options).await)
        }
        Some(session) => Outcome::Ended(session.run_async(&run.request.code, options).await),
        None => Outcome::Ended(Err(Error::SessionEnded { reason: "its guest is gone".into() })),
    };
    if matches!(outcome, Outcome::PausedInContext) {
        turn.give_up();
    }
    if let (Some(before), false, Some(session)) = (before, loaded.has_ended(), loaded.session())
        && let Err(error) = environment::reset(session, context.language, before, &run.cancel).await
    {
        tracing::warn!(%error, "variables of the environment of one program are those of the next one");
    }
    (outcome, Some(loaded))
}

/// The turn of a program, which it keeps until all of its work has ended, or until it is paused.
struct Turn(Mutex<Option<Place<Arc<str>>>>);

impl Turn {
    fn new(place: Place<Arc<str>>) -> Self {
        Self(Mutex::new(Some(place)))
    }

    fn give_up(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// How long a program may take that asks for a time of its own. The operator may have granted more when the run was requested.
pub(super) fn longest(
    shared: &Shared,
    run: &LiveRun,
    spec: &SandboxSpec,
    sandbox: &Sandbox,
) -> Result<Option<Duration>, Error> {
    let Some(asked) = run.request.timeout_ms.map(Duration::from_millis) else { return Ok(None) };
    shared.resources.grants.longest_run(spec, sandbox).map(|longest| Some(asked.min(longest)))
}

/// The options of a run, with its time if it has one of its own.
pub(super) fn options(run: &Arc<LiveRun>, longest: Option<Duration>) -> RunOptions {
    let (log, of_calls) = (Arc::clone(&run.log), Arc::downgrade(run));
    let mut options = RunOptions::new()
        .cancel(run.cancel.clone())
        .on_output(move |stream, bytes| log.output(stream, bytes))
        .on_call_end(move |call| {
            if let Some(run) = of_calls.upgrade() {
                run.call_ended(call);
            }
        })
        .label("run", &run.id)
        .label("caller", &*run.owner)
        .hold(Arc::clone(run));
    if let Some(sandbox) = &run.sandbox {
        options = options.label("sandbox", sandbox);
    }
    if let Some(longest) = longest {
        options = options.timeout(longest);
    }
    if let Some(filename) = &run.request.filename {
        options = options.filename(filename);
    }
    for (name, value) in &run.request.variables {
        options = options.variable(name, value.clone());
    }
    if run.request.rollback_on_error {
        options = options.rollback_on_error();
    }
    options
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
