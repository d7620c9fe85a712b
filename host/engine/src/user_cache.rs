//! Folders in which a user's processes share data that can be recreated: below `isolette` in the folder that
//! `XDG_CACHE_HOME` names, by default `~/.cache`.
//!
//! The data determines what is executed, so a folder is only used if no other user can write to it.

use std::{
    env,
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

/// The path of a folder with that name, which need not exist. `None` if the user's cache directory is not known.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(env::home_dir().filter(|home| home.is_absolute())?.join(".cache")))?;
    Some(cache.join("isolette").join(name))
}

/// Creates a folder that only this user can access.
pub(crate) fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Creates the folder if it does not exist, and makes sure that no other user can write to it.
pub(crate) fn prepare(directory: &Path) -> io::Result<()> {
    make_private(directory)?;
    let metadata = fs::metadata(directory)?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !own || metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("others may write to it, and what is in it decides what is executed"));
    }
    Ok(())
}
