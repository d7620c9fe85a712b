//! Tests of what paths resolve to.

use std::{
    fs,
    os::unix::fs::symlink,
    sync::{Arc, Mutex},
};

use isolette_abi::decode_prefix;

use super::*;

/// A file system in which every path exists, and which records the requested paths.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    fn note(&self, path: &str) {
        self.0.lock().unwrap().push(path.to_owned());
    }
}

impl FileSystem for Asked {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.note(path);
        Ok(Status { kind: Kind::File, size: 0, modified: 0 })
    }

    fn read(&self, path: &str, _: u64, _: u32) -> Result<Vec<u8>, FileError> {
        self.note(path);
        Ok(Vec::new())
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        self.note(path);
        Ok(Vec::new())
    }

    fn create(&self, path: &str, _: Kind) -> Result<(), FileError> {
        self.note(path);
        Ok(())
    }

    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        self.note(source);
        self.note(target);
        Ok(())
    }
}

fn everything(path: &str) -> [Call<'_>; 11] {
    [
        Call::Stat { path },
        Call::Read { path, offset: 0, length: 1 },
        Call::Write { path, offset: None, bytes: b"x" },
        Call::List { path, skip: 0 },
        Call::Create { path, kind: Kind::File },
        Call::Remove { path, kind: Kind::File },
        Call::Rename { source: path, target: "/data/other" },
        Call::Rename { source: "/data/other", target: path },
        Call::Resize { path, size: 1 },
        Call::SetModified { path, modified: 1 },
        Call::Lock { path, lock: isolette_abi::files::Lock::Shared, start: 0, length: 0, test: false },
    ]
}

#[test]
fn a_file_system_gets_plain_paths_only() {
    let (outer, inner) = (Asked::default(), Asked::default());
    let mounts = [("/data", outer.clone()), ("/data/x/y", inner.clone())];
    let mounts = mounts.map(|(guest, system)| Mount::file_system("", system, guest, Access::ReadWrite).unwrap());
    let mut guest = Guest::new(&mounts, |_| {});
    for path in [
        "",
        "data/a",
        "//data/a",
        "/data/",
        "/data//",
        "/data//etc/passwd",
        "/data/a/",
        "/data/a//b",
        "/data/./a",
        "/data/../a",
        "/data/a/..",
        "/data/\0",
        "/data/x//y/a",
        "/data/x/y//a",
        "/data/x/y/",
        "//",
        "/./data/a",
    ] {
        for call in everything(path) {
            assert_eq!(guest.ask(&call), Err(FileError::Invalid), "{call:?}");
        }
    }
    for path in ["/", "/a", "/dat", "/data2/a"] {
        for call in everything(path) {
            assert_eq!(guest.ask(&call), Err(FileError::NotFound), "{call:?}");
        }
    }
    assert_eq!([&outer, &inner].map(|asked| asked.0.lock().unwrap().len()), [0, 0]);
    for path in ["/data", "/data/a b/..c/.d", "/data/x", "/data/x/ya", "/data/x/y", "/data/x/y/z"] {
        let stat: Result<Status, FileError> =
            decode_prefix(&guest.files.answer(&Call::Stat { path }, &mut guest.quota, &guest.locks)).unwrap();
        assert!(stat.is_ok(), "{path}");
    }
    assert_eq!(*outer.0.lock().unwrap(), ["", "a b/..c/.d", "x", "x/ya"]);
    assert_eq!(*inner.0.lock().unwrap(), ["", "z"]);
}

#[test]
fn what_leads_to_a_mount_stays() {
    let (outer, inner) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for directory in ["a/b", "other", "ab"] {
        fs::create_dir_all(outer.path().join(directory)).unwrap();
    }
    let mounts = [(&outer, "/work"), (&inner, "/work/a/b/c")];
    let mut guest =
        Guest::new(&mounts.map(|(host, guest)| Mount::new(host, guest, Access::ReadWrite).unwrap()), |_| {});
    for path in ["/work", "/work/a", "/work/a/b", "/work/a/b/c"] {
        assert_eq!(guest.ask(&Call::Remove { path, kind: Kind::Directory }), Err(FileError::Busy), "{path}");
        let renames = [guest.rename(path, "/work/new"), guest.rename("/work/other", path)];
        // A rename from one mount to another has a different error.
        assert!(
            renames.iter().all(|renamed| matches!(renamed, Err(FileError::Busy | FileError::CrossDevice))),
            "{path}"
        );
    }
    assert!(outer.path().join("a/b").is_dir() && outer.path().join("other").is_dir());
    // Paths that merely share a prefix with a mount may be renamed and removed.
    assert_eq!(guest.rename("/work/ab", "/work/a/bc"), Ok(()));
    assert_eq!(guest.rename("/work/a/bc", "/work/a/b/cd"), Ok(()));
    assert_eq!(guest.ask(&Call::Remove { path: "/work/a/b/cd", kind: Kind::Directory }), Ok(()));
}

#[test]
fn what_has_two_names_is_not_gone_for_being_renamed_to_one_of_them() {
    let output = tempfile::tempdir().unwrap();
    let mut guest =
        Guest::with_output(output.path(), |limits| (limits.file_total_bytes, limits.file_count) = (1000, 3));
    assert_eq!(guest.ask(&Call::Create { path: "/output/d", kind: Kind::Directory }), Ok(()));
    assert_eq!(guest.write("/output/d/f", &[1; 900]), Ok(()));
    fs::hard_link(output.path().join("d/f"), output.path().join("d/g")).unwrap();
    symlink("d", output.path().join("link")).unwrap();
    for _ in 0..10 {
        assert_eq!(guest.rename("/output/d/f", "/output/d/f"), Ok(()));
        assert_eq!(guest.rename("/output/d/f", "/output/d/g"), Ok(()));
        assert_eq!(guest.rename("/output/d/f", "/output/link/f"), Ok(()));
    }
    assert_eq!(guest.write("/output/more", &[1; 101]), Err(FileError::NoSpace));
    assert_eq!(guest.write("/output/too many", b""), Err(FileError::NoSpace));
    // A replaced file is credited once it has no other name.
    assert_eq!(guest.rename("/output/more", "/output/d/g"), Ok(()));
    assert_eq!(guest.write("/output/more", &[1; 900]), Err(FileError::NoSpace));
    assert_eq!(guest.rename("/output/more", "/output/d/f"), Ok(()));
    assert_eq!(guest.write("/output/more", &[1; 900]), Ok(()));
}

#[test]
fn times_of_directories_and_of_files_that_may_only_be_read_are_set() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("d")).unwrap();
    fs::write(directory.path().join("file"), "x").unwrap();
    let mut readable = fs::metadata(directory.path().join("file")).unwrap().permissions();
    readable.set_readonly(true);
    fs::set_permissions(directory.path().join("file"), readable).unwrap();
    let mut guest = Guest::with_output(directory.path(), |_| {});
    for (path, modified) in [("/output/d", 0), ("/output", 1_234_567_890_123_456_789), ("/output/file", 5)] {
        assert_eq!(guest.ask(&Call::SetModified { path, modified }), Ok(()), "{path}");
        let inside = directory.path().join(path.strip_prefix("/output").unwrap().trim_start_matches('/'));
        let time = fs::metadata(inside).unwrap().modified().unwrap();
        assert_eq!(time.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos(), modified.into(), "{path}");
    }
    assert_eq!(guest.ask(&Call::SetModified { path: "/output/none", modified: 1 }), Err(FileError::NotFound));
}
