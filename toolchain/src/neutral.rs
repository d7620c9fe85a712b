//! Keeping the paths of this machine out of what is compiled: they would end up in messages, and make the result another one
//! elsewhere.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};

use crate::{invocation::Invocation, project::Project, tools};

/// What the folders are called instead: an input of whatever is compiled.
pub(crate) const NAMES: [&str; 4] = ["/isolette", "/target", "/cargo", "/rustc"];

/// Flags for the compiler, in cargo's encoding, that give neutral names to the folders that sources are in.
pub(crate) fn flags(project: &Project) -> Result<String> {
    let folders = folders(project)?;
    let flags = folders.iter().map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

/// A call of cargo with flags for the compiler, and nothing of this machine in what it makes.
pub(crate) fn cargo(title: &str, project: &Project, more: &[&str]) -> Result<Invocation> {
    let mut all = flags(project)?;
    for flag in more {
        all.push('\u{1f}');
        all.push_str(flag);
    }
    Ok(Invocation::cargo(title).env("CARGO_ENCODED_RUSTFLAGS", all))
}

/// Fails if what was compiled names one of these folders all the same.
pub(crate) fn ensure(project: &Project, made: &Path) -> Result<()> {
    let bytes = fs::read(made).with_context(|| format!("cannot read {}", made.display()))?;
    for (path, _) in folders(project)? {
        let path = path.display().to_string();
        let is_there = bytes.windows(path.len()).any(|window| window == path.as_bytes());
        ensure!(!is_there, "{} holds a path of this machine: {path}", made.display());
    }
    Ok(())
}

/// The checkout, what is made of it, what cargo has downloaded, and the standard library, which has the name that the compiler gives it where its
/// source is not installed.
fn folders(project: &Project) -> Result<Vec<(PathBuf, String)>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let [checkout, target, downloads, library] = NAMES;
    // Of several that fit, the compiler takes the last: the target folder may be in the checkout.
    let mut folders =
        vec![(project.root().to_owned(), checkout.to_owned()), (project.target().to_owned(), target.to_owned())];
    folders.extend(home.map(|home| (home, downloads.to_owned())));
    let version = tools::rustc_version()?;
    if let Some(commit) = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")) {
        let root =
            Invocation::new("ask the compiler where it is", tools::rustc()).args(["--print", "sysroot"]).output()?;
        folders.push((Path::new(root.trim()).join("lib/rustlib/src/rust"), format!("{library}/{commit}")));
    }
    Ok(folders)
}
