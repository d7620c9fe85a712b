//! `isolette:sandbox/tickets` for `prelude/pending.js`.

use rquickjs::{Ctx, Function, Object, Result};

use crate::bindings::isolette::sandbox::tickets;

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("waitForTickets", Function::new(ctx.clone(), wait)?)?;
    host.set("cancelTicket", Function::new(ctx.clone(), tickets::cancel)?)
}

/// Waits for calls, for at most this number of milliseconds, and returns the tickets of those that have completed.
fn wait(milliseconds: f64) -> Vec<u32> {
    tickets::wait(milliseconds.is_finite().then_some((milliseconds * 1e6) as u64))
}
