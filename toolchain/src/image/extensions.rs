//! Python packages with extension modules: compiled from their source archives to wheels for the image's CPython.
//!
//! Each has a folder below `toolchain/extensions/packages` with the version, the digest of its sources, patches and options. What
//! is compiled is kept until one of these changes. Wheels that were compiled elsewhere need none of this.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::libraries;
use crate::{
    debian,
    environments::{self, PythonEnvironment},
    fingerprint::Fingerprint,
    invocation::Invocation,
    project::Project,
    step::step,
    tools,
};

const FOLDER: &str = "toolchain/extensions";

/// The tag of wheels that are compiled for the image's CPython.
pub(crate) const PLATFORM: &str = "wasi_wasm32";

/// What `package.json` says that matters here.
#[derive(Debug, Deserialize)]
struct Description {
    version: String,
    sha256: String,
    /// Packages here that its build reads, or that it imports.
    #[serde(default)]
    requires: Vec<String>,
    /// Its modules, unless its own build knows them.
    #[serde(default)]
    modules: BTreeMap<String, Module>,
}

#[derive(Debug, Deserialize)]
struct Module {
    /// The libraries in C that it is linked with.
    #[serde(default)]
    libraries: BTreeSet<String>,
}

impl Description {
    /// `None` for packages that are not compiled here.
    fn of(project: &Project, name: &str) -> Result<Option<Self>> {
        let file = project.path(FOLDER).join("packages").join(name).join("package.json");
        if !file.is_file() {
            return Ok(None);
        }
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", file.display())).map(Some)
    }

    fn required(project: &Project, name: &str) -> Result<Self> {
        Self::of(project, name)?.with_context(|| format!("{name} is not described in {FOLDER}/packages"))
    }
}

/// The folder of everything that is made of a package.
fn folder(project: &Project, name: &str) -> PathBuf {
    project.toolchain().join("extensions").join(name)
}

/// The wheels of those of the packages that have extension modules, compiled unless they exist. Packages are names with versions.
pub(crate) fn wheels<'a>(
    project: &Project,
    packages: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<PathBuf>> {
    let mut wanted = Vec::new();
    for (name, version) in packages {
        if let Some(description) = Description::of(project, name)? {
            ensure!(
                description.version == version,
                "{name} {version} cannot be compiled for an image\nhint: use {name}=={}",
                description.version
            );
            add(project, name, description, &mut wanted)?;
        }
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sysroot = Sysroot::ensure(project)?;
    wanted.iter().map(|(name, description)| sysroot.wheel(name, description)).collect()
}

/// Adds a package after those that it requires.
fn add(project: &Project, name: &str, description: Description, wanted: &mut Vec<(String, Description)>) -> Result<()> {
    for other in &description.requires {
        add(project, other, Description::required(project, other)?, wanted)?;
    }
    if wanted.iter().all(|(known, _)| known != name) {
        wanted.push((name.to_owned(), description));
    }
    Ok(())
}

/// Unpacks the sources of a package that was compiled, for its own tests. Returns whether they were missing.
pub(crate) fn unpack_tests(project: &Project, name: &str) -> Result<bool> {
    let description = Description::required(project, name)?;
    let archive = archive(project, name, &description.version);
    let folder = project.toolchain().join("third-party").join(name);
    let inputs = Fingerprint::new().text("sha256", &description.sha256);
    step(project, &format!("third-party-{name}"), inputs, &[folder.join(name).join("__init__.py")], || {
        environments::empty(&folder)?;
        Invocation::new(format!("unpack the tests of {name}"), "tar")
            .args(["--strip-components", "1", "-xzf"])
            .arg(&archive)
            .arg("-C")
            .arg(&folder)
            .arg(format!("{name}-{}/{name}", description.version))
            .run()
    })
}

fn archive(project: &Project, name: &str, version: &str) -> PathBuf {
    folder(project, name).join(format!("{name}-{version}.tar.gz"))
}

/// What extension modules are compiled with.
struct Sysroot<'a> {
    project: &'a Project,
    folder: PathBuf,
    python: PathBuf,
}

impl<'a> Sysroot<'a> {
    fn ensure(project: &'a Project) -> Result<Self> {
        let environment = project.toolchain().join("extensions/python");
        let python = environment.join("bin/python");
        environments::python(
            project,
            &PythonEnvironment {
                what: "what compiles extension modules",
                step: "setup-extensions",
                interpreter: tools::python3()?,
                output: environment.join("bin/cython"),
                folder: environment,
                pins: tools::EXTENSION_PINS,
            },
        )?;
        let headers = project.toolchain().join("extensions/headers");
        let header = headers.join("unpacked/usr/include/python3.14/Python.h");
        step(project, "extensions-headers", Fingerprint::new(), std::slice::from_ref(&header), || {
            let package = debian::Package { name: "libpython3.14-dev", pin: None };
            debian::unpack(&headers, &[package], "the headers of CPython 3.14 come from Debian").map(drop)
        })?;
        let folder = project.toolchain().join("extensions/sysroot");
        let sysroot = Self { project, folder, python };
        let outputs = ["lib/libpython3.14.so", "lib/libbuiltins.a", "lib/libstandard.a", "lib/runtime.o", "bin/cc"];
        let outputs = outputs.map(|file| sysroot.folder.join(file));
        step(project, "extensions-sysroot", sysroot.inputs()?.made(&header)?, &outputs, || {
            if sysroot.folder.exists() {
                fs::remove_dir_all(&sysroot.folder)?;
            }
            sysroot
                .call("make headers and libraries for extension modules", "sysroot.py")
                .arg("--componentize-py")
                .arg(tools::python_environment(project))
                .arg("--headers")
                .arg(headers.join("unpacked"))
                .arg("--output")
                .arg(&sysroot.folder)
                .run()
        })?;
        Ok(sysroot)
    }

    fn inputs(&self) -> Result<Fingerprint> {
        let mut inputs = Fingerprint::new()
            .text("place", self.folder.as_os_str().as_encoded_bytes())
            .text("rustc", tools::rustc_version()?);
        for file in [
            "casts.py",
            "compiler.py",
            "include/fenv.h",
            "link.py",
            "objects.py",
            "requirements.txt",
            "runtime.c",
            "standard_library.py",
            "sysroot.py",
        ] {
            inputs = inputs.file(&self.project.path(FOLDER), file)?;
        }
        inputs.file(self.project.root(), tools::PYTHON_PINS)
    }

    fn wheel(&self, name: &str, description: &Description) -> Result<PathBuf> {
        let folder = folder(self.project, name);
        let wheel = self.wheel_path(name, &description.version);
        let archive = archive(self.project, name, &description.version);
        self.download(name, &description.sha256, &archive)?;
        let own = format!("{FOLDER}/packages/{name}");
        let how = if description.modules.is_empty() { "meson.py" } else { "sources.py" };
        let mut inputs = self.inputs()?.tree(self.project.root(), own)?;
        for file in ["build.py", how] {
            inputs = inputs.file(&self.project.path(FOLDER), file)?;
        }
        let mut others = Vec::new();
        for other in &description.requires {
            let required =
                Description::of(self.project, other)?.with_context(|| format!("{other} is not described"))?;
            inputs = inputs.made(&self.wheel_path(other, &required.version))?;
            others.extend(["--requires".into(), self.headers(other).into_os_string()]);
        }
        for library in description.modules.values().flat_map(|module| &module.libraries).collect::<BTreeSet<_>>() {
            inputs = libraries::inputs(self.project, library, inputs)?;
            let archive = libraries::archive(self.project, library, |name, sha256, archive| {
                self.download(name, sha256, archive)
            })?;
            others.extend(["--library".into(), library.into(), archive.into_os_string()]);
        }
        step(self.project, &format!("extensions-{name}"), inputs, std::slice::from_ref(&wheel), || {
            let work = folder.join("work");
            for folder in [&work, &folder.join("wheel"), &self.headers(name)] {
                environments::empty(folder)?;
            }
            self.call(&format!("compile {name} for WebAssembly"), "build.py")
                .args(["--name", name, "--sdist"])
                .arg(&archive)
                .arg("--sysroot")
                .arg(&self.folder)
                .arg("--linker")
                .arg(linker()?)
                .arg("--work")
                .arg(&work)
                .arg("--output")
                .arg(folder.join("wheel"))
                .arg("--headers")
                .arg(self.headers(name))
                .args(others)
                .run()?;
            fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))
        })?;
        Ok(wheel)
    }

    /// Downloads a source archive unless it is there.
    fn download(&self, name: &str, sha256: &str, archive: &Path) -> Result<()> {
        let digest = Fingerprint::new().text("sha256", sha256);
        step(self.project, &format!("extensions-{name}-source"), digest, &[archive.to_owned()], || {
            let folder = archive.parent().context("an archive is in a folder")?;
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
            self.call(&format!("download the sources of {name}"), "sdist.py")
                .args(["--name", name, "--sha256", sha256, "--output"])
                .arg(archive)
                .hint("they come from PyPI, which must be reachable once")
                .run()
        })
        .map(drop)
    }

    fn wheel_path(&self, name: &str, version: &str) -> PathBuf {
        let file = format!("{name}-{version}-cp314-cp314-{PLATFORM}.whl");
        folder(self.project, name).join("wheel").join(file)
    }

    /// What builds of other packages read of a package.
    fn headers(&self, name: &str) -> PathBuf {
        folder(self.project, name).join("headers")
    }

    fn call(&self, title: &str, script: &str) -> Invocation {
        Invocation::new(title, &self.python).arg("-B").arg(self.project.path(FOLDER).join(script))
    }
}

/// The linker that comes with Rust.
fn linker() -> Result<PathBuf> {
    let sysroot =
        Invocation::new("ask the compiler for its folder", tools::rustc()).args(["--print", "sysroot"]).output()?;
    let host =
        tools::rustc_version()?.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let linker = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/rust-lld");
    ensure!(
        linker.is_file(),
        "{} does not exist\nhint: use the Rust toolchain of rustup, which contains a linker",
        linker.display()
    );
    Ok(linker)
}
