//! Answers to calls that wait.

use std::sync::Arc;

use isolette::{Answer, PausedRun, queue::Place};

use super::{
    end::{self, settle, store_progress},
    execute::{longest, options, reserve_for_pause, sandbox_for, while_storing},
    outcome::{Outcome, cancelled},
    publish::{abandon, publish, saved_run},
    taken::Taken,
};
use crate::{
    blocking::blocking,
    failure::Failure,
    run::{LiveRun, Phase, RunState},
    shared::Shared,
    store::Digest,
};

/// Passes answers to the calls of a run that wait. All of them, or none. The run goes on in the background.
///
/// A program that is paused goes on after the database says that it runs: if the server is ended after that, the run is lost, and
/// its calls are never answered twice.
pub(crate) async fn answer(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    answers: Vec<(u64, Answer)>,
) -> Result<(), Failure> {
    if run.sandbox.is_some() && run.state() != RunState::Paused {
        return run.answer_in_context(answers);
    }
    // A server that is being stopped waits for this.
    let _counted = shared.resources.tasks.token();
    if shared.resources.stopping.is_cancelled() {
        return Err(Failure::stopping());
    }
    // One caller at a time.
    let mut paused = run.paused.lock().await;
    let progress = run.progress();
    if progress.state != RunState::Paused {
        return Err(Failure::conflict(
            format!("the run does not wait for answers: it is {}", progress.state.as_str()),
            "look at the `state` and the `calls` of the run",
        ));
    }
    for (id, answer) in &answers {
        let Some(call) = progress.calls.iter().find(|call| call.id == *id) else {
            return Err(Failure::conflict(
                format!("no call {id} waits for an answer"),
                "look at the `calls` of the run",
            ));
        };
        if call.asks != answer.answers() {
            return Err(Failure::invalid(
                format!("call {id} does not ask for that"),
                "answer a tool with `value` or `error`, and a question for approval with `approve` or `deny`",
            ));
        }
    }
    // Before the program is taken from its place: if the server is busy, it still waits.
    let turn = shared.resources.turn(&run.owner, &run.cancel).await?;
    let program = match (run.sandbox.as_deref(), progress.blob) {
        (Some(sandbox), Some(blob)) => Program::InContext(Taken::take(shared, run, sandbox, blob).await?),
        (Some(_), None) => return Err(Failure::conflict("the program is gone", "run it again")),
        (None, blob) => Program::Fresh(fresh(shared, run, paused.take(), blob).await?),
    };
    let next = run.after(Phase::Running);
    let begun = async {
        if shared.resources.stopping.is_cancelled() {
            return Err(Failure::stopping());
        }
        store_progress(shared, run, &next).await?;
        let published = publish(shared, run, &next).await;
        if published.as_ref().is_err_and(|failure| !failure.is_moved()) {
            let _ = store_progress(shared, run, &run.progress()).await;
        }
        published
    };
    if let Err(failure) = begun.await {
        // If another replica has continued it, that is the one to ask. If not, it still waits here.
        match program {
            _ if failure.is_moved() => abandon(shared, run),
            Program::Fresh(program) => *paused = Some(program),
            Program::InContext(program) => program.put_back(run),
        }
        return Err(failure);
    }
    run.enter(next);
    drop(paused);
    // What it took while it was paused is free again. If another program has taken it, this one ends instead of being paused once more.
    let _ = reserve_for_pause(shared, run);
    let (shared_, run_) = (Arc::clone(shared), Arc::clone(run));
    shared.resources.tasks.spawn(async move {
        match program {
            Program::Fresh(program) => go_on(&shared_, &run_, program, turn, answers).await,
            Program::InContext(program) => program.go_on(&shared_, &run_, turn, answers).await,
        }
    });
    Ok(())
}

/// A program that was paused.
enum Program {
    Fresh(PausedRun),
    InContext(Taken),
}

/// A program outside of sandboxes that is paused in this process, or stored.
async fn fresh(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    paused: Option<PausedRun>,
    blob: Option<Digest>,
) -> Result<PausedRun, Failure> {
    let spec = run.request.spec.clone().unwrap_or_default();
    let sandbox = sandbox_for(shared, run, &spec).await?;
    match (paused, blob) {
        (Some(paused), _) => Ok(paused),
        (None, Some(digest)) => {
            let saved = saved_run(shared, digest).await?;
            let options = options(run, longest(shared, run, &spec, &sandbox)?);
            Ok(blocking(move || sandbox.paused_from(&saved, options)).await?)
        }
        (None, None) => Err(Failure::conflict("the program is gone", "run it again")),
    }
}

/// Continues a program outside of sandboxes, and stores how it ends or that it is paused again.
async fn go_on(
    shared: &Arc<Shared>,
    run: &Arc<LiveRun>,
    mut program: PausedRun,
    turn: Place<Arc<str>>,
    answers: Vec<(u64, Answer)>,
) {
    let outcome = Outcome::of(while_storing(shared, run, program.resume_async(answers)).await);
    drop(turn);
    // It ends here if it was not resumed.
    let _ = blocking(move || {
        drop(program);
        Ok(())
    })
    .await;
    settle(shared, run, outcome).await;
}

/// Cancels a run: at once if it waits or is paused, else as soon as its guest has ended. One that is paused in a context notices it itself.
///
/// # Errors
/// With status 503 if the server is being stopped and leaves a paused program to the next one.
pub(crate) async fn cancel(shared: &Arc<Shared>, run: &Arc<LiveRun>) -> Result<(), Failure> {
    if run.sandbox.is_some() && run.state() == RunState::Paused && shared.resources.stopping.is_cancelled() {
        return Err(Failure::stopping());
    }
    run.cancel.cancel();
    if run.sandbox.is_some() {
        return Ok(());
    }
    let mut paused = run.paused.lock().await;
    if run.state() == RunState::Paused {
        let program = paused.take();
        let _ = blocking(move || {
            drop(program);
            Ok(())
        })
        .await;
        end::fail(shared, run, cancelled()).await;
    }
    Ok(())
}
