//! The CPythons of this machine: in the search path, and those that pyenv installed.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{invocation::Invocation, tools};

/// The minor versions that the wheels of the Python package are for.
pub(crate) const VERSIONS: std::ops::RangeInclusive<u32> = 10..=15;

/// The Pythons in the search path, and those of pyenv, one for each minor version.
pub(crate) fn found() -> Vec<(u32, PathBuf)> {
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".pyenv")));
    let installed = root.and_then(|root| fs::read_dir(root.join("versions")).ok()).into_iter().flatten().flatten();
    let of_pyenv: Vec<_> = installed.map(|version| version.path().join("bin/python3")).collect();
    let in_path = VERSIONS.filter_map(|minor| tools::find(&format!("python3.{minor}"))).chain(tools::find("python3"));
    let mut found = Vec::new();
    for interpreter in in_path.chain(of_pyenv) {
        let Some(minor) = minor_version(&interpreter) else { continue };
        if VERSIONS.contains(&minor) && !found.iter().any(|(known, _)| *known == minor) {
            found.push((minor, interpreter));
        }
    }
    found.sort();
    found
}

/// `None` for what is not a CPython with a lock, or not version 3.
fn minor_version(interpreter: &Path) -> Option<u32> {
    const PROGRAM: &str = "import sys, sysconfig\n\
        good = sys.version_info[0] == 3 and sys.implementation.name == 'cpython' and not sysconfig.get_config_var('Py_GIL_DISABLED')\n\
        print(sys.version_info[1] if good else '')";
    let version = Invocation::new("ask Python for its version", interpreter).args(["-c", PROGRAM]).output().ok()?;
    version.trim().parse().ok()
}
