//! Where this user's processes keep for one another what can be made again: below `isolette` in the folder that
//! `XDG_CACHE_HOME` names, by default `~/.cache`.
//!
//! What is kept there decides what is executed, so it counts only where nobody else can write.

use std::{
    env,
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

/// A folder of that name, which need not be there. `None` if nobody knows where this user's cache is.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(env::home_dir().filter(|home| home.is_absolute())?.join(".cache")))?;
    Some(cache.join("isolette").join(name))
}

/// Makes a folder that is this user's alone.
pub(crate) fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Makes the folder if it is not there, and makes sure that nobody else can write to it.
pub(crate) fn prepare(directory: &Path) -> io::Result<()> {
    make_private(directory)?;
    let metadata = fs::metadata(directory)?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !own || metadata.mode() & 0o022 != 0 {
        return Err(io::Error::other("others may write to it, and what is in it decides what is executed"));
    }
    Ok(())
}
