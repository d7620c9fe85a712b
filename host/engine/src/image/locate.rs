//! The default locations of images.

use std::{
    env,
    path::{Path, PathBuf},
};

use isolette_types::Language;

/// Levels above the folder of the running program. Three lead from a test in `target/debug/deps` to `target`.
const LEVELS: usize = 3;

/// All locations, in the order of the search.
pub(super) fn candidates(language: Language) -> Vec<PathBuf> {
    let program = env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
    let beside = program.ancestors().skip(1).take(LEVELS).flat_map(|folder| {
        [folder.join("images"), folder.join("share/isolette/images")].map(|images| images.join(language.image().name()))
    });
    let data = env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| Some(env::home_dir()?.join(".local/share")));
    let installed = data
        .into_iter()
        .chain([Path::new("/usr/local/share").to_owned(), Path::new("/usr/share").to_owned()])
        .map(|folder| folder.join("isolette/images").join(language.image().name()));
    beside.chain(installed).collect()
}
