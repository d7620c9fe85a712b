//! Tests of the changes in `/output` that are reported for a run.

use std::{fs, os::unix::fs::symlink, time::Duration};

use tokio_util::sync::CancellationToken;

use super::*;
use isolette_deadline::Deadline;
use isolette_types::OutputFile;
use isolette_work as work;

/// Lists the changes since the last call.
fn changed(guest: &mut Guest) -> Vec<String> {
    let changes = guest.quota.take_changes();
    let (files, more) = guest.files.changed_output(&changes, true);
    assert!(!more);
    files.into_iter().map(|file| file.path.strip_prefix("/output/").unwrap().to_owned()).collect()
}

#[test]
fn only_what_was_changed_is_listed() {
    let output = tempfile::tempdir().unwrap();
    for old in ["a", "b", "c", "d/e", "d/f", "g/h"] {
        let path = output.path().join(old);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, old).unwrap();
    }
    let mut guest = Guest::with_output(output.path(), |_| {});
    assert_eq!(changed(&mut guest), [""; 0]);
    assert_eq!(guest.write("/output/new", b"1"), Ok(()));
    assert_eq!(guest.write("/output/a", b"2"), Ok(()));
    assert_eq!(guest.ask(&Call::Resize { path: "/output/d/e", size: 0 }), Ok(()));
    assert_eq!(guest.ask(&Call::Create { path: "/output/g/i", kind: Kind::File }), Ok(()));
    assert_eq!(guest.ask(&Call::Create { path: "/output/g/j", kind: Kind::Directory }), Ok(()));
    assert_eq!(changed(&mut guest), ["a", "d/e", "g/i", "new"]);
    assert_eq!(changed(&mut guest), [""; 0], "what was changed before is not changed again");
    assert_eq!(guest.files.output().0.len(), 8, "but it is there");

    // Reading, and calls that are refused, change nothing.
    assert_eq!(guest.ask(&Call::Create { path: "/output/a", kind: Kind::File }), Err(FileError::Exists));
    assert_eq!(guest.ask(&Call::Resize { path: "/output/b", size: u64::MAX }), Err(FileError::FileTooLarge));
    assert_eq!(guest.rename("/output/none", "/output/c"), Err(FileError::NotFound));
    let _ = guest.files.answer(&Call::Read { path: "/output/a", offset: 0, length: 1 }, &mut guest.quota, &guest.locks);
    assert_eq!(changed(&mut guest), [""; 0]);
}

#[test]
fn what_is_gone_again_is_not_listed_and_names_are_the_last_ones() {
    let output = tempfile::tempdir().unwrap();
    fs::create_dir(output.path().join("old")).unwrap();
    fs::write(output.path().join("old/kept"), "kept").unwrap();
    let mut guest = Guest::with_output(output.path(), |_| {});
    for name in ["/output/gone", "/output/moved", "/output/old/in"] {
        assert_eq!(guest.write(name, b"x"), Ok(()));
    }
    assert_eq!(guest.ask(&Call::Remove { path: "/output/gone", kind: Kind::File }), Ok(()));
    assert_eq!(guest.rename("/output/moved", "/output/here"), Ok(()));
    assert_eq!(guest.rename("/output/old", "/output/renamed"), Ok(()));
    assert_eq!(guest.write("/output/renamed/later", b"x"), Ok(()));
    assert_eq!(changed(&mut guest), ["here", "renamed/in", "renamed/kept", "renamed/later"]);
    // A replaced file is no longer listed under either name.
    assert_eq!(guest.write("/output/here", b"y"), Ok(()));
    assert_eq!(guest.rename("/output/here", "/output/renamed/in"), Ok(()));
    assert_eq!(changed(&mut guest), ["renamed/in"]);
}

#[test]
fn links_in_a_directory_are_not_followed() {
    let output = tempfile::tempdir().unwrap();
    fs::create_dir_all(output.path().join("a/b")).unwrap();
    fs::write(output.path().join("a/b/file"), "x").unwrap();
    symlink("..", output.path().join("a/b/up")).unwrap();
    symlink("a/b/file", output.path().join("link")).unwrap();
    let mut guest = Guest::with_output(output.path(), |_| {});
    assert_eq!(guest.rename("/output/a", "/output/c"), Ok(()));
    assert_eq!(changed(&mut guest), ["c/b/file"]);
    // A file that is written by the name of a link is listed under that name.
    fs::remove_file(output.path().join("link")).unwrap();
    symlink("c/b", output.path().join("link")).unwrap();
    assert_eq!(guest.write("/output/link/file", b"y"), Ok(()));
    assert_eq!(changed(&mut guest), ["link/file"]);
}

#[test]
fn other_mounts_are_no_output() {
    let (output, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mounts = [(&output, "/output"), (&other, "/output2"), (&other, "/output/other")];
    let mut guest =
        Guest::new(&mounts.map(|(host, guest)| Mount::new(host, guest, Access::ReadWrite).unwrap()), |_| {});
    assert_eq!(guest.write("/output2/a", b"x"), Ok(()));
    assert_eq!(guest.write("/output/other/b", b"x"), Ok(()));
    assert!(guest.quota.take_changes().is_none());
}

#[test]
fn without_time_there_are_no_digests() {
    let output = tempfile::tempdir().unwrap();
    let mut guest = Guest::with_output(output.path(), |_| {});
    assert_eq!(guest.write("/output/a", b"abc"), Ok(()));
    let changes = guest.quota.take_changes();
    for (digests, is_there) in [(false, false), (true, true)] {
        let (files, _) = guest.files.changed_output(&changes, digests);
        assert_eq!((files[0].size, files[0].sha256.is_some()), (3, is_there));
    }
}

#[test]
fn a_file_system_that_panics_is_more_than_was_listed() {
    struct Broken;
    impl FileSystem for Broken {
        fn stat(&self, _: &str) -> Result<Status, FileError> {
            panic!("as requested")
        }

        fn read(&self, _: &str, _: u64, _: u32) -> Result<Vec<u8>, FileError> {
            Err(FileError::Io)
        }

        fn list_directory(&self, _: &str) -> Result<Vec<Entry>, FileError> {
            panic!("as requested")
        }

        fn create(&self, _: &str, _: Kind) -> Result<(), FileError> {
            Ok(())
        }
    }
    let mount = Mount::file_system("", Broken, "/output", Access::ReadWrite).unwrap();
    let mut guest = Guest::new(&[mount], |_| {});
    assert_eq!(guest.ask(&Call::Create { path: "/output/a", kind: Kind::File }), Ok(()));
    let changes = guest.quota.take_changes();
    assert_eq!(guest.files.changed_output(&changes, true), (Vec::new(), true));
    assert_eq!(guest.files.output(), (Vec::new(), true));
}

#[test]
fn digests_end_with_the_run() {
    let output = tempfile::tempdir().unwrap();
    let mut guest = Guest::with_output(output.path(), |_| {});
    assert_eq!(guest.write("/output/a", b"short"), Ok(()));
    assert_eq!(guest.write("/output/b", b"x"), Ok(()));
    assert_eq!(guest.ask(&Call::Resize { path: "/output/b", size: 200 << 20 }), Ok(()));
    let changes = guest.quota.take_changes();
    let cancel = CancellationToken::new();
    let call = work::Call::new(Deadline::new(Duration::MAX, Duration::MAX, cancel.clone()));
    let digested = |files: &[OutputFile]| files.iter().map(|file| file.sha256.is_some()).collect::<Vec<_>>();
    cancel.cancel();
    let (files, more) = call.within(|| guest.files.changed_output(&changes, true));
    assert_eq!((digested(&files), more), (vec![false, false], false));
    assert_eq!(files[1].size, 200 << 20, "all else is known of it");
}
