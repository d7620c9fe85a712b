//! Tests of files that the embedder writes.

use std::fs;

use super::*;

impl Guest {
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        self.files.write_whole(path, bytes, &mut self.quota)
    }

    /// The limit that was hit.
    fn refused(&mut self, path: &str, bytes: &[u8]) -> (&'static str, u64, u64) {
        match self.put(path, bytes) {
            Err(Error::LimitExceeded { what, limit, used, .. }) => (what, limit, used),
            other => panic!("{path}: {other:?}"),
        }
    }
}

#[test]
fn files_are_written_anew() {
    let output = tempfile::tempdir().unwrap();
    let mut guest = Guest::with_output(output.path(), |_| {});
    let long: Vec<u8> = (0..500_000_u32).map(|number| (number % 251) as u8).collect();
    for bytes in [&b"short"[..], &long, b"", &long[7..], &long[9..300_000], b"s"] {
        guest.put("/output/a/b/file", bytes).unwrap();
        assert!(fs::read(output.path().join("a/b/file")).unwrap() == bytes, "{} bytes", bytes.len());
    }
    for path in ["/output/a", "/output", "/output/a/b/file/c", "/output/", "/output//x", "output/x", "/elsewhere/x"] {
        assert!(matches!(guest.put(path, b"x"), Err(Error::InvalidArgument { .. })), "{path}");
    }
}

#[test]
fn what_is_over_a_limit_is_refused_and_nothing_is_lost() {
    let output = tempfile::tempdir().unwrap();
    let mut guest = Guest::with_output(output.path(), |limits| {
        (limits.file_bytes, limits.file_total_bytes) = (1000, 1500);
        (limits.file_count, limits.file_depth, limits.file_name_bytes) = (4, 3, 10);
    });
    guest.put("/output/a", &[1; 900]).unwrap();
    assert_eq!(guest.refused("/output/a", &[2; 1001]), ("limits.file_bytes", 1000, 1001));
    assert_eq!(guest.refused("/output/new/b", &[2; 601]), ("limits.file_total_bytes", 1500, 1501));
    assert_eq!(guest.refused("/output/d/e/f/g", b"x"), ("limits.file_depth", 3, 4));
    assert_eq!(guest.refused("/output/d/long-long-name", b"x"), ("limits.file_name_bytes", 10, 14));
    assert_eq!(fs::read(output.path().join("a")).unwrap(), [1; 900]);
    assert_eq!(fs::read_dir(output.path()).unwrap().count(), 1, "no directory was made for what was refused");
    // Bytes that the guest writes and that the embedder writes share one limit.
    assert_eq!(guest.write("/output/b", &[1; 600]), Ok(()));
    assert_eq!(guest.write("/output/c", b"x"), Err(FileError::NoSpace));
    guest.put("/output/a", &[3; 400]).unwrap();
    guest.put("/output/c", &[3; 500]).unwrap();
    assert_eq!(guest.refused("/output/d/e", b""), ("limits.file_count", 4, 5));
    assert!(!output.path().join("d").exists());
    let text = guest.put("/output/e/f", b"").unwrap_err().to_string();
    assert!(text.starts_with("limits.file_count is 5, the limit is 4\nhint: raise the limit on"), "{text}");
    // Existing files can be overwritten even if there may be no more files.
    guest.put("/output/a", b"again").unwrap();
    assert_eq!(fs::read(output.path().join("a")).unwrap(), b"again");
}

/// A file system with capacity for this number of bytes per file, like a full disk.
struct Small {
    directory: Directory,
    room: u64,
}

impl FileSystem for Small {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.directory.stat(path)
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        self.directory.read(path, offset, length)
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        self.directory.list_directory(path)
    }

    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        let offset = offset.unwrap_or_default();
        let fits = usize::try_from(self.room.saturating_sub(offset)).unwrap_or(usize::MAX).min(bytes.len());
        self.directory.write(path, Some(offset), &bytes[..fits])?;
        if fits < bytes.len() { Err(FileError::NoSpace) } else { Ok(()) }
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.directory.create(path, kind)
    }

    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.directory.remove(path, kind)
    }

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.directory.resize(path, size)
    }

    fn freed(&self, path: &str) -> Result<u64, FileError> {
        self.directory.freed(path)
    }
}

#[test]
fn a_disk_without_room_takes_nothing_away() {
    let output = tempfile::tempdir().unwrap();
    let small = Small { directory: Directory::open(output.path()).unwrap(), room: 400_000 };
    let mount = Mount::file_system("small", small, "/output", Access::ReadWrite).unwrap();
    let mut guest = Guest::new(&[mount], |limits| limits.file_total_bytes = 800_000);
    guest.put("/output/a", &[1; 300_000]).unwrap();
    for _ in 0..3 {
        let error = guest.put("/output/a", &[2; 500_000]).unwrap_err();
        assert!(error.to_string().contains("there is no room left for it"), "{error}");
        assert!(guest.put("/output/d/b", &[2; 500_000]).is_err());
        // A guest's write is partial if the capacity is insufficient, and the written bytes are charged.
        assert_eq!(guest.write("/output/c", &[2; 1000]), Ok(()));
        assert_eq!(guest.ask(&Call::Remove { path: "/output/c", kind: Kind::File }), Ok(()));
    }
    assert!(fs::read(output.path().join("a")).unwrap() == [1; 300_000]);
    assert_eq!(fs::read_dir(output.path()).unwrap().count(), 1);
    guest.put("/output/a", &[3; 400_000]).unwrap();
}

#[test]
fn what_is_written_in_part_counts() {
    let output = tempfile::tempdir().unwrap();
    let small = Small { directory: Directory::open(output.path()).unwrap(), room: 100 };
    let mount = Mount::file_system("small", small, "/output", Access::ReadWrite).unwrap();
    let mut guest = Guest::new(&[mount], |limits| limits.file_total_bytes = 250);
    for path in ["/output/a", "/output/b"] {
        assert_eq!(guest.write(path, &[1; 101]), Err(FileError::NoSpace));
    }
    guest.quota.limit_hit();
    assert_eq!(guest.write("/output/c", &[1; 60]), Err(FileError::NoSpace));
    assert!(guest.quota.limit_hit().is_some(), "it is the limit that is in the way, not the disk");
}
