//! Keeps the paths of this machine out of compiled code, where they would be part of messages and make the result differ
//! between machines.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};

use crate::{invocation::Invocation, project::Project, tools};

/// The names that replace the directories. They are an input of compiled code.
pub(crate) const NAMES: [&str; 4] = ["/isolette", "/target", "/cargo", "/rustc"];

/// Flags for the compiler, in cargo's encoding, that replace the names of source directories.
pub(crate) fn flags(project: &Project) -> Result<String> {
    let folders = folders(project)?;
    let flags = folders.iter().map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

/// A call of cargo with flags for the compiler, whose output contains no path of this machine.
pub(crate) fn cargo(title: &str, project: &Project, more: &[&str]) -> Result<Invocation> {
    let mut all = flags(project)?;
    for flag in more {
        all.push('\u{1f}');
        all.push_str(flag);
    }
    Ok(Invocation::cargo(title).env("CARGO_ENCODED_RUSTFLAGS", all))
}

/// Fails if compiled code contains one of the paths.
pub(crate) fn ensure(project: &Project, made: &Path) -> Result<()> {
    let bytes = fs::read(made).with_context(|| format!("cannot read {}", made.display()))?;
    for (path, _) in folders(project)? {
        let path = path.display().to_string();
        let is_there = bytes.windows(path.len()).any(|window| window == path.as_bytes());
        ensure!(!is_there, "{} contains a path of this machine: {path}", made.display());
    }
    Ok(())
}

/// The checkout, the target folder, cargo's downloads, and the standard library, which gets the name that the compiler uses if
/// its source is not installed.
fn folders(project: &Project) -> Result<Vec<(PathBuf, String)>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let [checkout, target, downloads, library] = NAMES;
    // If several match, the compiler takes the last one: the target folder may be in the checkout.
    let mut folders =
        vec![(project.root().to_owned(), checkout.to_owned()), (project.target().to_owned(), target.to_owned())];
    folders.extend(home.map(|home| (home, downloads.to_owned())));
    let version = tools::rustc_version()?;
    if let Some(commit) = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")) {
        let root =
            Invocation::new("get the path of the compiler", tools::rustc()).args(["--print", "sysroot"]).output()?;
        folders.push((Path::new(root.trim()).join("lib/rustlib/src/rust"), format!("{library}/{commit}")));
    }
    Ok(folders)
}
