//! Tests of locks on bytes of files between guests.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use isolette_abi::{
    decode,
    files::{Lock, StatReply},
};

use super::*;

impl Guest {
    fn locks(&mut self, path: &str, lock: Lock, start: u64, length: u64) -> Result<bool, FileError> {
        let call = Call::Lock { path, lock, start, length, test: false };
        decode(&self.files.answer(&call, &mut self.quota, &self.locks)).unwrap()
    }

    fn could_lock(&mut self, path: &str, lock: Lock, start: u64, length: u64) -> Result<bool, FileError> {
        let call = Call::Lock { path, lock, start, length, test: true };
        decode(&self.files.answer(&call, &mut self.quota, &self.locks)).unwrap()
    }
}

/// Runs a test with two guests for each kind of mount: a directory, and a file system of the embedder's own.
fn everywhere(test: impl Fn(&mut Guest, &mut Guest)) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "1").unwrap();
    let mount = Mount::new(directory.path(), "/output", Access::ReadWrite).unwrap();
    let own = Directory::open(directory.path()).unwrap();
    let own = Mount::file_system("own", Named(own), "/output", Access::ReadWrite).unwrap();
    for mount in [mount, own] {
        let [mut first, mut second] = [(); 2].map(|()| Guest::new(std::slice::from_ref(&mount), |_| {}));
        test(&mut first, &mut second);
    }
}

/// A file system whose files only have names.
struct Named(Directory);

impl FileSystem for Named {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.0.stat(path)
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        self.0.read(path, offset, length)
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        self.0.list_directory(path)
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.0.create(path, kind)
    }

    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.0.remove(path, kind)
    }
}

const FILE: &str = "/output/file";

#[test]
fn what_one_guest_has_locked_no_other_gets() {
    everywhere(|first, second| {
        assert_eq!(first.locks(FILE, Lock::Exclusive, 10, 5), Ok(true));
        assert_eq!(first.locks(FILE, Lock::Exclusive, 12, 1), Ok(true), "never in its own way");
        for (start, length, free) in [(0, 10, true), (0, 11, false), (14, 1, false), (15, 0, true), (0, 0, false)] {
            for lock in [Lock::Shared, Lock::Exclusive] {
                assert_eq!(second.could_lock(FILE, lock, start, length), Ok(free), "{start} {length}");
                assert_eq!(second.locks(FILE, lock, start, length), Ok(free), "{start} {length}");
                assert_eq!(second.locks(FILE, Lock::Unlock, 0, 0), Ok(true));
            }
        }
        assert_eq!(first.locks(FILE, Lock::Shared, 10, 5), Ok(true), "less than before");
        assert_eq!(second.locks(FILE, Lock::Shared, 0, 0), Ok(true));
        assert_eq!(first.locks(FILE, Lock::Exclusive, 10, 1), Ok(false));
        assert_eq!(second.could_lock(FILE, Lock::Exclusive, 10, 1), Ok(false), "it keeps what it had");
        assert_eq!(second.locks(FILE, Lock::Unlock, 0, 0), Ok(true));
        assert_eq!(first.locks(FILE, Lock::Exclusive, 10, 1), Ok(true));
    });
}

#[test]
fn a_guest_that_has_ended_has_no_locks_and_gets_none() {
    everywhere(|first, second| {
        assert_eq!(first.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
        assert_eq!(second.locks(FILE, Lock::Shared, 0, 0), Ok(false));
        first.locks.end();
        assert_eq!(second.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
        assert_eq!(first.locks(FILE, Lock::Unlock, 0, 0), Err(FileError::Busy));
        second.locks = Locks::default();
        first.locks = Locks::default();
        assert_eq!(first.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
    });
}

#[test]
fn a_guest_locks_a_limited_number_of_files_and_of_pieces() {
    everywhere(|first, second| {
        let names: Vec<_> = (0..17).map(|number| format!("/output/{number}")).collect();
        for name in &names {
            assert!(matches!(first.ask(&Call::Create { path: name, kind: Kind::File }), Ok(())));
        }
        for name in &names[..16] {
            assert_eq!(first.locks(name, Lock::Shared, 0, 1), Ok(true));
        }
        assert_eq!(first.locks(&names[16], Lock::Shared, 0, 1), Err(FileError::TooManyFiles));
        assert_eq!(first.could_lock(&names[16], Lock::Shared, 0, 1), Ok(true));
        assert_eq!(second.locks(&names[16], Lock::Shared, 0, 1), Ok(true), "each guest has its own");
        assert_eq!(first.ask(&Call::Remove { path: &names[0], kind: Kind::File }), Ok(()));
        assert_eq!(first.locks(&names[16], Lock::Shared, 0, 1), Ok(true), "a removed file takes its locks along");
        for piece in 1..64 {
            assert_eq!(first.locks(&names[16], Lock::Shared, 2 * piece, 1), Ok(true));
        }
        assert_eq!(first.locks(&names[16], Lock::Shared, 1_000, 1), Err(FileError::TooManyFiles));
        for name in &names[1..] {
            assert_eq!(first.locks(name, Lock::Unlock, 0, 0), Ok(true));
            assert_eq!(first.ask(&Call::Remove { path: name, kind: Kind::File }), Ok(()));
        }
    });
}

#[test]
fn only_files_can_be_locked_and_only_within_bounds() {
    everywhere(|first, _| {
        for (path, error) in [
            ("/output", FileError::IsDirectory),
            ("/output/none", FileError::NotFound),
            ("/output/../file", FileError::Invalid),
            ("/elsewhere", FileError::NotFound),
        ] {
            assert_eq!(first.locks(path, Lock::Shared, 0, 0), Err(error), "{path}");
        }
        for (start, length) in [(u64::MAX, 0), (1 << 63, 1), (1, u64::MAX)] {
            assert_eq!(first.locks(FILE, Lock::Shared, start, length), Err(FileError::Invalid));
        }
    });
}

#[test]
fn a_read_only_mount_has_shared_locks_only() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "1").unwrap();
    let mount = |access| Mount::new(directory.path(), "/output", access).unwrap();
    let mut reader = Guest::new(&[mount(Access::ReadOnly)], |_| {});
    let mut writer = Guest::new(&[mount(Access::ReadWrite)], |_| {});
    assert_eq!(reader.locks(FILE, Lock::Exclusive, 0, 0), Err(FileError::ReadOnly));
    assert_eq!(reader.could_lock(FILE, Lock::Exclusive, 0, 0), Ok(true));
    assert_eq!(reader.locks(FILE, Lock::Shared, 0, 0), Ok(true));
    assert_eq!(writer.locks(FILE, Lock::Exclusive, 0, 0), Ok(false));
    assert_eq!(reader.locks(FILE, Lock::Unlock, 0, 0), Ok(true));
    assert_eq!(writer.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
    assert_eq!(reader.could_lock(FILE, Lock::Shared, 0, 0), Ok(false));
    assert_eq!(writer.locks(FILE, Lock::Unlock, 0, 0), Ok(true));
    // A file that the host itself may only read.
    fs::set_permissions(directory.path().join("file"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(writer.locks(FILE, Lock::Shared, 0, 0), Ok(true));
}

#[test]
fn all_names_of_a_file_are_locked_together() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("file"), "1").unwrap();
    fs::write(path.join("different"), "1").unwrap();
    fs::hard_link(path.join("file"), path.join("hard")).unwrap();
    symlink("file", path.join("soft")).unwrap();
    symlink("/etc/passwd", path.join("out")).unwrap();
    let mut first = Guest::with_output(path, |_| {});
    let mut second = Guest::with_output(path, |_| {});
    let found = |guest: &mut Guest, path| {
        let reply = guest.files.answer(&Call::Stat { path }, &mut guest.quota, &guest.locks);
        decode::<Result<StatReply, FileError>>(&reply).unwrap().unwrap().file
    };
    let file = found(&mut first, FILE);
    assert!(file.is_some());
    assert_ne!(file, found(&mut first, "/output/different"));
    assert_eq!(found(&mut first, "/output"), None);
    for name in ["/output/hard", "/output/soft"] {
        assert_eq!(found(&mut second, name), file);
        assert_eq!(first.locks(FILE, Lock::Exclusive, 0, 1), Ok(true));
        assert_eq!(first.locks(name, Lock::Exclusive, 1, 1), Ok(true));
        assert_eq!(second.locks(name, Lock::Shared, 0, 1), Ok(false));
        assert_eq!(second.locks(FILE, Lock::Shared, 1, 1), Ok(false));
        assert_eq!(first.locks(name, Lock::Unlock, 0, 0), Ok(true));
        assert_eq!(second.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
        assert_eq!(second.locks(FILE, Lock::Unlock, 0, 0), Ok(true));
    }
    assert_eq!(first.locks("/output/out", Lock::Shared, 0, 0), Err(FileError::Access));
    // A lock stays when the file is renamed; a file that replaces it is a different file.
    assert_eq!(first.locks(FILE, Lock::Exclusive, 0, 0), Ok(true));
    assert_eq!(first.rename(FILE, "/output/new"), Ok(()));
    assert_eq!(second.locks("/output/new", Lock::Shared, 0, 0), Ok(false));
    assert_eq!(first.rename("/output/different", "/output/new"), Ok(()));
    assert_eq!(second.locks("/output/new", Lock::Exclusive, 0, 0), Ok(true));
    assert_eq!(second.locks("/output/hard", Lock::Shared, 0, 0), Ok(false));
}
