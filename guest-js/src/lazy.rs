//! Modules of the prelude that few programs use. They are compiled while the component is built and kept as bytecode, so that
//! other programs have no cost.

use std::cell::RefCell;

use rquickjs::{
    Context, Ctx, Error, Function, Module, Object, Result, Runtime, Value, WriteOptions,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use crate::{
    engine::{self, CheckedAllocator},
    error::explain,
    text::Text,
};

/// The prefix of their names, and the name of the prelude, whose exports they import.
pub(crate) const PREFIX: &str = "isolette:node/";

/// Calls a function with the name and text of each module that `cargo xtask image build` bundled from `prelude/node/`. The text
/// belongs to the function, because text that remains in memory is part of the image.
macro_rules! sources {
    ($($name:literal),* $(,)?) => {
        fn each_source(mut compile: impl FnMut(&'static str, &mut [u8]) -> Result<()>) -> Result<()> {
            $({
                const TEXT: &[u8] = include_bytes!(concat!("../target/node/", $name, ".js"));
                thread_local! {
                    static SOURCE: RefCell<[u8; TEXT.len()]> =
                        const { RefCell::new(*include_bytes!(concat!("../target/node/", $name, ".js"))) };
                }
                SOURCE.with_borrow_mut(|source| compile($name, source))?;
            })*
            Ok(())
        }
    };
}

sources![
    "assert",
    "async_hooks",
    "crypto",
    "file_modules",
    "fs_streams",
    "intl",
    "key_pairs",
    "os",
    "path_win32",
    "querystring",
    "readline",
    "stream",
    "string_decoder",
    "subtle",
    "timers_promises",
    "url",
    "util",
    "web_streams",
];

thread_local! {
    /// Bytecode, by name.
    static COMPILED: RefCell<Vec<(&'static str, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// Compiles all modules once, each in an engine of its own, which is then dropped with the garbage of compilation.
pub(crate) fn compile() -> Result<()> {
    COMPILED.with_borrow_mut(|compiled| {
        if !compiled.is_empty() {
            return Ok(());
        }
        each_source(|name, source| {
            let runtime = Runtime::new_with_alloc(CheckedAllocator)?;
            runtime.set_loader(Anything, Anything);
            let bytes = Context::full(&runtime)?.with(|ctx| {
                let module = Module::declare(ctx.clone(), format!("{PREFIX}{name}"), &*source)
                    .inspect_err(|error| explain(&ctx, error))?;
                module.write(WriteOptions { strip_source: true, ..WriteOptions::default() })
            })?;
            compiled.push((name, bytes));
            source.fill(0);
            Ok(())
        })
    })
}

/// Returns the module with this name, without `PREFIX`.
pub(crate) fn module<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    COMPILED.with_borrow(|compiled| {
        let (_, bytes) = compiled.iter().find(|(known, _)| *known == name).ok_or_else(|| Error::new_loading(name))?;
        engine::load(ctx, bytes)
    })
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("loadModule", Function::new(ctx.clone(), |ctx, name: Text<'js>| load(&ctx, &name))?)
}

/// Returns the default export of the module with this name.
pub(crate) fn load<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Value<'js>> {
    // The engine resolves the imports of the module only when another module imports it.
    let source = format!("import module from '{PREFIX}{name}'; export default module;");
    let (module, evaluation) = Module::declare(ctx.clone(), format!("isolette:load/{name}"), source)?.eval()?;
    if let Some(Err(error)) = evaluation.result::<Value<'_>>() {
        return Err(error);
    }
    module.get("default")
}

/// Accepts every module that is imported during compilation: its content matters only when it is loaded.
struct Anything;

impl Resolver for Anything {
    fn resolve<'js>(&mut self, _: &Ctx<'js>, _: &str, name: &str, _: Option<ImportAttributes<'js>>) -> Result<String> {
        Ok(name.to_owned())
    }
}

impl Loader for Anything {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}
