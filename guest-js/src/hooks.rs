//! The functions of the prelude that this crate calls.

use std::cell::RefCell;

use rquickjs::{Array, Ctx, FromJs, Function, IntoJs, Object, Persistent, Result, Value, function::IntoArgs};

type Kept = Persistent<Function<'static>>;

/// Kept from the building of the snapshot on, so that no program can put something else in their place.
struct Hooks {
    begin: Kept,
    uncaught: Kept,
    end: Kept,
    waiting: Kept,
    configure: Kept,
    run_ticks: Kept,
    next: Kept,
    result: Kept,
    value: Kept,
    unsettled_value: Kept,
    report: Kept,
    module: Kept,
    items: Kept,
    told: Kept,
    capability_error: Kept,
}

thread_local! {
    static HOOKS: RefCell<Option<Hooks>> = const { RefCell::new(None) };
}

/// Keeps what the prelude returned.
pub(crate) fn keep<'js>(ctx: &Ctx<'js>, hooks: &Object<'js>) -> Result<()> {
    let kept = |name| Ok::<_, rquickjs::Error>(Persistent::save(ctx, hooks.get::<_, Function<'_>>(name)?));
    let hooks = Hooks {
        begin: kept("begin")?,
        uncaught: kept("uncaught")?,
        end: kept("end")?,
        waiting: kept("waiting")?,
        configure: kept("configure")?,
        run_ticks: kept("runTicks")?,
        next: kept("next")?,
        result: kept("result")?,
        value: kept("value")?,
        unsettled_value: kept("unsettledValue")?,
        report: kept("report")?,
        module: kept("module")?,
        items: kept("items")?,
        told: kept("told")?,
        capability_error: kept("capabilityError")?,
    };
    HOOKS.set(Some(hooks));
    Ok(())
}

/// Lets go of a context that is about to be replaced.
pub(crate) fn drop_all() {
    let hooks = HOOKS.take();
    drop(hooks);
}

fn call<'js, A, R>(ctx: &Ctx<'js>, hook: impl Fn(&Hooks) -> &Kept, arguments: A) -> Result<R>
where
    A: IntoArgs<'js>,
    R: FromJs<'js>,
{
    let kept = HOOKS.with_borrow(|hooks| hooks.as_ref().map(|hooks| hook(hooks).clone()));
    kept.ok_or(rquickjs::Error::Unknown)?.restore(ctx)?.call(arguments)
}

/// Forgets the program before, but for its globals. `assigns` says that the next one sets `result` somewhere.
pub(crate) fn begin(ctx: &Ctx<'_>, assigns: bool) -> Result<()> {
    call(ctx, |hooks| &hooks.begin, (assigns,))
}

/// Does what a program is to find done. `variables` holds pairs of a name and JSON.
pub(crate) fn configure<'js>(ctx: &Ctx<'js>, variables: Array<'js>, text_bodies: bool) -> Result<()> {
    call(ctx, |hooks| &hooks.configure, (variables, text_bodies))
}

/// Whether the program has a listener for an error that nothing catches, which is then called. `rejected` says that it is the
/// reason of a promise.
pub(crate) fn uncaught<'js>(ctx: &Ctx<'js>, error: Value<'js>, rejected: bool) -> Result<bool> {
    call(ctx, |hooks| &hooks.uncaught, (error, rejected))
}

/// Calls listeners for the end of the program: those who may still begin something, and, when `last`, those who may not.
pub(crate) fn end(ctx: &Ctx<'_>, last: bool, exit_code: i32) -> Result<()> {
    call(ctx, |hooks| &hooks.end, (last, exit_code))
}

/// Whether there is anything to wait for.
pub(crate) fn waiting(ctx: &Ctx<'_>) -> Result<bool> {
    call(ctx, |hooks| &hooks.waiting, ())
}

/// Calls what `process.nextTick` was given.
pub(crate) fn run_ticks(ctx: &Ctx<'_>) -> Result<()> {
    call(ctx, |hooks| &hooks.run_ticks, ())
}

/// Does one thing that waits outside of the engine's own queue: 0 after that, milliseconds until there is something to do,
/// or a negative number when nothing is left.
pub(crate) fn next(ctx: &Ctx<'_>) -> Result<f64> {
    call(ctx, |hooks| &hooks.next, ())
}

/// The global `result`, or nothing.
pub(crate) fn result<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.result, ())
}

/// The value of the program: nothing, a promise to wait for, or an array of JSON and whether it is exact. A completion that is
/// `callable` is called for it.
pub(crate) fn value<'js>(ctx: &Ctx<'js>, completion: Value<'js>, callable: bool) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.value, (completion, callable))
}

/// The value of the program when waiting for it was in vain: nothing or an array as above.
pub(crate) fn unsettled_value<'js>(ctx: &Ctx<'js>, completion: Value<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.unsettled_value, (completion,))
}

/// An object with `kind`, `message`, `line` and `traceback`.
pub(crate) fn report<'js>(ctx: &Ctx<'js>, error: Value<'js>, filename: &str, code: &str) -> Result<Object<'js>> {
    call(ctx, |hooks| &hooks.report, (error, filename, code))
}

/// The source of a module, if there is one of that name; else throws what to say.
pub(crate) fn module_source(ctx: &Ctx<'_>, name: &str) -> Result<Option<String>> {
    call(ctx, |hooks| &hooks.module, (name.into_js(ctx)?,))
}

/// An array of what an iterable yields; nothing if the value is none.
pub(crate) fn items<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    call(ctx, |hooks| &hooks.items, (value,))
}

/// What is said of the error that a function of an interface gave.
pub(crate) fn told<'js>(ctx: &Ctx<'js>, function: &str, payload: Value<'js>) -> Result<String> {
    call(ctx, |hooks| &hooks.told, (function, payload))
}

/// An error of a call of an interface.
pub(crate) fn capability_error<'js>(
    ctx: &Ctx<'js>,
    text: &str,
    kind: &str,
    interface: &str,
    function: &str,
    payload: Value<'js>,
) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.capability_error, (text, kind, interface, function, payload))
}
