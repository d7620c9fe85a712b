//! `cargo xtask image`: from pinned inputs to a verified image.

mod assemble;
mod javascript;
mod python;
mod rust;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};

pub(crate) use self::rust::cargo as guest_cargo;
use crate::{assembler::Assembler, lock, progress, project::Project, setup};

/// The WIT that interpreters are built from: nothing of the wall, which may change without them.
const INTERPRETER_WIT: [&str; 7] = [
    "wit/console.wit",
    "wit/files.wit",
    "wit/http.wit",
    "wit/runner.wit",
    "wit/system.wit",
    "wit/tools.wit",
    "wit/world.wit",
];

/// What an image consists of. The manifest is the last to be written.
pub(crate) const FILES: [&str; 3] = ["guest.wasm", "guest.wasmtime.cwasm", "image.json"];

/// What can be done to an image.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build images; what is already there and up to date stays
    Build(Build),
    /// Check that images are what their manifests say
    Verify(Look),
    /// Print what images are made of
    Inspect(Look),
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// Whose image to build
    #[arg(long, value_enum, default_value_t = Selection::All)]
    lang: Selection,
}

#[derive(Debug, Args)]
pub(crate) struct Look {
    /// Names of images, or their folders; all images if there is none
    images: Vec<PathBuf>,
}

/// Which images are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Selection {
    Python,
    #[value(alias = "js")]
    Javascript,
    All,
}

impl Selection {
    pub(crate) fn python(self) -> bool {
        self != Self::Javascript
    }

    pub(crate) fn javascript(self) -> bool {
        self != Self::Python
    }

    fn languages(self) -> Vec<Language> {
        let mut languages = Vec::new();
        languages.extend(self.python().then_some(Language::Python));
        languages.extend(self.javascript().then_some(Language::JavaScript));
        languages
    }
}

/// A language that there is a guest for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
        }
    }
}

pub(crate) fn perform(project: &Project, task: Task) -> Result<()> {
    match task {
        Task::Build(build) => {
            if !ensure(project, build.lang)? {
                progress::note("all images are up to date");
            }
            Ok(())
        }
        Task::Verify(look) => look.at_each(project, "verify"),
        Task::Inspect(look) => look.at_each(project, "inspect"),
    }
}

/// Builds the selected images unless they are up to date. Returns whether there was anything to do.
pub(crate) fn ensure(project: &Project, selection: Selection) -> Result<bool> {
    let _lock = lock::acquire(project)?;
    let mut worked = setup::ensure(project, selection)?;
    let assembler = Assembler::new(project);
    let parts = rust::parts(project, &assembler)?;
    for language in selection.languages() {
        let interpreter = match language {
            Language::Python => python::interpreter(project)?,
            Language::JavaScript => javascript::interpreter(project, &assembler)?,
        };
        worked |= assemble::image(project, &assembler, language, &parts, &interpreter)?;
    }
    Ok(worked)
}

impl Look {
    fn at_each(self, project: &Project, command: &str) -> Result<()> {
        let images: Vec<PathBuf> = if self.images.is_empty() {
            ensure(project, Selection::All)?;
            Selection::All.languages().into_iter().map(|language| project.images().join(language.name())).collect()
        } else {
            let named = |path: PathBuf| if path.exists() { path } else { project.images().join(path) };
            self.images.into_iter().map(named).collect()
        };
        let assembler = Assembler::new(project);
        for image in images {
            let text = assembler.call(format!("{command} {}", image.display()))?.arg(command).arg(&image).output()?;
            print!("{text}");
        }
        Ok(())
    }
}
