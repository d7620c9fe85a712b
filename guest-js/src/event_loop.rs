//! Everything that happens after the last line of a program has been read.

use rquickjs::{Ctx, Error, Promise, Result, Value, promise::PromiseState};

use crate::{hooks, rejections, state, system};

/// Works until nothing is left to do, and then says what the program's promise came to: `None` if nothing can ever settle it.
pub(crate) fn finish<'js>(ctx: &Ctx<'js>, promise: &Promise<'js>) -> Result<Option<Value<'js>>> {
    loop {
        if state::take_ticks_wanted() {
            hooks::run_ticks(ctx)?;
        }
        while !state::ended() && ctx.execute_pending_job() {}
        if state::ended() {
            return Err(Error::Exception);
        }
        if state::take_ticks_wanted() {
            hooks::run_ticks(ctx)?;
            continue;
        }
        if promise.state() == PromiseState::Rejected {
            return promise.result().transpose();
        }
        if let Some(reason) = rejections::take(ctx) {
            return Err(ctx.throw(reason));
        }
        let wait = if state::turns_wanted() { hooks::next(ctx)? } else { -1.0 };
        if wait > 0.0 {
            system::sleep(wait);
        } else if wait < 0.0 {
            return promise.result().transpose();
        }
    }
}
