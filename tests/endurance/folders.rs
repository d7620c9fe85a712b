//! A temporary folder and a cache of this program's own, so that it can count what it leaves there.

use std::{env, fs, os::unix::process::CommandExt as _, path::PathBuf, process::Command};

use isolette_tests::engines;

const MARK: &str = "ISOLETTE_ENDURANCE_FOLDER";

/// The folder, which is removed when this is dropped.
pub(crate) struct Folders(Option<PathBuf>);

/// Starts this program again with such folders, unless it has them. In an emulated machine, it uses those of the machine.
pub(crate) fn enter() -> Folders {
    if engines::emulated() {
        return Folders(None);
    }
    if let Some(folder) = env::var_os(MARK) {
        return Folders(Some(folder.into()));
    }
    let folder = tempfile::Builder::new().prefix("isolette-endurance-").tempdir().unwrap().keep();
    let names = ["temporary", "cache"].map(|name| folder.join(name));
    names.iter().for_each(|name| fs::create_dir(name).unwrap());
    let [temporary, cache] = names;
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(env::args_os().skip(1)).env("TMPDIR", temporary).env("XDG_CACHE_HOME", cache).env(MARK, folder);
    panic!("this program cannot be started again: {}", command.exec());
}

pub(crate) fn temporary() -> PathBuf {
    env::temp_dir()
}

pub(crate) fn cache() -> PathBuf {
    env::var_os("XDG_CACHE_HOME").expect("it was set by `enter`").into()
}

impl Drop for Folders {
    fn drop(&mut self) {
        if let Some(folder) = &self.0 {
            let _ = fs::remove_dir_all(folder);
        }
    }
}
