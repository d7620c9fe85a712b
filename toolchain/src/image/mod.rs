//! `cargo xtask image`: from pinned inputs to a verified image.

mod assemble;
mod component;
pub(crate) mod engine;
pub(crate) mod examples;
mod extensions;
mod javascript;
pub(crate) mod libraries;
pub(crate) mod packages;
mod python;
mod rust;

use std::{fs, path::PathBuf, thread};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use clap::{Args, Subcommand};

pub(crate) use self::rust::cargo as guest_cargo;
use self::{assemble::Interpreter, packages::Package};
pub(crate) use crate::selection::Selection;
use crate::{
    assembler::{self, Assembler},
    install, lock, progress,
    project::Project,
    runtime,
};

/// The WIT that interpreters are built from.
const INTERPRETER_WIT: [&str; 9] = [
    "wit/capabilities.wit",
    "wit/console.wit",
    "wit/deps/waist/waist.wit",
    "wit/files.wit",
    "wit/http.wit",
    "wit/runner.wit",
    "wit/system.wit",
    "wit/tools.wit",
    "wit/world.wit",
];

/// The files of an image. The manifest is written last.
pub(crate) fn files() -> impl Iterator<Item = &'static str> {
    let outside = ["guest.runtime.cwasm"].into_iter().chain(runtime::FILES).filter(|_| runtime::is_for_this_machine());
    ["guest.wasm", "guest.wasmtime.cwasm"].into_iter().chain(outside).chain(["image.json"])
}

/// The tasks for images.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build images that are out of date
    Build(Build),
    /// Check that images match their manifests
    Verify(Look),
    /// Print the contents of images
    Inspect(Look),
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The language of the image; Python with `--with`
    #[arg(long, value_enum)]
    lang: Option<Selection>,
    /// Bundle a package and its dependencies, in pure Python or compiled for images; may be repeated. The image has a name of
    /// its own
    #[arg(long, value_name = "PACKAGE==VERSION")]
    with: Vec<Package>,
    /// Take packages from a folder of wheels too, such as those that were compiled elsewhere for WebAssembly; may be repeated
    #[arg(long, value_name = "FOLDER", requires = "with")]
    wheels: Vec<PathBuf>,
    /// Build the image of a custom component, which exports isolette:sandbox/runner or functions to call: a .wasm file, or
    /// the directory of a project for cargo, cargo-component, componentize-py or jco
    #[arg(long, value_name = "PATH", conflicts_with_all = ["lang", "with"])]
    component: Option<PathBuf>,
    /// Let the component import an interface that the host provides: its WIT, and the interface if the WIT has several; may
    /// be repeated
    #[arg(long, value_name = "[INTERFACE=]WIT", requires = "component")]
    capability: Vec<component::Capability>,
    /// Build the images that only tests use
    #[arg(long, conflicts_with_all = ["lang", "with", "component", "name"])]
    examples: bool,
    /// The name of an image with packages or of a component. Default: the names of the packages, or of the file or directory.
    /// Without packages, those in the list of that name: `python-science` has numpy and pandas
    #[arg(long)]
    name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Look {
    /// Names or directories of images. Default: all images
    images: Vec<PathBuf>,
}

/// The languages of the selected images.
fn languages(selection: Selection) -> Vec<Language> {
    let mut languages = Vec::new();
    languages.extend(selection.python().then_some(Language::Python));
    languages.extend(selection.javascript().then_some(Language::JavaScript));
    languages
}

/// A language that has a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
    /// A custom component, written in any language.
    Component,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::Component => "component",
        }
    }
}

pub(crate) fn perform(project: &Project, task: Task) -> Result<()> {
    match task {
        Task::Build(build) => build.perform(project),
        Task::Verify(look) => look.at_each(project, "verify"),
        Task::Inspect(look) => look.at_each(project, "inspect"),
    }
}

/// Builds the selected images that are out of date. Returns whether there were any.
pub(crate) fn ensure(project: &Project, selection: Selection) -> Result<bool> {
    make(project, &Assembler::new(project), selection, &plain(selection), || Ok(()))
}

/// Builds the selected images that are out of date. `beside`, which may use the target folder of the workspace, runs at the
/// same time.
pub(crate) fn ensure_beside(
    project: &Project,
    selection: Selection,
    beside: impl FnOnce() -> Result<()> + Send,
) -> Result<()> {
    let assembler = Assembler::new(project);
    // Later, cargo would wait for `beside` to leave the folder.
    assembler.program()?;
    make(project, &assembler, selection, &plain(selection), beside).map(drop)
}

/// Builds the selected images and the command line tool, side by side where that is faster.
pub(crate) fn ensure_with_command_line_tool(project: &Project, selection: Selection) -> Result<()> {
    let beside = || assembler::build_command_line_tool(project);
    make(project, &Assembler::new(project), selection, &plain(selection), beside).map(drop)
}

/// The images whose packages are listed in the sources.
const LISTED: &str = "toolchain/extensions/images";

/// The line of a list that adds the modules for the packages' own tests.
const FOR_ITS_TESTS: &str = "--for-its-tests";

/// Builds an image whose packages are listed in the sources, if it is out of date. Packages may also come from folders of wheels.
/// Returns whether it was out of date.
pub(crate) fn ensure_with_packages(project: &Project, name: &str, wheels: Vec<PathBuf>) -> Result<bool> {
    let list = project.path(LISTED).join(name).with_extension("txt");
    ensure!(
        list.is_file(),
        "there is no list of packages for an image `{name}`\nhint: name its packages with `--with`, or use one of the lists in {LISTED}"
    );
    let text = fs::read_to_string(&list).with_context(|| format!("cannot read {}", list.display()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (options, pins): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with("--"));
    let for_tests = options == [FOR_ITS_TESTS];
    ensure!(for_tests || options.is_empty(), "{}: the only option is `{FOR_ITS_TESTS}`", list.display());
    let packages =
        pins.into_iter().map(|pin: &str| pin.parse().map_err(|error| anyhow!("{}: {error}", list.display())));
    let recipe = Recipe { for_tests, wheels, ..Recipe::with(packages.collect::<Result<_>>()?, Some(name.to_owned()))? };
    make(project, &Assembler::new(project), Selection::Python, std::slice::from_ref(&recipe), || Ok(()))
}

fn plain(selection: Selection) -> Vec<Recipe> {
    languages(selection).into_iter().map(Recipe::plain).collect()
}

/// Builds images. Once nothing but them has to be compiled, `beside` runs at the same time: the steps of interpreters keep one
/// processor busy.
fn make(
    project: &Project,
    assembler: &Assembler<'_>,
    selection: Selection,
    recipes: &[Recipe],
    beside: impl FnOnce() -> Result<()> + Send,
) -> Result<bool> {
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, selection)?;
    thread::scope(|scope| {
        let ((parts, interpreters, beside), runtimes) = runtime::build_beside(project, || {
            let parts = rust::parts(project, assembler)?;
            let beside = scope.spawn(beside);
            let interpreters = recipes.iter().map(|recipe| interpreter(project, assembler, recipe));
            Ok((parts, interpreters.collect::<Result<Vec<_>>>()?, beside))
        })?;
        for (recipe, interpreter) in recipes.iter().zip(interpreters) {
            worked |= assemble::image(project, assembler, recipe, Some(&parts), &interpreter, runtimes.as_ref())?;
        }
        beside.join().map_err(|_| anyhow!("compiling beside the images panicked"))??;
        Ok(worked)
    })
}

fn interpreter(project: &Project, assembler: &Assembler<'_>, recipe: &Recipe) -> Result<Interpreter> {
    match recipe.language {
        Language::Python => python::interpreter(project, assembler, recipe),
        Language::JavaScript => javascript::interpreter(project, assembler),
        Language::Component => bail!("the image {} is made by `image build --component`", recipe.name),
    }
}

impl Build {
    fn perform(self, project: &Project) -> Result<()> {
        let worked = if self.examples {
            examples::ensure(project, examples::Packages::Build)?
        } else if let Some(file) = &self.component {
            component::build(project, file, &self.capability, self.name)?
        } else if self.with.is_empty() {
            match self.name {
                None => ensure(project, self.lang.unwrap_or(Selection::All))?,
                Some(name) => ensure_with_packages(project, &name, Vec::new())?,
            }
        } else {
            ensure!(
                self.lang.is_none_or(|lang| lang == Selection::Python),
                "packages can be bundled into the Python image only\nhint: remove `--lang`"
            );
            let recipe = Recipe { wheels: self.wheels, ..Recipe::with(self.with, self.name)? };
            make(project, &Assembler::new(project), Selection::Python, std::slice::from_ref(&recipe), || Ok(()))?
        };
        if !worked {
            progress::note("everything is up to date");
        }
        Ok(())
    }
}

/// The contents of an image.
#[derive(Debug)]
struct Recipe {
    name: String,
    language: Language,
    /// Packages besides those of every image of the language.
    packages: Vec<Package>,
    /// Folders with wheels, beside those of PyPI.
    wheels: Vec<PathBuf>,
    /// Whether it has modules that only the packages' own tests import.
    for_tests: bool,
}

impl Recipe {
    fn plain(language: Language) -> Self {
        Self { name: language.name().to_owned(), language, packages: Vec::new(), wheels: Vec::new(), for_tests: false }
    }

    fn with(mut packages: Vec<Package>, name: Option<String>) -> Result<Self> {
        packages.sort();
        packages.dedup();
        let name = name.unwrap_or_else(|| {
            packages.iter().fold("python".to_owned(), |name, package| format!("{name}-{}", package.name()))
        });
        check_name(&name)?;
        Ok(Self { name, language: Language::Python, packages, wheels: Vec::new(), for_tests: false })
    }
}

fn check_name(name: &str) -> Result<()> {
    let plain = name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
    ensure!(plain, "`{name}` cannot be the name of an image\nhint: use letters, digits, `-`, `_` and `.`");
    ensure!(
        languages(Selection::All).iter().all(|language| language.name() != name),
        "`{name}` is the name of an image without packages\nhint: choose another one with `--name`"
    );
    Ok(())
}

impl Look {
    fn at_each(self, project: &Project, command: &str) -> Result<()> {
        let images: Vec<PathBuf> = if self.images.is_empty() {
            ensure(project, Selection::All)?;
            languages(Selection::All).into_iter().map(|language| project.images().join(language.name())).collect()
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
