//! `cargo xtask dist`: makes one archive with the program and the images, which needs no installation.
//!
//! The program is linked statically with musl, so that it uses no library of the system. Even a static glibc would load
//! libraries of the system to resolve names.

mod documents;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::{
    image::{self, Selection},
    install,
    invocation::Invocation,
    neutral, progress,
    project::Project,
    tools,
};

#[derive(Debug, Args)]
pub(crate) struct Dist {
    /// Run a program of each language from the archive, in a root directory that contains nothing else
    #[arg(long)]
    prove: bool,
}

impl Dist {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, Selection::All)?;
        let program = program(project)?;
        let archive = archive(project, &program)?;
        progress::note(&format!("made {}", archive.display()));
        if self.prove { prove(project, &archive) } else { Ok(()) }
    }
}

/// The target of this machine with musl as the C library.
fn target() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

fn program(project: &Project) -> Result<PathBuf> {
    let target = target();
    install::rust_target(&target)?;
    install::programs(&tools::FOR_ARCHIVE)?;
    // A target folder of its own: the flags differ from those of other builds, so cargo would compile everything there again.
    let folder = project.target().join("dist");
    Invocation::cargo("compile the program with musl")
        .args(["build", "--release", "--locked", "--package", "isolette-cli", "--target", &target])
        .env("CARGO_TARGET_DIR", &folder)
        .env("CARGO_ENCODED_RUSTFLAGS", neutral::flags(project)?)
        // SQLite uses the C library, whose headers have to be musl's.
        .env(&format!("CC_{}", target.replace('-', "_")), "musl-gcc")
        .directory(project.root())
        .run()?;
    let program = folder.join(target).join("release/isolette");
    let bytes = fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    ensure!(!is_dynamic(&bytes), "{} is linked to libraries of the system", program.display());
    Ok(program)
}

/// Whether an ELF file names a loader (a program header of the type `PT_INTERP`).
fn is_dynamic(elf: &[u8]) -> bool {
    const PT_INTERP: [u8; 4] = 3_u32.to_le_bytes();
    let field = |at: usize, length: usize| {
        let bytes = elf.get(at..at + length)?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte)))
    };
    let headers = || Some((field(32, 8)?, field(54, 2)?, field(56, 2)?));
    // A file that cannot be parsed counts as dynamic.
    headers().is_none_or(|(start, size, count)| {
        (0..count).any(|index| elf.get(start + index * size..).is_none_or(|header| header.starts_with(&PT_INTERP)))
    })
}

fn archive(project: &Project, program: &Path) -> Result<PathBuf> {
    let name = format!("isolette-{}-{}-linux", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let folder = project.target().join("dist").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let put = |from: &Path, to: PathBuf| -> Result<()> {
        fs::create_dir_all(to.parent().unwrap_or(&folder))?;
        fs::copy(from, &to).map(drop).with_context(|| format!("cannot copy {}", from.display()))
    };
    put(program, folder.join("isolette"))?;
    let documents = documents::linked(project.root())?;
    for file in [Path::new("LICENSE")].into_iter().chain(documents.iter().map(PathBuf::as_path)) {
        put(&project.path(file), folder.join(file))?;
    }
    for image in ["python", "javascript"] {
        for file in image::files() {
            put(&project.images().join(image).join(file), folder.join("images").join(image).join(file))?;
        }
    }
    let archive = project.target().join("dist").join(format!("{name}.tar.gz"));
    Invocation::new("pack the archive", "tar")
        // The same content gives the same archive on any machine.
        .args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go=rX"])
        .args(["--use-compress-program=gzip --no-name", "--create", "--file"])
        .arg(&archive)
        .arg(&name)
        .directory(project.target().join("dist"))
        .run()?;
    Ok(archive)
}

/// Unpacks the archive as the root of a system that contains nothing else, not even a shell, and runs programs there.
fn prove(project: &Project, archive: &Path) -> Result<()> {
    let root = project.target().join("dist/empty-system");
    if root.exists() {
        fs::remove_dir_all(&root).with_context(|| format!("cannot remove {}", root.display()))?;
    }
    // `/proc` is provided by the kernel, not installed.
    fs::create_dir_all(root.join("proc"))?;
    Invocation::new("unpack the archive into an empty system", "tar")
        .args(["--extract", "--strip-components=1", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(&root)
        .run()?;
    let documents = documents::linked(&root)?.len();
    progress::note(&format!("the links of {documents} documents in the archive lead to files in it"));
    ensure!(tools::find("unshare").is_some(), "unshare is not installed\nhint: it is part of util-linux");
    for (language, code, expected) in [
        ("python", "import decimal, sys; print(sys.platform, decimal.Decimal(6) * 7)", "wasi 42\n"),
        ("javascript", "console.log([1, 2, 3].map(n => n * 2).join())", "2,4,6\n"),
    ] {
        let output = Invocation::new(format!("run {language} in an empty system"), "unshare")
            .args(["--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "--root"])
            .arg(&root)
            .args(["/isolette", "run", "--lang", language, "--code", code])
            .hint("the archive is incomplete, or this system does not permit namespaces")
            .output()?;
        ensure!(output == expected, "{language} in an empty system printed {output:?} instead of {expected:?}");
        progress::note(&format!("{language} runs in a system that has nothing but the archive"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dynamic_programs_are_recognised() {
        let own = std::env::current_exe().and_then(fs::read).unwrap();
        assert!(is_dynamic(&own), "test programs are linked dynamically");
        assert!(is_dynamic(b"not a program"));
        let mut elf = vec![0; 64 + 56];
        elf[32] = 64;
        elf[54] = 56;
        elf[56] = 1;
        assert!(!is_dynamic(&elf));
        elf[64] = 3;
        assert!(is_dynamic(&elf));
    }
}
