//! The program that composes and compiles images. It contains Wasmtime's compiler, so it is built only when it is needed.
//! The command line tool is built like it.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use anyhow::Result;

use crate::{
    fingerprint::Fingerprint,
    invocation::Invocation,
    project::{self, Project},
};

/// The inputs that determine which bytes the assembler writes, apart from the code of its dependencies.
const SOURCES: [&str; 5] = [
    "toolchain/assembler",
    "host/engine/src/image/manifest.rs",
    "host/engine/src/wasmtime.rs",
    "instance/src/settings.rs",
    "abi/src/lib.rs",
];

/// The assembler, which is built at most once.
#[derive(Debug)]
pub(crate) struct Assembler<'a> {
    project: &'a Project,
    program: OnceCell<PathBuf>,
}

impl<'a> Assembler<'a> {
    pub(crate) fn new(project: &'a Project) -> Self {
        Self { project, program: OnceCell::new() }
    }

    /// Adds its inputs. They are known without building it.
    pub(crate) fn fingerprint(&self, inputs: Fingerprint) -> Result<Fingerprint> {
        SOURCES.iter().try_fold(inputs, |inputs, source| inputs.tree(self.project.root(), source))
    }

    /// Returns a call of it.
    pub(crate) fn call(&self, title: impl Into<String>) -> Result<Invocation> {
        Ok(Invocation::new(title, self.program()?))
    }

    /// Returns its path.
    pub(crate) fn program(&self) -> Result<&Path> {
        if let Some(program) = self.program.get() {
            return Ok(program);
        }
        build(self.project, "compile the assembler of images", &["image-assembler"])?;
        Ok(self.program.get_or_init(|| self.project.target().join("debug/image-assembler")))
    }
}

/// Builds the assembler and the command line tool.
pub(crate) fn build_programs(project: &Project) -> Result<()> {
    build(project, "compile the command line tool and the assembler", &["isolette", "image-assembler"])
}

/// Builds the command line tool.
pub(crate) fn build_command_line_tool(project: &Project) -> Result<()> {
    build(project, "compile the command line tool", &["isolette"])
}

/// The whole workspace is selected, so that features are resolved as they are for the tests. Otherwise the engine, which both
/// programs use, would be compiled again for each.
fn build(project: &Project, title: &str, programs: &[&str]) -> Result<()> {
    Invocation::cargo(title)
        .args(["build", "--workspace"])
        .args(programs.iter().flat_map(|program| ["--bin", program]))
        .args(project::locked())
        .directory(project.root())
        .hint("the message of the compiler is above; a dependency that cannot be fetched needs the network once")
        .run()
}
