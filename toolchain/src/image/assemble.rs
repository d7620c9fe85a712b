//! From components to an image: composes the component, compiles it, and writes the manifest.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{Recipe, packages, rust::Parts};
use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    project::Project,
    runtime::{self, Runtimes},
    step::step,
};

/// The component of an interpreter, or a custom one, and what the manifest says about it.
#[derive(Debug)]
pub(crate) struct Interpreter {
    pub(crate) component: PathBuf,
    /// The tools and libraries that it was built with: name and version.
    pub(crate) components: Vec<(String, String)>,
    /// Libraries that programs may import: name and version.
    pub(crate) packages: Vec<(String, String)>,
    /// Components that provide its imports, each for the following ones.
    pub(crate) before: Vec<PathBuf>,
    /// Components that provide the imports of the entry.
    pub(crate) after: Vec<PathBuf>,
    /// Interfaces that the host must provide.
    pub(crate) required: Vec<String>,
}

/// Makes an image. Without parts, the interpreter is the whole image. Returns whether anything was out of date.
pub(crate) fn image(
    project: &Project,
    assembler: &Assembler<'_>,
    recipe: &Recipe,
    parts: Option<&Parts>,
    interpreter: &Interpreter,
    runtimes: Option<&Runtimes>,
) -> Result<bool> {
    let name = &recipe.name;
    let image = project.images().join(name);
    let contract = Fingerprint::new().tree(project.root(), "wit")?.finish();
    let mut inputs = assembler.fingerprint(Fingerprint::new())?.text("wit", &contract);
    let (first, last) = (parts.map(|parts| &parts.adapter), parts.map(|parts| &parts.entry));
    let own = interpreter.before.iter().chain([&interpreter.component]).chain(&interpreter.after);
    let all: Vec<&PathBuf> = first.into_iter().chain(own).chain(last).collect();
    for part in &all {
        inputs = inputs.made(part)?;
    }
    for name in &interpreter.required {
        inputs = inputs.text("required", name);
    }
    for (name, version) in interpreter.components.iter().chain(&interpreter.packages) {
        inputs = inputs.text(name, version);
    }
    for runtime in runtimes.into_iter().flatten() {
        inputs = inputs.made(runtime)?;
    }
    let outputs: Vec<_> = super::files().map(|file| image.join(file)).collect();
    step(project, &format!("{name}-image"), inputs, &outputs, || {
        // A process that has the old image open keeps it, and no process finds an incomplete image.
        let draft = project.images().join(format!(".{name}.draft"));
        remove(&draft)?;
        fs::create_dir_all(&draft)?;
        let component = draft.join("guest.wasm");
        assembler
            .call(format!("compose the {name} image"))?
            .arg("compose")
            .args(&all)
            .arg("--output")
            .arg(&component)
            .hint("a part was built against another WIT, or imports an interface that the adapter does not provide")
            .run()?;
        let compile = |engine: &str, title: String| {
            let code = draft.join(format!("guest.{engine}.cwasm"));
            let call = assembler.call(title)?.arg("compile").arg(&component).args(["--engine", engine]);
            call.arg("--output").arg(code).run()
        };
        compile("wasmtime", format!("compile the {name} image"))?;
        if let Some(runtimes) = runtimes {
            compile("runtime", format!("compile the {name} image for micro-VMs and processes"))?;
            for (runtime, file) in runtimes.iter().zip(runtime::FILES) {
                let copy = draft.join(file);
                fs::copy(runtime, &copy).with_context(|| format!("cannot write {}", copy.display()))?;
            }
        }
        let pairs = |option: &'static str, pairs: &[(String, String)]| -> Vec<String> {
            pairs.iter().flat_map(|(name, version)| [option.to_owned(), format!("{name}={version}")]).collect()
        };
        assembler
            .call(format!("write the manifest of the {name} image"))?
            .arg("write-manifest")
            .arg(&draft)
            .args(["--name", name, "--language", recipe.language.name(), "--wit", &contract])
            .args(pairs("--component", &interpreter.components))
            .args(pairs("--package", &interpreter.packages))
            .args(interpreter.required.iter().flat_map(|name| ["--capability", name]))
            .run()?;
        if !recipe.packages.is_empty() {
            packages::try_in(project, &draft, &recipe.packages).or_else(|error| remove(&draft).and(Err(error)))?;
        }
        let old = project.images().join(format!(".{name}.old"));
        remove(&old)?;
        if image.exists() {
            fs::rename(&image, &old).with_context(|| format!("cannot move {} away", image.display()))?;
        }
        fs::rename(&draft, &image).with_context(|| format!("cannot put {} in place", image.display()))?;
        remove(&old)
    })
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
