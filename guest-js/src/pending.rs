//! Calls that were started and are not complete. Each has a ticket, and a promise that is settled while the program waits.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use rquickjs::{Ctx, Error, Function, Object, Persistent, Result, Value, function::Opt};

use crate::bindings::isolette::sandbox::tickets;

type Kept = Persistent<Function<'static>>;

struct Pending {
    /// Unlike the ticket, no other call of the instance has it.
    id: f64,
    finish: Finish,
    resolve: Kept,
    reject: Kept,
    stop_watching: Option<Kept>,
}

/// Gets the ticket of a complete call, and returns its value.
pub(crate) type Finish = Box<dyn for<'js> FnOnce(&Ctx<'js>, u32) -> Result<Value<'js>>>;

/// A function of the engine for this.
pub(crate) fn finish_by<'js>(ctx: &Ctx<'js>, function: Function<'js>) -> Finish {
    let function = Persistent::save(ctx, function);
    Box::new(move |ctx, ticket| function.restore(ctx)?.call((ticket,)))
}

thread_local! {
    static PENDING: RefCell<BTreeMap<u32, Pending>> = const { RefCell::new(BTreeMap::new()) };
    static LAST_ID: Cell<f64> = const { Cell::new(0.0) };
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("promiseOf", Function::new(ctx.clone(), promise_of)?)?;
    host.set("abandonCall", Function::new(ctx.clone(), abandon)?)
}

/// Forgets all calls. The host ends them with the program that made them.
pub(crate) fn drop_all() {
    let calls = PENDING.take();
    drop(calls);
}

/// Whether a call is pending, which keeps the program running.
pub(crate) fn exist() -> bool {
    PENDING.with_borrow(|pending| !pending.is_empty())
}

/// The promise of a started call. `watch` gets the number for `abandonCall`, and returns a function that is called when the
/// call is complete.
pub(crate) fn promise<'js>(
    ctx: &Ctx<'js>,
    ticket: u32,
    finish: Finish,
    watch: Option<Function<'js>>,
) -> Result<Value<'js>> {
    let id = LAST_ID.get() + 1.0;
    LAST_ID.set(id);
    let (promise, resolve, reject) = ctx.promise()?;
    let keep = |function| Persistent::save(ctx, function);
    let stop_watching = match watch {
        Some(watch) => Some(keep(watch.call::<_, Function<'js>>((id,))?)),
        None => None,
    };
    let call = Pending { id, finish, resolve: keep(resolve), reject: keep(reject), stop_watching };
    PENDING.with_borrow_mut(|pending| pending.insert(ticket, call));
    Ok(promise.into_value())
}

fn promise_of<'js>(ctx: Ctx<'js>, ticket: u32, finish: Function<'js>, watch: Opt<Function<'js>>) -> Result<Value<'js>> {
    promise(&ctx, ticket, finish_by(&ctx, finish), watch.0)
}

/// Ends a call, and rejects its promise.
fn abandon<'js>(ctx: Ctx<'js>, id: f64, reason: Value<'js>) -> Result<()> {
    let call = PENDING.with_borrow_mut(|pending| {
        let ticket = pending.iter().find_map(|(ticket, call)| (call.id == id).then_some(*ticket))?;
        Some((ticket, pending.remove(&ticket)?))
    });
    let Some((ticket, call)) = call else { return Ok(()) };
    tickets::cancel(ticket);
    call.reject.restore(&ctx)?.call((reason,))
}

/// Waits for calls, for at most this number of milliseconds, and settles the promises of those that have completed.
pub(crate) fn settle(ctx: &Ctx<'_>, milliseconds: f64) -> Result<()> {
    if let Some(ticket) = only().filter(|_| milliseconds.is_infinite()) {
        // The host waits when it is asked for the result.
        return complete(ctx, ticket);
    }
    let timeout = milliseconds.is_finite().then_some((milliseconds * 1e6) as u64);
    tickets::wait(timeout).into_iter().try_for_each(|ticket| complete(ctx, ticket))
}

fn only() -> Option<u32> {
    PENDING.with_borrow(|pending| match pending.len() {
        1 => pending.keys().next().copied(),
        _ => None,
    })
}

fn complete(ctx: &Ctx<'_>, ticket: u32) -> Result<()> {
    let Some(call) = PENDING.with_borrow_mut(|pending| pending.remove(&ticket)) else { return Ok(()) };
    if let Some(stop_watching) = call.stop_watching {
        stop_watching.restore(ctx)?.call::<_, ()>(())?;
    }
    match (call.finish)(ctx, ticket) {
        Ok(value) => call.resolve.restore(ctx)?.call((value,)),
        Err(Error::Exception) => call.reject.restore(ctx)?.call((ctx.catch(),)),
        Err(error) => Err(error),
    }
}
