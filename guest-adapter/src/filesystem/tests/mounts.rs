//! Tests of the layout of the tree, and of what can be changed.

use super::*;

#[test]
fn mounts_and_the_ways_to_them_are_there() {
    let (mut state, host) = running();
    assert_eq!(list(&mut state, "/"), Ok(vec!["data".into(), "input".into(), "output".into(), "tmp".into()]));
    assert_eq!(list(&mut state, "/data"), Ok(vec!["in".into()]));
    assert_eq!(list(&mut state, "/tmp"), Ok(Vec::new()));
    assert_eq!(kind(&mut state, "/data"), Ok(Kind::Directory));
    assert_eq!(host.log(), Vec::<String>::new(), "the tree above the mounts is known in here");
    assert_eq!(kind(&mut state, "/etc/passwd"), Err(FileError::NotFound));
    assert_eq!(kind(&mut state, "/input2"), Err(FileError::NotFound));
}

#[test]
fn listing_asks_until_there_is_no_more() {
    let (mut state, host) = running();
    for name in ["a", "b", "c", "d", "e"] {
        host.put(&format!("/input/{name}"), b"");
    }
    assert_eq!(list(&mut state, "/input").map(|names| names.concat()), Ok("abcde".into()));
}

#[test]
fn what_is_read_only_says_so() {
    let (mut state, host) = running();
    host.put("/input/a", b"1");
    host.log();
    assert_eq!(write(&mut state, "/input/a", b"2"), Err(FileError::ReadOnly));
    assert_eq!(write(&mut state, "/input/b", b"2"), Err(FileError::ReadOnly));
    assert_eq!(make(&mut state, "/input/d", Kind::Directory), Err(FileError::ReadOnly));
    assert_eq!(make(&mut state, "/input/a", Kind::File), Err(FileError::Exists));
    assert_eq!(remove(&mut state, "/input/a", Kind::File), Err(FileError::ReadOnly));
    assert_eq!(remove(&mut state, "/input/b", Kind::File), Err(FileError::NotFound));
    assert_eq!(rename(&mut state, "/input/a", "/input/b"), Err(FileError::ReadOnly));
    assert_eq!(write(&mut state, "/foo", b""), Err(FileError::ReadOnly));
    assert_eq!(write(&mut state, "/data/foo", b""), Err(FileError::ReadOnly));
    assert_eq!(write(&mut state, "/foo/bar", b""), Err(FileError::NotFound));
    assert!(host.log().iter().all(|line| line.starts_with("Stat")), "nothing is even tried");
}

#[test]
fn the_tree_itself_cannot_be_changed() {
    let (mut state, _host) = running();
    for fixed in ["/", "/data", "/data/in", "/output", "/tmp"] {
        assert_eq!(remove(&mut state, fixed, Kind::Directory), Err(FileError::Busy), "{fixed}");
        assert_eq!(rename(&mut state, fixed, "/tmp/x"), Err(FileError::Busy), "{fixed}");
        assert_eq!(make(&mut state, fixed, Kind::Directory), Err(FileError::Exists), "{fixed}");
        assert_eq!(write(&mut state, fixed, b""), Err(FileError::IsDirectory), "{fixed}");
    }
}

#[test]
fn mounts_may_lie_in_mounts() {
    let host: (State, Shared) = running();
    let (mut state, host) = host;
    host.put("/data/x", b"");
    host.0.borrow_mut().files.insert("/data".into(), None);
    let mounts = [("/data", true), ("/data/deep/in", false), ("/tmp", true)];
    state.files.begin(&mounts.map(|(path, writable)| isolette_abi::Mount { path, writable }));
    assert_eq!(list(&mut state, "/"), Ok(vec!["data".into(), "tmp".into()]));
    assert_eq!(list(&mut state, "/data"), Ok(vec!["deep".into(), "in".into(), "x".into()]));
    assert_eq!(kind(&mut state, "/data/deep"), Ok(Kind::Directory), "it leads to a mount, although the host has none");
    assert_eq!(write(&mut state, "/data/deep/in/a", b""), Err(FileError::ReadOnly));
    assert_eq!(write(&mut state, "/tmp/a", b"x"), Ok(()));
    assert!(host.0.borrow().files.contains_key("/tmp/a"), "a mount takes the place of the memory");
}
