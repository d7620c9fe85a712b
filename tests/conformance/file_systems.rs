//! Custom file systems instead of directories: one in memory, and a wrapped directory. Access and quotas hold for both.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use isolette::{
    files::{Directory, Entry, FileError, FileSystem, Kind, Status},
    policy::{Access, Limits, Mount},
};
use isolette_tests::{Case, scenario};
use serde_json::json;

/// A few files, as an archive would have them.
struct Archive(Vec<(&'static str, &'static str)>);

impl FileSystem for Archive {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        let status = |kind, size| Ok(Status { kind, size, modified: 0 });
        if let Some((_, text)) = self.0.iter().find(|(member, _)| *member == path) {
            return status(Kind::File, text.len() as u64);
        }
        let inside =
            |member: &str| path.is_empty() || member.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if self.0.iter().any(|(member, _)| inside(member)) {
            return status(Kind::Directory, 0);
        }
        Err(FileError::NotFound)
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        assert_ne!(path, "panic", "a deliberate panic");
        let (_, text) = self.0.iter().find(|(member, _)| *member == path).ok_or(FileError::NotFound)?;
        Ok(text.bytes().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(length as usize).collect())
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        let mut entries: Vec<Entry> = Vec::new();
        for (member, _) in &self.0 {
            let Some(rest) = (if path.is_empty() { Some(*member) } else { member.strip_prefix(path) }) else {
                continue;
            };
            let rest = rest.trim_start_matches('/');
            let (name, kind) = rest.split_once('/').map_or((rest, Kind::File), |(name, _)| (name, Kind::Directory));
            if !entries.iter().any(|entry| entry.name == name) {
                entries.push(Entry { name: name.to_owned(), kind });
            }
        }
        Ok(entries)
    }
}

/// A directory that counts what is written to it.
struct Counted {
    directory: Directory,
    written: Arc<AtomicU64>,
}

impl FileSystem for Counted {
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
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.directory.write(path, offset, bytes)
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.directory.create(path, kind)
    }

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.directory.resize(path, size)
    }
}

#[scenario(programs = ["files/own_file_system"])]
fn a_custom_file_system_is_mounted(case: &Case) {
    let letters = Archive(vec![("letters/a.txt", "first"), ("letters/b.txt", "second letter"), ("panic", "?")]);
    let output = tempfile::tempdir().unwrap();
    let written = Arc::default();
    let counted = Counted { directory: Directory::open(output.path()).unwrap(), written: Arc::clone(&written) };
    let mut limits = Limits::default();
    limits.file_bytes = 1000;
    let sandbox = case
        .builder()
        .limits(limits)
        .mount_file_system("the archive", letters, "/archive", Access::ReadWrite)
        .mounted(Mount::file_system("what is counted", counted, "/output", Access::ReadWrite).unwrap())
        .build()
        .unwrap();
    assert!(sandbox.explain().to_string().contains("/archive (read-write) from the archive"), "{}", sandbox.explain());
    let result = sandbox.run(&case.program()).unwrap();
    let expected = json!({
        "a member": "first",
        "what there is": ["a.txt", "b.txt"],
        "no member": "ENOENT",
        "a write": "EACCES",
        "a panic": "EIO",
        "after the panic": 13,
        "a wrapped write": 4,
        "a wrapped read": "mine",
        "one byte too many": "EFBIG",
    });
    similar_asserts::assert_eq!(expected: Some(expected), found: result.value);
    assert_eq!(written.load(Ordering::Relaxed), 4);
    let files: Vec<_> = result.files.iter().map(|file| (&*file.path, file.size)).collect();
    assert!(files.contains(&("/output/note.txt", 4)), "{files:?}");
    assert_eq!(result.read_output("/output/note.txt", 100).unwrap(), b"mine");
    assert_eq!(result.output_path(), None);
}
