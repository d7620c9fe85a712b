//! Everything that happens after the last line of a program has been read.

use rquickjs::{Ctx, Error, Promise, Result, Value, promise::PromiseState};

use crate::{hooks, rejections, state, system};

/// Works until nothing is left to do, and then says what the program's promise came to: `None` if nothing can ever settle it.
pub(crate) fn finish<'js>(ctx: &Ctx<'js>, promise: &Promise<'js>) -> Result<Option<Value<'js>>> {
    loop {
        if state::ticks_wanted() {
            hooks::run_ticks(ctx)?;
        }
        while ctx.execute_pending_job() {
            if state::ended() {
                return Err(Error::Exception);
            }
        }
        if state::ticks_wanted() {
            continue;
        }
        if promise.state() == PromiseState::Rejected {
            return promise.result().transpose();
        }
        if let Some(reason) = rejections::take(ctx) {
            return Err(ctx.throw(reason));
        }
        let wait = hooks::next(ctx)?;
        if wait > 0.0 {
            system::sleep(wait);
        } else if wait < 0.0 {
            return promise.result().transpose();
        }
    }
}
