//! `import()`: only modules of the prelude can be loaded.

use rquickjs::{
    Ctx, Error, Module, Result,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use crate::lazy;

/// Finds the modules of `prelude/modules.js`, independent of the importing file.
pub(crate) struct Modules;

impl Resolver for Modules {
    fn resolve<'js>(&mut self, _: &Ctx<'js>, _: &str, name: &str, _: Option<ImportAttributes<'js>>) -> Result<String> {
        Ok(name.strip_prefix("node:").unwrap_or(name).to_owned())
    }
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
        let source = crate::hooks::module_source(ctx, name)?.ok_or_else(|| Error::new_loading(name))?;
        Module::declare(ctx.clone(), name, source)
    }
}
