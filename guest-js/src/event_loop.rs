//! The event loop, which runs after the last statement of a program.

use rquickjs::{Ctx, Error, Promise, Result, Value, promise::PromiseState};

use crate::{hooks, pending, rejections, state, system};

/// The state of a program's promise at the end.
pub(crate) enum Finished<'js> {
    /// It was fulfilled with this value.
    Settled(Value<'js>),
    /// It cannot be settled any more.
    Pending,
    /// It was rejected, and the program handled the rejection.
    Handled,
}

/// Runs until there is no more work, and returns the state of the program's promise.
pub(crate) fn finish<'js>(ctx: &Ctx<'js>, promise: &Promise<'js>) -> Result<Finished<'js>> {
    let mut handled = false;
    loop {
        if state::take_ticks_wanted() {
            handle(ctx, hooks::run_ticks(ctx))?;
        }
        while !state::ended() && ctx.execute_pending_job() {}
        if state::ended() {
            return Err(Error::Exception);
        }
        if state::take_ticks_wanted() {
            handle(ctx, hooks::run_ticks(ctx))?;
            continue;
        }
        if promise.state() == PromiseState::Rejected && !handled {
            if let Some(Err(error)) = promise.result::<Value<'js>>() {
                handle(ctx, Err(error))?;
            }
            rejections::forget(ctx, promise.clone().into_value());
            handled = true;
            continue;
        }
        if let Some(reason) = rejections::take(ctx) {
            if !(state::end_wanted() && hooks::uncaught(ctx, reason.clone(), true)?) {
                return Err(ctx.throw(reason));
            }
            continue;
        }
        let worked = match turn(ctx) {
            Ok(worked) => worked,
            Err(error) => {
                handle(ctx, Err(error))?;
                true
            }
        };
        if !worked {
            if handled {
                return Ok(Finished::Handled);
            }
            return match promise.result().transpose()? {
                Some(value) => Ok(Finished::Settled(value)),
                None => Ok(Finished::Pending),
            };
        }
    }
}

/// Performs one item of work outside of the engine's own queue, or waits for it. Returns whether there was any.
fn turn(ctx: &Ctx<'_>) -> Result<bool> {
    let calls_are_pending = pending::exist();
    let wait = if state::turns_wanted() { hooks::next(ctx, calls_are_pending)? } else { f64::INFINITY };
    if calls_are_pending {
        pending::settle(ctx, wait)?;
    } else if wait.is_infinite() {
        return Ok(false);
    } else if wait > 0.0 {
        system::sleep(wait);
    }
    Ok(true)
}

/// Passes an error to the listeners of the program, if there are any.
fn handle(ctx: &Ctx<'_>, outcome: Result<()>) -> Result<()> {
    match outcome {
        Err(Error::Exception) if state::end_wanted() && !state::ended() => {
            let error = ctx.catch();
            if hooks::uncaught(ctx, error.clone(), false)? { Ok(()) } else { Err(ctx.throw(error)) }
        }
        outcome => outcome,
    }
}

/// Calls the program's exit listeners. Work that the first ones start is awaited, and then they are called again.
pub(crate) fn end(ctx: &Ctx<'_>) -> Result<()> {
    if !state::end_wanted() {
        return Ok(());
    }
    // The program's own promise is settled. This one represents the remaining work.
    let (nothing, _, _) = ctx.promise()?;
    let mut begun = true;
    while begun {
        handle(ctx, hooks::end(ctx, false, state::exit_code()))?;
        settle(ctx)?;
        begun = pending::exist() || hooks::waiting(ctx)?;
        finish(ctx, &nothing)?;
    }
    hooks::end(ctx, true, state::exit_code())
}

/// Runs ticks and the jobs of promises.
fn settle(ctx: &Ctx<'_>) -> Result<()> {
    loop {
        if state::take_ticks_wanted() {
            handle(ctx, hooks::run_ticks(ctx))?;
        } else if state::ended() {
            return Err(Error::Exception);
        } else if !ctx.execute_pending_job() {
            return Ok(());
        }
    }
}
