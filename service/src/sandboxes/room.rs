//! The space that the files of a sandbox take.

use std::io;

use cap_std::fs::Dir;
use http::StatusCode;

use super::Folder;
use crate::failure::Failure;

/// Minimum size that is counted for a file or folder, in bytes. It bounds how many are counted.
const ENTRY: u64 = 4 << 10;

impl Folder {
    /// Writes a file as a whole, if all files together have at most `limit` bytes then.
    pub(crate) fn upload(&self, path: &str, bytes: &[u8], limit: u64) -> Result<(), Failure> {
        self.check_room(bytes.len() as u64, limit)?;
        self.write(path, bytes)
    }

    /// Checks that the files may take this much more: beyond `limit` bytes, nothing is written until some are deleted. What one
    /// program writes is limited by its policy.
    pub(crate) fn check_room(&self, more: u64, limit: u64) -> Result<(), Failure> {
        let root = self.open()?;
        let used = used(root, limit).map_err(|error| {
            Failure::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Io",
                format!("the files cannot be read: {error}"),
                "try again",
            )
        })?;
        if used.saturating_add(more) <= limit {
            return Ok(());
        }
        let message = format!("the files of the sandbox may take {limit} bytes, and have no room for more");
        let hint = "delete files (`DELETE /v1/sandboxes/{sandbox}/files`), or create another sandbox";
        Err(Failure::storage_full(message, hint))
    }
}

/// The bytes of all files, or more than `limit` as soon as there are more. Links are not followed.
fn used(root: Dir, limit: u64) -> io::Result<u64> {
    let (mut used, mut folders) = (0_u64, vec![root]);
    while let Some(folder) = folders.pop() {
        for entry in folder.entries()? {
            let entry = entry?;
            let metadata = match entry.metadata() {
                // A program may remove it at the same time.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                metadata => metadata?,
            };
            used = used.saturating_add(metadata.len().max(ENTRY));
            if used > limit {
                return Ok(used);
            }
            if metadata.is_dir() {
                match entry.open_dir() {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    folder => folders.push(folder?),
                }
            }
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_counts_and_links_do_not_lead_out() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().join("sandbox"));
        folder.create().unwrap();
        std::os::unix::fs::symlink("/", root.path().join("sandbox/workspace/link")).unwrap();
        folder.write("a/b/c", &[0; 10_000]).unwrap();
        // Two folders of mounts, the link, two folders and a file.
        let all = 5 * ENTRY + 10_000;
        folder.check_room(0, all).unwrap();
        folder.check_room(1, all + 1).unwrap();
        for (more, limit) in [(1, all), (0, all - 1), (u64::MAX, all)] {
            assert_eq!(folder.check_room(more, limit).unwrap_err().detail().kind, "StorageFull");
        }
    }
}
