//! Promises that were rejected while nobody was looking.

use std::cell::RefCell;

use rquickjs::{Ctx, Persistent, Runtime, Value};

type Rejected = (Persistent<Value<'static>>, Persistent<Value<'static>>);

thread_local! {
    static REJECTED: RefCell<Vec<Rejected>> = const { RefCell::new(Vec::new()) };
}

/// Has the engine report rejections. A rejection is none of ours if a handler comes before the jobs of that moment are done.
pub(crate) fn track(runtime: &Runtime) {
    runtime.set_host_promise_rejection_tracker(Some(Box::new(|ctx, promise, reason, handled| {
        if handled {
            let promise = Persistent::save(&ctx, promise);
            REJECTED.with_borrow_mut(|rejected| rejected.retain(|(known, _)| *known != promise));
        } else {
            let pair = (Persistent::save(&ctx, promise), Persistent::save(&ctx, reason));
            REJECTED.with_borrow_mut(|rejected| rejected.push(pair));
        }
    })));
}

/// The reason of the first rejection that nobody handled.
pub(crate) fn take<'js>(ctx: &Ctx<'js>) -> Option<Value<'js>> {
    let (_, reason) = REJECTED.with_borrow_mut(|rejected| (!rejected.is_empty()).then(|| rejected.remove(0)))?;
    reason.restore(ctx).ok()
}

/// The program has dealt with the rejection of a promise in another way.
pub(crate) fn forget<'js>(ctx: &Ctx<'js>, promise: Value<'js>) {
    let promise = Persistent::save(ctx, promise);
    REJECTED.with_borrow_mut(|rejected| rejected.retain(|(known, _)| *known != promise));
}

/// Forgets those of the run before.
pub(crate) fn begin() {
    let old = REJECTED.take();
    drop(old);
}
