//! Patches of CPython and of the libraries that componentize-py links: compiled-in behaviour that does not suit a sandbox, and
//! behaviour of Linux that programs expect (docs/decisions/0028-patch-cpython-after-its-build.md).
//!
//! A patch names a function and the digest of its code, and rejects any other code, so that a developer reviews the patches for
//! each new version of componentize-py. Numbers and texts that the patches need come from the image itself (`table`).

mod blocks;
mod code;
mod edits;
mod files;
mod locks;
mod nesting;
mod patches;
mod stack;
mod table;

use anyhow::{Context as _, Result, ensure};
use wasm_encoder::{Component, ComponentSectionId, RawSection};

use self::{patches::PATCHES, table::Table};
use crate::sections::sections;

/// Returns the patched component.
pub(crate) fn patched(component: &[u8]) -> Result<Vec<u8>> {
    let sections = sections(component)?;
    let is_module = |id: u8| id == u8::from(ComponentSectionId::CoreModule);
    let modules = sections.iter().filter(|(id, _)| is_module(*id)).map(|(_, data)| *data);
    let table = Table::find(modules).context("cannot find the patch table in the memory of the interpreter")?;
    let limit = || stack::limit(sections.iter().filter(|(id, _)| is_module(*id)).map(|(_, data)| *data));
    let mut output = Component::new();
    let (mut done, mut stacks) = (0, 0);
    for &(id, data) in &sections {
        let code = if is_module(id) { code::patched(data, &table)? } else { None };
        let stack = if is_module(id) && code.is_none() { stack::enlarged(data)? } else { None };
        done += code.as_ref().map_or(0, |(_, count)| *count);
        stacks += usize::from(stack.is_some());
        let module = match code {
            None => stack,
            Some((module, _)) => Some(nesting::bounded(&module, &table, &limit)?.unwrap_or(module)),
        };
        output.section(&RawSection { id, data: module.as_deref().unwrap_or(data) });
    }
    ensure!(done == PATCHES.len(), "the component has {done} of {} functions to patch", PATCHES.len());
    ensure!(stacks == 1, "{stacks} modules define the stack of the interpreter, expected 1");
    Ok(output.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(module: &str) -> String {
        let notes = r#"(core module (memory 1) (data (i32.const 64) "what the patches need:localtime\00utc\00"))"#;
        let text = format!("(component {notes} {module})");
        format!("{:#}", patched(&wat::parse_str(text).unwrap()).unwrap_err())
    }

    #[test]
    fn unfamiliar_code_is_rejected() {
        let problem = problem("(core module (func $_Py_Dealloc (param i32)))");
        assert!(problem.contains("_Py_Dealloc has unfamiliar code"), "{problem}");
    }

    #[test]
    fn a_component_without_the_interpreter_is_rejected() {
        let problem = problem("(core module (func $something_else))");
        assert!(problem.contains("has 0 of"), "{problem}");
    }
}
