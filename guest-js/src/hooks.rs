//! The functions of the prelude that this crate calls.

use std::cell::RefCell;

use rquickjs::{Array, Ctx, FromJs, Function, IntoJs, Object, Persistent, Result, Value, function::IntoArgs};

type Kept = Persistent<Function<'static>>;

/// Stored since the snapshot was made, so that no program can replace them.
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
    resolve: Kept,
    describe: Kept,
    items: Kept,
    error_text: Kept,
    capability_error: Kept,
    tool_error: Kept,
    encode_arguments: Kept,
    decode_exact: Kept,
}

thread_local! {
    static HOOKS: RefCell<Option<Hooks>> = const { RefCell::new(None) };
}

/// Stores the functions that the prelude returned.
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
        resolve: kept("resolve")?,
        describe: kept("describe")?,
        items: kept("items")?,
        error_text: kept("errorText")?,
        capability_error: kept("capabilityError")?,
        tool_error: kept("toolError")?,
        encode_arguments: kept("encodeArguments")?,
        decode_exact: kept("decodeExact")?,
    };
    HOOKS.set(Some(hooks));
    Ok(())
}

/// Releases the functions before the context is replaced.
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

/// Resets the state of the previous program, except its globals. `assigns` states that the next one assigns `result`.
pub(crate) fn begin(ctx: &Ctx<'_>, assigns: bool) -> Result<()> {
    call(ctx, |hooks| &hooks.begin, (assigns,))
}

/// Prepares the globals for a program. `variables` contains pairs of a name and JSON; `modes` are objects of `asynchronous` and
/// `reason` for calls of tools and of custom interfaces.
pub(crate) fn configure<'js>(
    ctx: &Ctx<'js>,
    variables: Array<'js>,
    text_bodies: bool,
    modes: [Object<'js>; 2],
    dialect: &str,
    first_line: &str,
) -> Result<()> {
    let [tools, interfaces] = modes;
    call(ctx, |hooks| &hooks.configure, (variables, text_bodies, tools, interfaces, dialect, first_line))
}

/// The error for a tool call that has failed, from an array of the error's kind and message.
pub(crate) fn tool_error<'js>(ctx: &Ctx<'js>, name: &str, failure: Array<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.tool_error, (name, failure))
}

/// The arguments of a tool as JSON, with all digits of large integers.
pub(crate) fn encode_arguments<'js>(ctx: &Ctx<'js>, tool: &str, arguments: Value<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.encode_arguments, (tool, arguments))
}

/// The value of JSON, with all digits of large integers. They are announced if it has a name.
pub(crate) fn decode_exact<'js>(ctx: &Ctx<'js>, json: &str, name: Option<&str>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.decode_exact, (json, name))
}

/// Calls the program's listener for uncaught errors, and returns whether there is one. `rejected` states that the error is the
/// reason of a promise.
pub(crate) fn uncaught<'js>(ctx: &Ctx<'js>, error: Value<'js>, rejected: bool) -> Result<bool> {
    call(ctx, |hooks| &hooks.uncaught, (error, rejected))
}

/// Calls the exit listeners of the program: those that may start work, and, if `last`, those that may not.
pub(crate) fn end(ctx: &Ctx<'_>, last: bool, exit_code: i32) -> Result<()> {
    call(ctx, |hooks| &hooks.end, (last, exit_code))
}

/// Whether there is pending work besides calls.
pub(crate) fn waiting(ctx: &Ctx<'_>) -> Result<bool> {
    call(ctx, |hooks| &hooks.waiting, ())
}

/// Runs the callbacks of `process.nextTick`.
pub(crate) fn run_ticks(ctx: &Ctx<'_>) -> Result<()> {
    call(ctx, |hooks| &hooks.run_ticks, ())
}

/// Performs one item of work outside of the engine's own queue. Returns 0 afterwards, milliseconds until the next item, or
/// infinity if there is none.
pub(crate) fn next(ctx: &Ctx<'_>, calls_are_pending: bool) -> Result<f64> {
    call(ctx, |hooks| &hooks.next, (calls_are_pending,))
}

/// The global `result`, if it exists.
pub(crate) fn result<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.result, ())
}

/// The value of the program: nothing, a promise to wait for, or an array of JSON and whether it is exact. A completion that is
/// `callable` is called.
pub(crate) fn value<'js>(ctx: &Ctx<'js>, completion: Value<'js>, callable: bool) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.value, (completion, callable))
}

/// The value of the program if its promise was never settled: nothing or an array as above.
pub(crate) fn unsettled_value<'js>(ctx: &Ctx<'js>, completion: Value<'js>) -> Result<Value<'js>> {
    call(ctx, |hooks| &hooks.unsettled_value, (completion,))
}

/// An object with `kind`, `message`, `line` and `traceback`.
pub(crate) fn report<'js>(ctx: &Ctx<'js>, error: Value<'js>, filename: &str, code: &str) -> Result<Object<'js>> {
    call(ctx, |hooks| &hooks.report, (error, filename, code))
}

/// The source of a module with this name; throws an error with a message if there is none.
pub(crate) fn module_source(ctx: &Ctx<'_>, name: &str) -> Result<Option<String>> {
    call(ctx, |hooks| &hooks.module, (name.into_js(ctx)?,))
}

/// The name in the engine of the file that a module imports; throws an error if there is none.
pub(crate) fn resolve_file(ctx: &Ctx<'_>, base: &str, name: &str) -> Result<String> {
    call(ctx, |hooks| &hooks.resolve, (base, name))
}

/// Fills in `import.meta` of a file.
pub(crate) fn describe_file<'js>(ctx: &Ctx<'js>, meta: Object<'js>, name: &str) -> Result<()> {
    call(ctx, |hooks| &hooks.describe, (meta, name))
}

/// An array of the items of an iterable; nothing for other values.
pub(crate) fn items<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    call(ctx, |hooks| &hooks.items, (value,))
}

/// The message for an error that a function of an interface returned.
pub(crate) fn error_text<'js>(ctx: &Ctx<'js>, function: &str, payload: Value<'js>) -> Result<String> {
    call(ctx, |hooks| &hooks.error_text, (function, payload))
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
