//! Unhandled rejections of promises.

use std::cell::RefCell;

use rquickjs::{Ctx, Persistent, Runtime, Value};

type Rejected = (Persistent<Value<'static>>, Persistent<Value<'static>>);

thread_local! {
    static REJECTED: RefCell<Vec<Rejected>> = const { RefCell::new(Vec::new()) };
}

/// Makes the engine report rejections. A rejection counts if no handler is added before the pending jobs are done.
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

/// The reason of the first unhandled rejection.
pub(crate) fn take<'js>(ctx: &Ctx<'js>) -> Option<Value<'js>> {
    let (_, reason) = REJECTED.with_borrow_mut(|rejected| (!rejected.is_empty()).then(|| rejected.remove(0)))?;
    reason.restore(ctx).ok()
}

/// The program has handled the rejection of a promise in another way.
pub(crate) fn forget<'js>(ctx: &Ctx<'js>, promise: Value<'js>) {
    let promise = Persistent::save(ctx, promise);
    REJECTED.with_borrow_mut(|rejected| rejected.retain(|(known, _)| *known != promise));
}

/// Resets the state of the previous run.
pub(crate) fn begin() {
    let old = REJECTED.take();
    drop(old);
}
