//! What a program leaves in `/output`.

use std::io::{self, Read};

use super::{Files, place::Place, system::Kind};
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
        let Ok(root) = self.at(OUTPUT) else { return (Vec::new(), false) };
        let mut walk = Walk { files: Vec::new(), more: false, looked_at: 0, to_digest: DIGESTED };
        walk.directory(OUTPUT, &root, 0);
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
    fn directory(&mut self, path: &str, directory: &Place<'_>, depth: usize) {
        if depth > DEPTH {
            self.more = true;
            return;
        }
        let Ok(entries) = directory.system.list_directory(directory.path) else { return };
        for entry in entries {
            self.looked_at += 1;
            if self.looked_at > ENTRIES || self.files.len() == FILES {
                self.more = true;
                return;
            }
            let (path, inside) = (format!("{path}/{}", entry.name), directory.child(&entry.name));
            let place = Place { path: &inside, ..*directory };
            match entry.kind {
                Kind::Directory => self.directory(&path, &place, depth + 1),
                Kind::File => {
                    // A file that is gone by now is none.
                    let described = self.describe(path, &place);
                    self.files.extend(described);
                }
                Kind::Other => {}
            }
        }
    }

    fn describe(&mut self, path: String, place: &Place<'_>) -> Option<OutputFile> {
        let size = place.stat().ok()?.size;
        if size > self.to_digest {
            return Some(OutputFile { path, size, sha256: None });
        }
        let (size, sha256) = digest(Content { place, offset: 0 }.take(size)).ok()?;
        self.to_digest -= size;
        Some(OutputFile { path, size, sha256: Some(sha256) })
    }
}

/// What is in a file, from its beginning to its end.
struct Content<'a> {
    place: &'a Place<'a>,
    offset: u64,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        let bytes = self.place.read(self.offset, length).map_err(|_| io::ErrorKind::Other)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }
}
