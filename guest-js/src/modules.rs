//! `import` and `import()`: modules of the prelude, interfaces, and files of the sandbox.

use guest_js_text::rewrite;
use rquickjs::{
    Ctx, Error, Exception, Function, Module, Object, Result, Value,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use crate::{engine, hooks, lazy, rejections, text::Text, typescript};

/// Finds the modules of `prelude/modules.js`, independent of the importing file, and those of `prelude/node/file_modules.js`.
pub(crate) struct Modules;

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        if is_file(name) {
            return hooks::resolve_file(ctx, base, name);
        }
        Ok(name.strip_prefix("node:").unwrap_or(name).to_owned())
    }
}

/// Returns whether a module name means a file of the sandbox; `isFile` of `prelude/node/file_modules.js` decides alike.
fn is_file(name: &str) -> bool {
    ["/", "./", "../", "file:"].iter().any(|start| name.starts_with(start)) || matches!(name, "." | "..")
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        if let Some(name) = name.strip_prefix(lazy::PREFIX) {
            return lazy::module(ctx, name);
        }
        let source = hooks::module_source(ctx, name)?.ok_or_else(|| Error::new_loading(name))?;
        let module = Module::declare(ctx.clone(), name, source)?;
        if is_file(name) {
            hooks::describe_file(ctx, module.meta()?, name)?;
        }
        Ok(module)
    }
}

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("isModule", Function::new(ctx.clone(), |text: Text<'js>| rewrite::without_modules(&text).is_some())?)?;
    host.set("compileFunction", Function::new(ctx.clone(), compile)?)?;
    host.set("withoutTypes", Function::new(ctx.clone(), without_types)?)?;
    host.set("importNow", Function::new(ctx.clone(), import_now)?)
}

/// The function of a module of CommonJS, whose first line is that of its file.
fn compile<'js>(ctx: Ctx<'js>, text: Text<'js>, path: Text<'js>) -> Result<Value<'js>> {
    let code = format!("(function (\nexports, require, module, __filename, __dirname) {{\n{}\n}})", &*text);
    engine::evaluate_from_line(&ctx, &code, &path, -1)
}

/// The text of a file without types.
fn without_types(ctx: Ctx<'_>, text: Text<'_>, path: Text<'_>, is_module: bool) -> Result<String> {
    let stripped = if is_module {
        typescript::strip_module(&text, &path)
    } else {
        typescript::strip(&text, &path).map(|stripped| stripped.code)
    };
    stripped.map_err(|error| {
        let place = error.line.map_or_else(|| path.to_string(), |line| format!("{}:{line}", &*path));
        Exception::throw_syntax(&ctx, &format!("{} ({place})", error.message))
    })
}

/// The namespace of a module that does not have to wait for anything.
fn import_now<'js>(ctx: Ctx<'js>, name: Text<'js>) -> Result<Value<'js>> {
    let quoted = serde_json::to_string(&*name).map_err(|_| Error::Unknown)?;
    let source = format!("import * as module from {quoted}; export default module;");
    let (module, evaluation) = Module::declare(ctx.clone(), format!("isolette:load/{}", &*name), source)?.eval()?;
    match evaluation.result::<Value<'_>>() {
        Some(Ok(_)) => module.get("default"),
        Some(Err(error)) => {
            rejections::forget(&ctx, evaluation.into_value());
            Err(error)
        }
        None => {
            let message = format!(
                "require() cannot load {}, which has `await` outside of functions\nhint: use import() instead",
                &*name
            );
            Err(Exception::throw_message(&ctx, &message))
        }
    }
}
