//! Tests of what is charged when files have several names, or none.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    path::Path,
};

use proptest::prelude::*;

use super::*;

fn file(guest: &mut Guest, path: &str, length: usize) -> Result<(), FileError> {
    guest.write(path, &vec![b'x'; length])
}

fn remove(guest: &mut Guest, path: &str) -> Result<(), FileError> {
    guest.ask(&Call::Remove { path, kind: Kind::File })
}

/// A guest with a quota of 1,000 bytes.
fn small(output: &Path) -> Guest {
    Guest::with_output(output, |limits| limits.file_total_bytes = 1000)
}

#[test]
fn a_name_of_a_link_gives_nothing_back() {
    let output = tempfile::tempdir().unwrap();
    let path = |name: &str| output.path().join(name);
    for name in ["one", "two"] {
        symlink("file", path(name)).unwrap();
    }
    fs::create_dir(path("folder")).unwrap();
    symlink("../folder", path("folder/around")).unwrap();
    let mut guest = small(output.path());
    assert_eq!(file(&mut guest, "/output/file", 900), Ok(()));
    assert_eq!(remove(&mut guest, "/output/one"), Ok(()));
    assert_eq!(guest.quota.bytes(), 900);
    assert_eq!(file(&mut guest, "/output/small", 1), Ok(()));
    assert_eq!(guest.rename("/output/small", "/output/two"), Ok(()));
    assert_eq!(guest.quota.bytes(), 901);
    // Bytes that are cut off by the name of a link are credited.
    symlink("file", path("three")).unwrap();
    assert_eq!(guest.ask(&Call::Resize { path: "/output/three", size: 100 }), Ok(()));
    assert_eq!(guest.quota.bytes(), 101);
    // The directory in a path may be a link: the file that it leads to is removed.
    assert_eq!(file(&mut guest, "/output/folder/file", 50), Ok(()));
    assert_eq!(remove(&mut guest, "/output/folder/around/around/file"), Ok(()));
    assert_eq!(guest.quota.bytes(), 101);
}

#[test]
fn a_file_counts_until_its_last_name_is_gone() {
    let (output, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| output.path().join(name);
    let mut guest = small(output.path());
    assert_eq!(file(&mut guest, "/output/a", 600), Ok(()));
    fs::hard_link(path("a"), path("b")).unwrap();
    fs::hard_link(path("a"), elsewhere.path().join("kept")).unwrap();
    assert_eq!(remove(&mut guest, "/output/a"), Ok(()));
    assert_eq!(file(&mut guest, "/output/c", 10), Ok(()));
    assert_eq!(guest.rename("/output/c", "/output/b"), Ok(()));
    assert_eq!(guest.quota.bytes(), 610, "it is still there, elsewhere");
    // Renaming between two names of one file does nothing and credits nothing.
    fs::hard_link(path("b"), path("d")).unwrap();
    assert_eq!(guest.rename("/output/b", "/output/d"), Ok(()));
    assert_eq!((remove(&mut guest, "/output/b"), guest.quota.bytes()), (Ok(()), 610));
    assert_eq!((remove(&mut guest, "/output/d"), guest.quota.bytes()), (Ok(()), 600));
}

#[test]
fn what_a_guest_has_not_written_gives_it_nothing() {
    let output = tempfile::tempdir().unwrap();
    for name in ["old", "cut"] {
        fs::write(output.path().join(name), [0; 900]).unwrap();
    }
    let mut guest = small(output.path());
    assert_eq!(file(&mut guest, "/output/new", 900), Ok(()));
    assert_eq!(remove(&mut guest, "/output/old"), Ok(()));
    assert_eq!(guest.ask(&Call::Resize { path: "/output/cut", size: 0 }), Ok(()));
    assert_eq!(guest.quota.bytes(), 900);
    assert_eq!(file(&mut guest, "/output/more", 101), Err(FileError::NoSpace));
    // Bytes that another guest has written, or that are a hole, are not credited either.
    let mut other = small(output.path());
    assert_eq!(other.ask(&Call::Resize { path: "/output/cut", size: 500 }), Ok(()));
    assert_eq!(remove(&mut guest, "/output/cut"), Ok(()));
    assert_eq!((guest.quota.bytes(), other.quota.bytes()), (900, 500));
}

/// A wrapped directory, with whether it reports what removing a name frees; else it reports 0 bytes.
struct Around(Directory, bool);

impl FileSystem for Around {
    fn stat(&self, path: &str) -> Result<Status, FileError> {
        self.0.stat(path)
    }

    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        self.0.read(path, offset, length)
    }

    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError> {
        self.0.list_directory(path)
    }

    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        self.0.write(path, offset, bytes)
    }

    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.0.create(path, kind)
    }

    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        self.0.remove(path, kind)
    }

    fn freed(&self, path: &str) -> Result<u64, FileError> {
        if self.1 { self.0.freed(path) } else { Ok(0) }
    }
}

#[test]
fn a_file_system_of_ones_own_gives_back_what_it_says_and_no_more_than_counts() {
    for knows in [false, true] {
        let output = tempfile::tempdir().unwrap();
        symlink("file", output.path().join("link")).unwrap();
        fs::write(output.path().join("old"), [0; 900]).unwrap();
        let around = Around(Directory::open(output.path()).unwrap(), knows);
        let mount = Mount::file_system("around", around, "/output", Access::ReadWrite).unwrap();
        let mut guest = Guest::new(&[mount], |limits| limits.file_total_bytes = 1000);
        assert_eq!(file(&mut guest, "/output/file", 900), Ok(()));
        assert_eq!(remove(&mut guest, "/output/link"), Ok(()));
        assert_eq!(guest.quota.bytes(), 900);
        assert_eq!(remove(&mut guest, "/output/file"), Ok(()));
        assert_eq!(guest.quota.bytes(), if knows { 0 } else { 900 });
        assert_eq!(remove(&mut guest, "/output/old"), Ok(()));
        assert_eq!(guest.quota.bytes(), if knows { 0 } else { 900 });
    }
}

const NAMES: [&str; 8] = ["a", "b", "c", "soft", "hard", "d/a", "d/soft", "d/around/b"];

/// An operation of a guest or of another process.
#[derive(Clone, Debug)]
enum Step {
    Create(usize),
    Write(usize, Option<u16>, u8),
    Resize(usize, u16),
    Remove(usize),
    Rename(usize, usize),
    Link(usize, usize),
    Symlink(usize, usize),
    Keep(usize),
    Unlink(usize),
    Put(usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let name = || 0..NAMES.len();
    prop_oneof![
        3 => name().prop_map(Step::Create),
        6 => (name(), proptest::option::of(0..600_u16), any::<u8>()).prop_map(|(name, at, length)| Step::Write(name, at, length)),
        2 => (name(), 0..600_u16).prop_map(|(name, size)| Step::Resize(name, size)),
        4 => name().prop_map(Step::Remove),
        4 => (name(), name()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (name(), name()).prop_map(|(from, to)| Step::Link(from, to)),
        1 => (name(), name()).prop_map(|(to, name)| Step::Symlink(to, name)),
        1 => name().prop_map(Step::Keep),
        1 => name().prop_map(Step::Unlink),
        1 => (name(), any::<u8>()).prop_map(|(name, length)| Step::Put(name, length)),
    ]
}

/// The total length of all files below these folders, each file counted once.
fn held(folders: &[&Path]) -> u64 {
    fn walk(folder: &Path, found: &mut BTreeMap<u64, u64>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let metadata = fs::symlink_metadata(entry.path()).unwrap();
            if metadata.is_dir() {
                walk(&entry.path(), found);
            } else if metadata.is_file() {
                found.insert(metadata.ino(), metadata.len());
            }
        }
    }
    let mut found = BTreeMap::new();
    folders.iter().for_each(|folder| walk(folder, &mut found));
    found.values().sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// For any operations of two guests on the same files, the charged bytes are never less than what they have added
    /// to the disk.
    #[test]
    fn what_counts_is_never_less_than_what_the_disk_holds(steps in proptest::collection::vec((any::<bool>(), step()), 1..60)) {
        let (output, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = |name: usize| output.path().join(NAMES[name]);
        fs::create_dir(output.path().join("d")).unwrap();
        symlink("../d", output.path().join("d/around")).unwrap();
        fs::write(path(0), [0; 300]).unwrap();
        symlink("a", path(3)).unwrap();
        symlink("../b", path(6)).unwrap();
        fs::hard_link(path(0), path(4)).unwrap();
        let everywhere = [output.path(), elsewhere.path()];
        let mut others = held(&everywhere);
        let mut guests = [small(output.path()), small(output.path())];
        for (index, (which, step)) in steps.into_iter().enumerate() {
            let guest = &mut guests[usize::from(which)];
            let inside = |name: usize| format!("/output/{}", NAMES[name]);
            let before = held(&everywhere);
            let mut by_others = true;
            match step {
                Step::Link(from, to) => drop(fs::hard_link(path(from), path(to))),
                Step::Symlink(to, name) => drop(symlink(NAMES[to], path(name))),
                Step::Keep(name) => drop(fs::hard_link(path(name), elsewhere.path().join(index.to_string()))),
                Step::Unlink(name) => drop(fs::remove_file(path(name))),
                Step::Put(name, length) => drop(fs::write(path(name), vec![0; length.into()])),
                Step::Create(name) => {
                    by_others = false;
                    let _ = guest.ask(&Call::Create { path: &inside(name), kind: Kind::File });
                }
                Step::Write(name, offset, length) => {
                    by_others = false;
                    let call = Call::Write { path: &inside(name), offset: offset.map(u64::from), bytes: &vec![1; length.into()] };
                    let _ = guest.ask(&call);
                }
                Step::Resize(name, size) => {
                    by_others = false;
                    let _ = guest.ask(&Call::Resize { path: &inside(name), size: size.into() });
                }
                Step::Remove(name) => {
                    by_others = false;
                    let _ = remove(guest, &inside(name));
                }
                Step::Rename(from, to) => {
                    by_others = false;
                    let _ = guest.rename(&inside(from), &inside(to));
                }
            }
            let now = held(&everywhere);
            if by_others {
                // Bytes that other processes add are theirs; bytes that they remove are credited to no guest.
                others += now.saturating_sub(before);
            }
            let counted: u64 = guests.iter().map(|guest| guest.quota.bytes()).sum();
            prop_assert!(counted + others >= now, "{counted} of the guests and {others} of others, {now} on the disk");
        }
    }
}
