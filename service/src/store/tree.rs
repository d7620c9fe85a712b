//! The files of a sandbox as blobs, for snapshots and forks.

use std::io::{self, Read as _, Write as _};

use cap_std::fs::{Dir, DirEntry};
use isolette::{Error, Unit};
use serde::{Deserialize, Serialize};

use tokio::runtime::Handle;

use super::{
    Digest, Store,
    blobs::{Blobs, Written},
};

/// Maximum number of files and folders of a snapshot.
const ENTRIES: usize = 10_000;

/// Maximum depth of folders.
const DEPTH: usize = 64;

/// Maximum size of all files of a snapshot together in bytes.
pub(crate) const BYTES: u64 = 1 << 30;

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

/// An entry that was found in a folder.
pub(crate) enum Visited<'a> {
    Folder,
    /// A regular file.
    File(&'a DirEntry),
}

/// Calls `visitor` with the path of every folder and regular file below a folder, folders before what is in them. Links are left
/// out: where they lead is not part of the sandbox.
///
/// # Errors
/// [`Error::LimitExceeded`] if there are too many, or in too many levels; [`Error::Io`]; those of the visitor.
pub(crate) fn visit(
    folder: &Dir,
    visitor: &mut dyn FnMut(String, Visited<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    visit_below(folder, "", 0, &mut 0, visitor)
}

fn visit_below(
    folder: &Dir,
    prefix: &str,
    depth: usize,
    count: &mut usize,
    visitor: &mut dyn FnMut(String, Visited<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if depth > DEPTH {
        return Err(exceeded("the depth of folders", Unit::Count, DEPTH as u64, depth as u64));
    }
    for entry in folder.entries().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        if !kind.is_dir() && !kind.is_file() {
            continue;
        }
        let name = entry.file_name().into_string().map_err(|name| {
            Error::invalid(format!("the name of the file {name:?} is not UTF-8"), "rename it, or remove it")
        })?;
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        if *count == ENTRIES {
            return Err(exceeded("the number of files", Unit::Count, ENTRIES as u64, ENTRIES as u64 + 1));
        }
        *count += 1;
        if kind.is_dir() {
            visitor(path.clone(), Visited::Folder)?;
            visit_below(&entry.open_dir().map_err(failed)?, &path, depth + 1, count, visitor)?;
        } else {
            visitor(path, Visited::File(&entry))?;
        }
    }
    Ok(())
}

/// Reads a file, if all files together may have this many bytes more.
///
/// # Errors
/// [`Error::LimitExceeded`] if it has more; [`Error::Io`].
pub(crate) fn read_file(file: &DirEntry, remaining: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    file.open().map_err(failed)?.take(remaining + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > remaining {
        return Err(exceeded("the size of all files", Unit::Bytes, BYTES, BYTES + 1));
    }
    Ok(bytes)
}

fn exceeded(what: &'static str, unit: Unit, limit: u64, used: u64) -> Error {
    Error::LimitExceeded { what, unit, limit, used }
}

impl Store {
    /// Stores all regular files below a folder for a caller. To be called on a thread of Tokio that may block.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] if there are too many files, or too large ones; [`Error::Io`].
    pub(crate) fn write_tree(&self, owner: &str, folder: &Dir) -> Result<StoredTree, Error> {
        let runtime = Handle::current();
        let mut tree = StoredTree::default();
        visit(folder, &mut |path, visited| {
            let blob = match visited {
                Visited::Folder => None,
                Visited::File(file) => {
                    let bytes = read_file(file, BYTES - tree.bytes)?;
                    tree.bytes += bytes.len() as u64;
                    let written = runtime.block_on(self.write(owner, &bytes, &mut None))?;
                    let digest = written.digest.clone();
                    tree.written.push(written);
                    Some(digest)
                }
            };
            tree.entries.push(TreeEntry { path, blob });
            Ok(())
        })?;
        Ok(tree)
    }
}

impl Blobs {
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
