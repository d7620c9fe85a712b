//! An empty directory of the host that is made when something first uses it: most runs write no file.

use std::{
    io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use tempfile::TempDir;

use crate::Directory;

/// It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryDirectory {
    parent: PathBuf,
    made: OnceLock<Option<Made>>,
}

#[derive(Debug)]
struct Made {
    directory: Directory,
    folder: TempDir,
}

impl TemporaryDirectory {
    /// A directory that will be made in `parent`.
    pub(crate) fn new(parent: PathBuf) -> Self {
        Self { parent, made: OnceLock::new() }
    }

    /// Returns it, and makes it if it has not been used before. `None` if the system refuses it.
    pub(crate) fn open(&self) -> Option<&Directory> {
        self.made().map(|made| &made.directory)
    }

    /// Returns its path, and makes it as [`TemporaryDirectory::open`] does.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.made().map(|made| made.folder.path())
    }

    /// Whether it has been made.
    pub(crate) fn exists(&self) -> bool {
        matches!(self.made.get(), Some(Some(_)))
    }

    fn made(&self) -> Option<&Made> {
        let make = || {
            let folder = tempfile::Builder::new().prefix("isolette-output-").tempdir_in(&self.parent)?;
            Ok::<_, io::Error>(Made { directory: Directory::open(folder.path())?, folder })
        };
        let made = self.made.get_or_init(|| {
            make()
                .inspect_err(|error| {
                    tracing::error!(%error, parent = %self.parent.display(), "cannot make a temporary directory for output");
                })
                .ok()
        });
        made.as_ref()
    }
}
