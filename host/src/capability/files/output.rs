//! What a program leaves in `/output`.

use std::io::Read as _;

use cap_std::fs::Dir;

use super::Files;
use crate::{image::digest, outcome::OutputFile};

/// Files that an outcome lists, and entries that are looked at for it.
const FILES: usize = 1_000;
const ENTRIES: usize = 10_000;
const DEPTH: usize = 32;

/// Bytes that are read for their digests. Files are easily made long without writing them.
const DIGESTED: u64 = 256 << 20;

/// Where output goes by convention.
pub(crate) const OUTPUT: &str = "/output";

impl Files {
    /// Lists the regular files in `/output`, sorted by path, and whether there are more than are listed. Links are
    /// neither followed nor listed.
    pub(crate) fn output(&self) -> (Vec<OutputFile>, bool) {
        let open = self.mounts.iter().find(|open| open.mount.guest == OUTPUT);
        let Some(Ok(directory)) = open.map(|open| open.directory.try_clone()) else {
            return (Vec::new(), false);
        };
        let mut walk = Walk { files: Vec::new(), more: false, looked_at: 0, to_digest: DIGESTED };
        walk.directory(OUTPUT, &directory, 0);
        walk.files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        (walk.files, walk.more)
    }
}

/// What a program may leave behind is up to it, so every part of looking at it has an end.
struct Walk {
    files: Vec<OutputFile>,
    more: bool,
    looked_at: usize,
    to_digest: u64,
}

impl Walk {
    /// Goes down before it goes on, so that no more directories are open than one lies below another.
    fn directory(&mut self, path: &str, directory: &Dir, depth: usize) {
        if depth > DEPTH {
            self.more = true;
            return;
        }
        let Ok(entries) = directory.entries() else { return };
        for entry in entries.flatten() {
            self.looked_at += 1;
            if self.looked_at > ENTRIES || self.files.len() == FILES {
                self.more = true;
                return;
            }
            let (Ok(file_type), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            let path = format!("{path}/{name}");
            if file_type.is_dir() {
                if let Ok(directory) = entry.open_dir() {
                    self.directory(&path, &directory, depth + 1);
                }
            } else if file_type.is_file() {
                // A file that is gone by now is none.
                let described = self.describe(path, directory, &name);
                self.files.extend(described);
            }
        }
    }

    fn describe(&mut self, path: String, directory: &Dir, name: &str) -> Option<OutputFile> {
        let file = directory.open(name).ok()?;
        let size = file.metadata().ok()?.len();
        if size > self.to_digest {
            return Some(OutputFile { path, size, sha256: None });
        }
        let (size, sha256) = digest(file.take(size)).ok()?;
        self.to_digest -= size;
        Some(OutputFile { path, size, sha256: Some(sha256) })
    }
}
