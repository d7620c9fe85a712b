//! The files of a sandbox as blobs, for snapshots and forks.

use std::{
    io::{self, Read as _, Write as _},
    sync::Arc,
};

use cap_std::fs::Dir;
use isolette::Error;
use serde::{Deserialize, Serialize};

use super::{
    Digest,
    blobs::{Blobs, Written},
};

/// Maximum number of files and folders of a snapshot.
const ENTRIES: usize = 10_000;

/// Maximum depth of folders.
const DEPTH: usize = 64;

/// Maximum size of all files of a snapshot together in bytes.
const BYTES: u64 = 1 << 30;

/// A file or a folder of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreeEntry {
    /// Relative to the folder of the sandbox.
    pub(crate) path: String,
    /// `None` for a folder.
    pub(crate) blob: Option<Digest>,
}

/// The files of a folder, stored.
#[derive(Default)]
pub(crate) struct StoredTree {
    pub(crate) entries: Vec<TreeEntry>,
    pub(crate) bytes: u64,
    /// Keeps the blobs until the database refers to them.
    pub(crate) written: Vec<Written>,
}

impl Blobs {
    /// Stores all regular files below a folder. Links are left out: where they lead is not part of the sandbox.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are too many files, or too large ones; [`Error::Io`].
    pub(crate) fn write_tree(self: &Arc<Self>, folder: &Dir) -> Result<StoredTree, Error> {
        let mut tree = StoredTree::default();
        self.write_folder(folder, "", 0, &mut tree)?;
        Ok(tree)
    }

    fn write_folder(
        self: &Arc<Self>,
        folder: &Dir,
        prefix: &str,
        depth: usize,
        tree: &mut StoredTree,
    ) -> Result<(), Error> {
        let exceeded = |what, unit, limit: u64, used: u64| Error::LimitExceeded { what, unit, limit, used };
        if depth > DEPTH {
            return Err(exceeded("the depth of folders", isolette::Unit::Count, DEPTH as u64, depth as u64));
        }
        for entry in folder.entries().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            let name = entry.file_name().into_string().map_err(|name| {
                Error::invalid(format!("the name of the file {name:?} is not UTF-8"), "rename it, or remove it")
            })?;
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
            if !kind.is_dir() && !kind.is_file() {
                continue;
            }
            if tree.entries.len() == ENTRIES {
                return Err(exceeded("the number of files", isolette::Unit::Count, ENTRIES as u64, ENTRIES as u64 + 1));
            }
            if kind.is_dir() {
                tree.entries.push(TreeEntry { path: path.clone(), blob: None });
                self.write_folder(&entry.open_dir().map_err(failed)?, &path, depth + 1, tree)?;
                continue;
            }
            let remaining = BYTES - tree.bytes;
            let mut bytes = Vec::new();
            entry.open().map_err(failed)?.take(remaining + 1).read_to_end(&mut bytes).map_err(failed)?;
            if bytes.len() as u64 > remaining {
                return Err(exceeded("the size of all files", isolette::Unit::Bytes, BYTES, BYTES + 1));
            }
            tree.bytes += bytes.len() as u64;
            let written = self.write(&bytes)?;
            tree.entries.push(TreeEntry { path, blob: Some(written.digest.clone()) });
            tree.written.push(written);
        }
        Ok(())
    }

    /// Writes the files of a snapshot into a folder, which should be empty.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(crate) fn read_tree(&self, entries: &[TreeEntry], folder: &Dir) -> Result<(), Error> {
        for TreeEntry { path, blob } in entries {
            match blob {
                None => folder.create_dir_all(path).map_err(failed)?,
                Some(digest) => {
                    let bytes = self.read(digest)?;
                    folder.create(path).and_then(|mut file| file.write_all(&bytes)).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}

fn failed(error: io::Error) -> Error {
    Error::io("the files of the sandbox cannot be stored or read", error)
}
