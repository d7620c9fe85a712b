//! What is created once, while the component is built: the engine, a global object, and the prelude in it.

use std::cell::RefCell;

use rquickjs::{Context, Ctx, Function, Module, Object, Result, Runtime, WriteOptions};

use crate::{
    capabilities, console, crypto, encoding,
    engine::{self, CheckedAllocator},
    error::explain,
    evaluate, files, hooks, http, intl, lazy,
    modules::{self, Modules},
    pending, random, rejections, system, tools, typescript, urls,
};

/// The file name of the prelude in stacks. `prelude/errors.js` omits its frames.
const PRELUDE_NAME: &str = "isolette:prelude";

/// Bundled from `prelude/` by `cargo xtask image build`: a module that exports `install`.
const PRELUDE: &[u8] = include_bytes!("../target/prelude.js");

/// Bytes of the C stack. A frame of the host's stack is larger than its part in linear memory, so this needs 10 MiB of the
/// host's stack in the worst known case.
const STACK_LIMIT: usize = 512 * 1024;

/// Bytes. Cyclic garbage is first collected when the heap has this size: most programs end before.
const COLLECT_FROM: usize = 24 * 1024 * 1024;

/// An engine that is ready to run a program.
pub(crate) struct Machine {
    pub(crate) context: Context,
    /// Whether a program has run in it.
    pub(crate) used: bool,
}

thread_local! {
    /// The prelude as text. It is overwritten after compilation, so that it is not part of the image.
    static SOURCE: RefCell<[u8; PRELUDE.len()]> = const { RefCell::new(*include_bytes!("../target/prelude.js")) };
    /// The prelude as bytecode.
    static COMPILED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static MACHINE: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

/// Creates an engine, and drops the previous one.
pub(crate) fn make() {
    MACHINE.with_borrow_mut(|slot| {
        hooks::drop_all();
        capabilities::drop_all();
        pending::drop_all();
        *slot = None;
        *slot = build().ok();
    });
}

/// Calls a closure with the engine; `None` if there is not enough memory for one.
pub(crate) fn with<R>(work: impl FnOnce(&mut Machine) -> R) -> Option<R> {
    MACHINE.with_borrow_mut(|slot| slot.as_mut().map(work))
}

fn build() -> Result<Machine> {
    let runtime = Runtime::new_with_alloc(CheckedAllocator)?;
    runtime.set_max_stack_size(STACK_LIMIT);
    runtime.set_loader(Modules, Modules);
    rejections::track(&runtime);
    let context = Context::full(&runtime)?;
    COMPILED.with_borrow_mut(|compiled| {
        if compiled.is_empty() {
            *compiled = compile()?;
            lazy::compile()?;
        }
        context.with(|ctx| {
            install(&ctx, compiled).inspect_err(|error| explain(&ctx, error))?;
            warm_up(&ctx)
        })
    })?;
    runtime.run_gc();
    engine::keep_reserve();
    runtime.set_gc_threshold(COLLECT_FROM);
    Ok(Machine { context, used: false })
}

/// Runs a program and forgets it. What it allocated is free again, in memory that has the right size and place for that of
/// the next program: without it, each new instance would write to more pages.
fn warm_up(ctx: &Ctx<'_>) -> Result<()> {
    let program = "{ const f = (x) => [x].map((y) => `${y}`); f(1); }";
    drop(evaluate::start(ctx, program, "<warm-up>", false)?);
    while ctx.execute_pending_job() {}
    Ok(())
}

/// Compiles the prelude in an engine that is then dropped with the garbage of compilation.
fn compile() -> Result<Vec<u8>> {
    let runtime = Runtime::new_with_alloc(CheckedAllocator)?;
    Context::full(&runtime)?.with(|ctx| {
        let source = SOURCE.with_borrow_mut(|source| {
            let text = source.to_vec();
            source.fill(0);
            text
        });
        let module = Module::declare(ctx.clone(), PRELUDE_NAME, source).inspect_err(|error| explain(&ctx, error))?;
        // Each function would keep its source, and with it that of all functions inside.
        module.write(WriteOptions { strip_source: true, ..WriteOptions::default() })
    })
}

fn install(ctx: &Ctx<'_>, compiled: &[u8]) -> Result<()> {
    let host = Object::new(ctx.clone())?;
    capabilities::define(ctx, &host)?;
    console::define(ctx, &host)?;
    crypto::define(ctx, &host)?;
    encoding::define(ctx, &host)?;
    files::define(ctx, &host)?;
    http::define(ctx, &host)?;
    intl::define(ctx, &host)?;
    lazy::define(ctx, &host)?;
    modules::define(ctx, &host)?;
    pending::define(ctx, &host)?;
    random::define(ctx, &host)?;
    system::define(ctx, &host)?;
    tools::define(ctx, &host)?;
    typescript::define(ctx, &host)?;
    urls::define(ctx, &host)?;
    let (module, evaluation) = engine::load(ctx, compiled)?.eval()?;
    evaluation.finish::<()>()?;
    let install: Function<'_> = module.get("install")?;
    hooks::keep(ctx, &install.call((host,))?)?;
    // Polyfills draw random names while they are loaded, which must not call the host.
    random::define_math(ctx)
}
