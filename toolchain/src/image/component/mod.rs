//! `cargo xtask image build --component`: an image with a custom component in place of an interpreter.

mod bind;
mod capability;
mod cargo;
mod javascript;
mod missing_tool;
mod python;
mod source;
#[cfg(test)]
mod testing;

use std::{fs, path::Path};

use anyhow::{Context as _, Result};

pub(crate) use self::{capability::Capability, source::missing_tool};
use super::{
    Language, Recipe, Selection,
    assemble::{self, Interpreter},
    rust::{self, componentise},
};
use crate::{assembler::Assembler, install, lock, project::Project, runtime};

/// Builds the image of a component file or of a project directory. Returns whether anything was out of date.
pub(crate) fn build(
    project: &Project,
    component: &Path,
    capabilities: &[Capability],
    name: Option<String>,
) -> Result<bool> {
    let source = source::find(component)?;
    let recipe = Recipe::of_component(name.unwrap_or_else(|| source.name()))?;
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, Selection::All)?;
    let assembler = Assembler::new(project);
    let ((parts, interpreter), runtimes) = runtime::build_beside(project, || {
        let file = source.build(project, &recipe.name)?;
        let parts = rust::parts(project, &assembler)?;
        let component = if is_module(&file)? { componentise(project, &assembler, &recipe.name, &file)? } else { file };
        let bound = bind::bind(project, &assembler, (&component, &recipe.name), &parts.adapter, capabilities)?;
        let interpreter = Interpreter {
            component,
            components: Vec::new(),
            packages: Vec::new(),
            before: bound.before,
            after: bound.after,
            required: bound.required,
        };
        Ok((parts, interpreter))
    })?;
    worked |= assemble::image(project, &assembler, &recipe, Some(&parts), &interpreter, runtimes.as_ref())?;
    Ok(worked)
}

/// Whether a file is a core module, which has its WIT in a custom section.
fn is_module(file: &Path) -> Result<bool> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(bytes.starts_with(b"\0asm\x01\0\0\0"))
}

impl Recipe {
    pub(super) fn of_component(name: String) -> Result<Self> {
        super::check_name(&name)?;
        Ok(Self { name, language: Language::Component, packages: Vec::new(), wheels: Vec::new(), for_tests: false })
    }
}
