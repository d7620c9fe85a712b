//! The space that the files of a sandbox take.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
};

use cap_std::fs::Dir;
use http::StatusCode;

use super::{Folder, files::inner};
use crate::failure::Failure;

/// Minimum size that is counted for a file or folder, in bytes. It bounds how many are counted.
const ENTRY: u64 = 4 << 10;

/// The number of files and folders of all sandboxes that were visited to measure them.
static VISITED: AtomicU64 = AtomicU64::new(0);

/// The number of files and folders that were visited so far to measure sandboxes.
pub(crate) fn visited() -> u64 {
    VISITED.load(Ordering::Relaxed)
}

/// The space that the files of a sandbox take, measured once for all files of a request.
#[derive(Debug)]
pub(crate) struct Space {
    used: u64,
    limit: u64,
}

impl Space {
    /// Checks that there is room for this much more.
    pub(crate) fn check(&self, more: u64) -> Result<(), Failure> {
        if self.used.saturating_add(more) <= self.limit {
            return Ok(());
        }
        let message = format!("the files of the sandbox may take {} bytes, and have no room for more", self.limit);
        let hint = "delete files (`DELETE /v1/sandboxes/{sandbox}/files/content`), or create another sandbox";
        Err(Failure::storage_full(message, hint))
    }
}

impl Folder {
    /// Writes a file as a whole, if there is room for it.
    pub(crate) fn upload(&self, path: &str, bytes: &[u8], space: &mut Space) -> Result<(), Failure> {
        space.check(bytes.len() as u64)?;
        let (replaced, folders) = self.found_at(path)?;
        self.write(path, bytes)?;
        let more = ENTRY.saturating_mul(folders).saturating_add((bytes.len() as u64).max(ENTRY));
        space.used = space.used.saturating_add(more).saturating_sub(replaced);
        Ok(())
    }

    /// Measures the files: beyond `limit` bytes, nothing is written until some are deleted. What one program writes is limited by its
    /// policy.
    pub(crate) fn space(&self, limit: u64) -> Result<Space, Failure> {
        let used = used(self.open()?, limit).map_err(|error| {
            Failure::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Io",
                format!("the files cannot be read: {error}"),
                "try again",
            )
        })?;
        Ok(Space { used, limit })
    }

    /// Checks that the files take at most `limit` bytes.
    pub(crate) fn check_room(&self, limit: u64) -> Result<(), Failure> {
        self.space(limit)?.check(0)
    }

    /// What counts for the file at a path, and the number of folders above it that do not exist.
    fn found_at(&self, path: &str) -> Result<(u64, u64), Failure> {
        let inner = inner(path)?;
        let root = self.open()?;
        if let Ok(found) = root.symlink_metadata(&inner) {
            return Ok((found.len().max(ENTRY), 0));
        }
        let above = inner.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        Ok((0, above.take_while(|folder| root.symlink_metadata(folder).is_err()).count() as u64))
    }
}

/// The bytes of all files, or more than `limit` as soon as there are more. Links are not followed.
fn used(root: Dir, limit: u64) -> io::Result<u64> {
    let (mut used, mut folders) = (0_u64, vec![root]);
    while let Some(folder) = folders.pop() {
        for entry in folder.entries()? {
            let entry = entry?;
            VISITED.fetch_add(1, Ordering::Relaxed);
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
        folder.check_room(all).unwrap();
        folder.space(all + 1).unwrap().check(1).unwrap();
        for (more, limit) in [(1, all), (0, all - 1), (u64::MAX, all)] {
            assert_eq!(folder.space(limit).unwrap().check(more).unwrap_err().detail().kind, "StorageFull");
        }
    }

    #[test]
    fn what_is_counted_along_is_what_is_measured_afterwards() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::of(root.path().join("sandbox"));
        folder.create().unwrap();
        folder.write("a", &[0; 10_000]).unwrap();
        let mut space = folder.space(u64::MAX).unwrap();
        for (path, length) in
            [("a", 5), ("a", 20_000), ("b/c/d", 1), ("b/c/e", 9000), ("/output/f", 0), ("/workspace//b/./g", 4096)]
        {
            folder.upload(path, &vec![1; length], &mut space).unwrap();
            assert_eq!(space.used, folder.space(u64::MAX).unwrap().used, "{path}");
        }
        // A file that is refused is not counted.
        let used = space.used;
        assert!(folder.upload("b", b"x", &mut space).is_err());
        assert_eq!(space.used, used);
        space.limit = used + 10;
        assert_eq!(folder.upload("h", &[0; 11], &mut space).unwrap_err().detail().kind, "StorageFull");
        folder.upload("h", &[0; 10], &mut space).unwrap();
    }
}
