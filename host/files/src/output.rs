//! Lists the files that a program leaves in `/output`.

use std::{
    io::{self, Read},
    panic::{AssertUnwindSafe, catch_unwind},
};

use super::{Changes, Files, place::Place};
use isolette_policy::{Kind, OUTPUT};
use isolette_types::{OutputFile, digest};
use isolette_work::Work;

/// Maximum number of files that an outcome lists, of entries that are examined for it, and of nested directories.
const FILES: usize = 1_000;
const ENTRIES: usize = 10_000;
const DEPTH: usize = 32;

/// Maximum number of bytes that are read to compute digests. Files can be made long without writing them.
const DIGESTED: u64 = 256 << 20;

/// Bytes of a file that count as one step, so that the deadline is checked after every few chunks that are read.
const BYTES_A_STEP: u32 = 256;

impl Files {
    /// Lists the regular files in `/output`, sorted by path, with whether there are more than are listed. At most 1,000
    /// files are listed. Links are neither followed nor listed.
    pub fn output(&self) -> (Vec<OutputFile>, bool) {
        self.walk(Some(DIGESTED), |walk, root| walk.directory(OUTPUT, root, 0))
    }

    /// Lists, in the same way, the existing files among those that a run has changed in `/output`. Without `digests`,
    /// or once the run must end, files are listed without digests. A file that a program wrote by the name of a link is
    /// listed under that name.
    pub fn changed_output(&self, changes: &Changes, digests: bool) -> (Vec<OutputFile>, bool) {
        self.walk(digests.then_some(DIGESTED), |walk, root| {
            walk.more = changes.more();
            for path in changes.paths() {
                walk.change(root, path);
            }
        })
    }

    fn walk(&self, to_digest: Option<u64>, look: impl FnOnce(&mut Walk, &Place<'_>)) -> (Vec<OutputFile>, bool) {
        if self.output_is_unused() {
            return (Vec::new(), false);
        }
        let Ok(root) = self.at(OUTPUT) else { return (Vec::new(), false) };
        let work = Work::new(u64::MAX);
        let mut walk = Walk { files: Vec::new(), more: false, looked_at: 0, to_digest, work };
        // A panic in an embedder's file system must not end the host.
        if catch_unwind(AssertUnwindSafe(|| look(&mut walk, &root))).is_err() {
            tracing::error!("a file system panicked");
            walk.more = true;
        }
        walk.files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        (walk.files, walk.more)
    }
}

/// The state of listing. A program may leave anything behind, so every part of the work is bounded.
struct Walk {
    files: Vec<OutputFile>,
    more: bool,
    looked_at: usize,
    /// Remaining bytes for digests; `None` if no digests are computed.
    to_digest: Option<u64>,
    work: Work,
}

impl Walk {
    /// Counts one more entry, and returns whether it may be examined.
    fn has_room(&mut self) -> bool {
        self.looked_at += 1;
        self.more |= self.looked_at > ENTRIES || self.files.len() == FILES;
        self.looked_at <= ENTRIES && self.files.len() < FILES
    }

    fn change(&mut self, root: &Place<'_>, inside: &str) {
        if !self.has_room() {
            return;
        }
        let place = Place { path: inside, ..*root };
        let path = format!("{OUTPUT}/{inside}");
        match place.stat().map(|status| status.kind) {
            Ok(Kind::Directory) => self.directory(&path, &place, inside.split('/').count()),
            Ok(Kind::File) => self.file(path, &place),
            Ok(Kind::Other) | Err(_) => {}
        }
    }

    fn directory(&mut self, path: &str, directory: &Place<'_>, depth: usize) {
        if depth > DEPTH {
            self.more = true;
            return;
        }
        let Ok(entries) = directory.system.list_directory(directory.path) else { return };
        for entry in entries {
            if !self.has_room() {
                return;
            }
            let (path, inside) = (format!("{path}/{}", entry.name), directory.child(&entry.name));
            let place = Place { path: &inside, ..*directory };
            match entry.kind {
                Kind::Directory => self.directory(&path, &place, depth + 1),
                Kind::File => self.file(path, &place),
                Kind::Other => {}
            }
        }
    }

    fn file(&mut self, path: String, place: &Place<'_>) {
        // A file that no longer exists is not listed.
        let described = self.describe(path, place);
        self.files.extend(described);
    }

    fn describe(&mut self, path: String, place: &Place<'_>) -> Option<OutputFile> {
        let size = place.stat().ok()?.size;
        match self.to_digest {
            Some(left) if size <= left && self.work.over().is_none() => {
                let content = Content { place, offset: 0, work: &self.work };
                match digest(content.take(size)) {
                    Ok((size, sha256)) => {
                        self.to_digest = Some(left.saturating_sub(size));
                        Some(OutputFile::new(path, size, Some(sha256)))
                    }
                    Err(_) if self.work.over().is_some() => Some(OutputFile::new(path, size, None)),
                    Err(_) => None,
                }
            }
            _ => Some(OutputFile::new(path, size, None)),
        }
    }
}

/// Reads the contents of a file from beginning to end.
struct Content<'a> {
    place: &'a Place<'a>,
    offset: u64,
    work: &'a Work,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        if !self.work.step(u64::from(length / BYTES_A_STEP)) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let bytes = self.place.read(self.offset, length).map_err(|_| io::ErrorKind::Other)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }
}
