//! File fingerprints: detect whether a file has changed since it was last examined, without reading it.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt as _,
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};

/// The identity and the times of a file in the file system. No process that writes to the file can avoid changing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFingerprint {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// File systems count time in ticks, and a write within the tick of another write is not visible. No file system has
/// longer ticks than this.
const TICK: Duration = Duration::from_secs(2);

impl FileFingerprint {
    /// Returns the fingerprint of a file with this metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether every later write will change the fingerprint. That is not the case directly after a write.
    pub fn is_settled(&self) -> bool {
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(self.changed.0), u32::try_from(self.changed.1)) else {
            return false;
        };
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        SystemTime::now().duration_since(changed).is_ok_and(|age| age > TICK)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    #[test]
    fn a_write_shows() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "one").unwrap();
        let before = FileFingerprint::of(&file.as_file().metadata().unwrap());
        assert!(!before.is_settled());
        fs::write(file.path(), "three").unwrap();
        let after = FileFingerprint::of(&file.as_file().metadata().unwrap());
        assert_ne!(before, after);
        assert_eq!(after.size(), 5);
    }

    #[test]
    fn what_was_written_long_ago_is_settled() {
        // The running program was compiled more than a tick ago.
        let program = File::open(std::env::current_exe().unwrap()).unwrap();
        let fingerprint = FileFingerprint::of(&program.metadata().unwrap());
        let settled = FileFingerprint { changed: (fingerprint.changed.0 - 10, 0), ..fingerprint };
        assert!(settled.is_settled());
        let future = FileFingerprint { changed: (i64::from(u32::MAX) * 4, 0), ..settled.clone() };
        assert!(!future.is_settled());
        assert!(!FileFingerprint { changed: (-1, 0), ..settled }.is_settled());
    }
}
