//! The JavaScript interpreter as a component: QuickJS with its prelude is compiled, started once as a core module so that its
//! initialised memory becomes part of the module, and converted to a component.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::{
    assemble::Interpreter,
    engine,
    rust::{self, componentise},
};
use crate::{
    assembler::Assembler,
    fingerprint::Fingerprint,
    invocation::Invocation,
    neutral,
    project::{self, Project},
    step::step,
    tools,
};

const CRATE: &str = "guest-js";

/// Builds it.
pub(crate) fn interpreter(project: &Project, assembler: &Assembler<'_>) -> Result<Interpreter> {
    locales(project)?;
    prelude(project)?;
    let module = module(project)?;
    let started = project.toolchain().join("javascript.wasm");
    let inputs = Fingerprint::new().file(project.root(), tools::NODE_PINS[1])?.made(&module)?;
    step(project, "javascript-started", inputs, std::slice::from_ref(&started), || {
        Invocation::new("initialise QuickJS", tools::node_programs(project).join("wizer"))
            .arg(&module)
            .arg("-o")
            .arg(&started)
            .args(["--init-func", "wizer-initialize"])
            .hint("the message of the prelude is above; it must not call functions of the sandbox while the image is built")
            .run()
    })?;
    let component = componentise(project, assembler, "javascript", &started)?;
    let components = vec![("rquickjs".into(), locked(project, "rquickjs")?)];
    Ok(Interpreter {
        component,
        components,
        packages: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        required: Vec::new(),
    })
}

/// The options of both bundles.
const BUNDLING: [&str; 7] = [
    "--bundle",
    "--format=esm",
    "--target=es2023",
    "--minify-syntax",
    "--minify-whitespace",
    "--legal-comments=none",
    "--log-level=warning",
];

/// Global names that libraries look for and that do not exist. A variable of the program with such a name is unrelated.
const ABSENT: [&str; 9] = [
    "--define:ActiveXObject=undefined",
    "--define:Bun=undefined",
    "--define:Deno=undefined",
    "--define:ErrorEvent=undefined",
    "--define:dispatchEvent=undefined",
    "--define:document=undefined",
    "--define:global=undefined",
    "--define:self=undefined",
    "--define:window=undefined",
];

/// What modules that are loaded on demand import from the prelude, by the names that libraries use.
const FROM_PRELUDE: [&str; 6] = [
    "--external:isolette:*",
    "--external:events",
    "--external:buffer",
    "--external:process/",
    "--external:string_decoder",
    "--external:abort-controller",
];

/// Generates the data of locales for `Intl` from the packages of the Unicode CLDR.
fn locales(project: &Project) -> Result<()> {
    let mut inputs = Fingerprint::new().tree(project.root(), format!("{CRATE}/intl"))?;
    for pins in tools::NODE_PINS {
        inputs = inputs.file(project.root(), pins)?;
    }
    let target = project.path(CRATE).join("target");
    let outputs = [target.join("intl.data"), target.join("intl_index.js")];
    step(project, "javascript-locales", inputs, &outputs, || {
        fs::create_dir_all(&target).with_context(|| format!("cannot create {}", target.display()))?;
        Invocation::new("write the data of locales", "node")
            .arg(project.path(CRATE).join("intl/generate.mjs"))
            .arg(tools::node_environment(project).join("node_modules"))
            .arg(&target)
            .run()
    })?;
    Ok(())
}

/// Bundles the part of the interpreter that is written in JavaScript: the prelude, and each module that is loaded on demand.
fn prelude(project: &Project) -> Result<()> {
    let mut inputs = Fingerprint::new().tree(project.root(), format!("{CRATE}/prelude"))?;
    inputs = inputs.file(project.root(), format!("{CRATE}/target/intl_index.js"))?;
    for pins in tools::NODE_PINS {
        inputs = inputs.file(project.root(), pins)?;
    }
    let target = project.path(CRATE).join("target");
    let bundle = target.join("prelude.js");
    let later = sources(project)?;
    let own = |file| format!("--inject:{}", project.path(CRATE).join("prelude/own").join(file).display());
    let mut bundles = vec![bundle.clone()];
    bundles.extend(later.iter().filter_map(|source| Some(target.join("node").join(source.file_name()?))));
    step(project, "javascript-prelude", inputs, &bundles, || {
        esbuild(project, "bundle the JavaScript prelude")
            .arg(project.path(CRATE).join("prelude/main.js"))
            .args(BUNDLING)
            .args(ABSENT)
            .arg(own("language.js"))
            .arg(own("web.js"))
            .arg(format!("--outfile={}", bundle.display()))
            .run()?;
        esbuild(project, "bundle the modules that are loaded on demand")
            .args(&later)
            .args(BUNDLING)
            .args(ABSENT)
            .args(FROM_PRELUDE)
            .arg(own("later.js"))
            .arg("--banner:js=import{require}from\"isolette:prelude\";")
            .arg(format!("--outdir={}", target.join("node").display()))
            .run()?;
        for bundle in &bundles {
            let text = fs::read_to_string(bundle).with_context(|| format!("cannot read {}", bundle.display()))?;
            ensure!(
                !text.contains("__commonJS({\"../"),
                "the bundled prelude contains libraries that are not pinned for images\nhint: remove {}",
                project.path(CRATE).join("node_modules").display()
            );
            fs::write(bundle, without_checkout(&text)).with_context(|| format!("cannot write {}", bundle.display()))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Returns the bundle with the modules of the prelude named relative to the checkout. esbuild names them relative to the
/// libraries, which may be anywhere, so that the path of the checkout would become part of the image.
fn without_checkout(bundle: &str) -> String {
    const MODULE: &str = "__esm({\"";
    let mut pieces = bundle.split(MODULE);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let name = piece.find('"').unwrap_or(0);
        let start = piece[..name].find(&format!("{CRATE}/prelude/")).unwrap_or(0);
        text.extend([MODULE, &piece[start..]]);
    }
    text
}

/// The modules that are loaded on demand, sorted.
fn sources(project: &Project) -> Result<Vec<PathBuf>> {
    let folder = project.path(CRATE).join("prelude/node");
    let mut sources = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "js") {
            sources.push(path);
        }
    }
    sources.sort();
    let list = format!("{CRATE}/src/lazy.rs");
    let text = fs::read_to_string(project.path(&list)).with_context(|| format!("cannot read {list}"))?;
    for source in &sources {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        ensure!(
            text.contains(&format!("\n    \"{name}\",\n")),
            "{name} of {CRATE}/prelude/node would not be part of the image\nhint: add it to sources! in {list}"
        );
    }
    Ok(sources)
}

fn esbuild(project: &Project, title: &str) -> Invocation {
    let libraries = tools::node_environment(project);
    Invocation::new(title, tools::node_programs(project).join("esbuild"))
        .env("NODE_PATH", libraries.join("node_modules"))
        // Names of libraries are paths relative to this directory, so that they are the same on every machine.
        .directory(libraries)
}

/// Compiles the interpreter.
fn module(project: &Project) -> Result<PathBuf> {
    engine::ensure_flag(project)?;
    let module = project.guests().join(tools::GUEST_TARGET).join("release/isolette_guest_js.wasm");
    let clang = tools::find("clang").context("clang is not in the search path")?;
    let inputs = Fingerprint::new().text("rustc", tools::rustc_version()?).text("clang", tools::version(clang)?);
    let mut inputs = inputs.text("names", neutral::NAMES.concat());
    for source in [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        ".cargo",
        "engine",
        "keys",
        "src",
        "text",
        "target/prelude.js",
        "target/node",
        "target/intl.data",
    ] {
        inputs = inputs.tree(project.root(), format!("{CRATE}/{source}"))?;
    }
    for interface in super::INTERPRETER_WIT {
        inputs = inputs.file(project.root(), interface)?;
    }
    inputs = inputs.tree(project.root(), "abi")?;
    step(project, "javascript-module", inputs, std::slice::from_ref(&module), || {
        rust::cargo("compile QuickJS", project)?
            .args(["build", "--release"])
            .args(project::locked())
            .directory(project.path(CRATE))
            .run()?;
        neutral::ensure(project, &module)
    })?;
    Ok(module)
}

/// The version of a crate in the lock file.
fn locked(project: &Project, name: &str) -> Result<String> {
    let lock = fs::read_to_string(project.path(CRATE).join("Cargo.lock"))?;
    let package = lock.split("[[package]]").find(|package| package.contains(&format!("\nname = \"{name}\"\n")));
    package
        .and_then(|package| package.split_once("\nversion = \"")?.1.split_once('"'))
        .map(|(version, _)| version.to_owned())
        .with_context(|| format!("{CRATE}/Cargo.lock does not contain {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_does_not_name_the_checkout() {
        let bundle = "a;var b=__esm({\"../../home/x/guest-js/prelude/own/web.js\"(){c()}}),d=__esm({\"node_modules/e.js\"(){}});";
        let expected = "a;var b=__esm({\"guest-js/prelude/own/web.js\"(){c()}}),d=__esm({\"node_modules/e.js\"(){}});";
        assert_eq!(without_checkout(bundle), expected);
        assert_eq!(without_checkout("none"), "none");
    }
}
