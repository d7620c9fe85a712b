//! What a program leaves in `/output`.

use std::collections::VecDeque;

use cap_std::fs::Dir;

use super::Files;
use crate::{image::digest, outcome::OutputFile};

/// Files that an outcome lists, and entries that are looked at for it.
const FILES: usize = 1_000;
const ENTRIES: usize = 10_000;
const DEPTH: usize = 32;

/// Where output goes by convention.
pub(crate) const OUTPUT: &str = "/output";

impl Files {
    /// Lists the regular files in `/output`, sorted by path, and whether there are more than are listed. Links are
    /// neither followed nor listed.
    pub(crate) fn output(&self) -> (Vec<OutputFile>, bool) {
        let Some(open) = self.mounts.iter().find(|open| open.mount.guest == OUTPUT) else {
            return (Vec::new(), false);
        };
        let mut files = Vec::new();
        let mut more = false;
        let mut looked_at = 0;
        let mut queue = VecDeque::from([(OUTPUT.to_owned(), open.directory.try_clone(), 0)]);
        while let Some((path, directory, depth)) = queue.pop_front() {
            let Ok(directory) = directory else { continue };
            let Ok(entries) = directory.entries() else { continue };
            for entry in entries.flatten() {
                looked_at += 1;
                if looked_at > ENTRIES || files.len() == FILES {
                    more = true;
                    break;
                }
                let (Ok(file_type), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
                let path = format!("{path}/{name}");
                if file_type.is_dir() {
                    if depth < DEPTH {
                        queue.push_back((path, entry.open_dir(), depth + 1));
                    } else {
                        more = true;
                    }
                } else if file_type.is_file() {
                    files.extend(describe(path, &directory, &name));
                }
            }
        }
        files.sort_unstable_by(|left, right| left.path.cmp(&right.path));
        (files, more)
    }
}

/// `None` for a file that is gone by now.
fn describe(path: String, directory: &Dir, name: &str) -> Option<OutputFile> {
    let (size, sha256) = digest(directory.open(name).ok()?).ok()?;
    Some(OutputFile { path, size, sha256 })
}
