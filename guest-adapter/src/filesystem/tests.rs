//! The tree as programs see it, against a fake host.

use isolette_abi::{
    CHUNK_LIMIT,
    files::{FileError, Kind},
};

use super::{GuestPath, Handle, open::Manner};
use crate::{
    state::State,
    testing::{Shared, begin, running},
};

const CREATE: Manner = Manner { create: true, exclusive: false, truncate: true, directory: false, write: true };
const READ: Manner = Manner { create: false, exclusive: false, truncate: false, directory: false, write: false };

fn path(text: &str) -> GuestPath {
    GuestPath::absolute(text).expect("a plain path")
}

fn open(state: &mut State, text: &str, manner: Manner) -> Result<Handle, FileError> {
    state.files.open(&mut state.wall, &path(text), manner).map(|(handle, _)| handle)
}

fn write(state: &mut State, text: &str, bytes: &[u8]) -> Result<(), FileError> {
    let handle = open(state, text, CREATE)?;
    state.files.write(&mut state.wall, &handle, Some(0), bytes)
}

fn read(state: &mut State, text: &str) -> Result<Vec<u8>, FileError> {
    let handle = open(state, text, READ)?;
    state.files.read(&mut state.wall, &handle, 0, u32::MAX)
}

fn list(state: &mut State, text: &str) -> Result<Vec<String>, FileError> {
    let entries = state.files.list(&mut state.wall, &path(text))?;
    let mut names: Vec<String> = entries.into_iter().map(|(name, _)| name).collect();
    names.sort();
    Ok(names)
}

fn make(state: &mut State, text: &str, kind: Kind) -> Result<(), FileError> {
    state.files.create(&mut state.wall, &path(text), kind)
}

fn remove(state: &mut State, text: &str, kind: Kind) -> Result<(), FileError> {
    state.files.remove(&mut state.wall, &path(text), kind)
}

fn rename(state: &mut State, source: &str, target: &str) -> Result<(), FileError> {
    state.files.rename(&mut state.wall, &path(source), &path(target))
}

fn kind(state: &mut State, text: &str) -> Result<Kind, FileError> {
    state.files.stat(&mut state.wall, &path(text)).map(|status| status.kind)
}

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
fn what_cannot_change_is_asked_once() {
    let (mut state, host) = running();
    host.put("/input/a", b"contents");
    assert_eq!(read(&mut state, "/input/a"), Ok(b"contents".to_vec()));
    let handle = open(&mut state, "/input/a", READ).expect("it is there");
    assert_eq!(state.files.read(&mut state.wall, &handle, 8, 10), Ok(Vec::new()));
    assert_eq!(kind(&mut state, "/input/none"), Err(FileError::NotFound));
    assert_eq!(kind(&mut state, "/input/none"), Err(FileError::NotFound));
    let log = host.log();
    assert_eq!(log.iter().filter(|line| line.starts_with("Stat")).count(), 2, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.starts_with("Read")).count(), 1, "{log:?}");

    begin(&mut state);
    assert_eq!(kind(&mut state, "/input/a"), Ok(Kind::File));
    assert_eq!(host.log().len(), 1, "a new run asks anew");
}

#[test]
fn what_can_change_is_asked_each_time() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    assert_eq!(read(&mut state, "/output/a"), Ok(b"1".to_vec()));
    host.put("/output/a", b"22");
    assert_eq!(read(&mut state, "/output/a"), Ok(b"22".to_vec()));
}

#[test]
fn long_files_move_in_chunks() {
    let (mut state, host) = running();
    let long: Vec<u8> = (0..2 * CHUNK_LIMIT + 5).map(|place| (place / 7) as u8).collect();
    assert_eq!(write(&mut state, "/output/long", &long), Ok(()));
    let writes: Vec<String> = host.log().into_iter().filter(|line| line.starts_with("Write")).collect();
    assert_eq!(
        writes,
        [
            format!("Write /output/long Some(0) {CHUNK_LIMIT}"),
            format!("Write /output/long Some({CHUNK_LIMIT}) {CHUNK_LIMIT}"),
            format!("Write /output/long Some({}) 5", 2 * CHUNK_LIMIT),
        ]
    );
    assert_eq!(read(&mut state, "/output/long").as_ref(), Ok(&long));
    let handle = open(&mut state, "/output/long", READ).expect("it is there");
    assert_eq!(state.files.write(&mut state.wall, &handle, None, b"end"), Ok(()));
    assert_eq!(read(&mut state, "/output/long").map(|bytes| bytes.len()), Ok(long.len() + 3));
}

#[test]
fn opening_follows_posix() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    let exclusive = Manner { exclusive: true, ..CREATE };
    let directory = Manner { directory: true, ..READ };
    for root in ["/output", "/tmp"] {
        let at = |name: &str| format!("{root}/{name}");
        assert_eq!(write(&mut state, &at("a"), b"1"), Ok(()));
        assert_eq!(open(&mut state, &at("a"), exclusive).err(), Some(FileError::Exists));
        assert!(open(&mut state, &at("new"), exclusive).is_ok());
        assert_eq!(open(&mut state, &at("none"), READ).err(), Some(FileError::NotFound));
        assert_eq!(open(&mut state, &at("a"), directory).err(), Some(FileError::NotDirectory));
        assert_eq!(open(&mut state, &at("a/"), READ).err(), Some(FileError::NotDirectory));
        assert_eq!(open(&mut state, &at("none/"), CREATE).err(), Some(FileError::Invalid));
        assert!(open(&mut state, &at("."), directory).is_ok());
        assert_eq!(open(&mut state, root, CREATE).err(), Some(FileError::IsDirectory));
        assert!(open(&mut state, &at("a"), CREATE).is_ok());
        assert_eq!(read(&mut state, &at("a")), Ok(Vec::new()), "opening to write cuts the file");
    }
}

#[test]
fn memory_behaves_like_a_disk() {
    let (mut state, host) = running();
    assert_eq!(write(&mut state, "/tmp/d/a", b"1"), Err(FileError::NotFound));
    assert_eq!(make(&mut state, "/tmp/d", Kind::Directory), Ok(()));
    assert_eq!(write(&mut state, "/tmp/d/a", b"1"), Ok(()));
    assert_eq!(write(&mut state, "/tmp/d/a/b", b"1"), Err(FileError::NotDirectory));
    assert_eq!(remove(&mut state, "/tmp/d", Kind::Directory), Err(FileError::NotEmpty));
    assert_eq!(remove(&mut state, "/tmp/d", Kind::File), Err(FileError::IsDirectory));
    assert_eq!(remove(&mut state, "/tmp/d/a", Kind::Directory), Err(FileError::NotDirectory));
    assert_eq!(rename(&mut state, "/tmp/d", "/tmp/d/e"), Err(FileError::Invalid));
    assert_eq!(rename(&mut state, "/tmp/d/a", "/tmp/d/a"), Ok(()));
    assert_eq!(rename(&mut state, "/tmp/d", "/tmp/e"), Ok(()));
    assert_eq!(read(&mut state, "/tmp/e/a"), Ok(b"1".to_vec()));
    assert_eq!(write(&mut state, "/tmp/f", b"2"), Ok(()));
    assert_eq!(rename(&mut state, "/tmp/f", "/tmp/e"), Err(FileError::IsDirectory));
    assert_eq!(rename(&mut state, "/tmp/e", "/tmp/f"), Err(FileError::NotDirectory));
    assert_eq!(rename(&mut state, "/tmp/f", "/tmp/e/a"), Ok(()), "a file is replaced");
    assert_eq!(read(&mut state, "/tmp/e/a"), Ok(b"2".to_vec()));
    assert_eq!(rename(&mut state, "/tmp/e/a", "/output/a"), Err(FileError::CrossDevice));
    assert_eq!(remove(&mut state, "/tmp/e/a", Kind::File), Ok(()));
    assert_eq!(remove(&mut state, "/tmp/e", Kind::Directory), Ok(()));
    assert_eq!(list(&mut state, "/tmp"), Ok(Vec::new()));
    let asked = host.log();
    assert_eq!(asked, ["WallClock"], "only the time of the first change is asked for");
}

#[test]
fn a_file_in_memory_outlives_its_name_and_its_run() {
    let (mut state, _host) = running();
    let handle = open(&mut state, "/tmp/a", CREATE).expect("there is room");
    assert_eq!(write(&mut state, "/tmp/b", b"stays"), Ok(()));
    assert_eq!(remove(&mut state, "/tmp/a", Kind::File), Ok(()));
    assert_eq!(state.files.write(&mut state.wall, &handle, None, b"hidden"), Ok(()));
    assert_eq!(state.files.read(&mut state.wall, &handle, 0, 100), Ok(b"hidden".to_vec()));
    begin(&mut state);
    assert_eq!(read(&mut state, "/tmp/b"), Ok(b"stays".to_vec()));
}

#[test]
fn times_of_change_go_on() {
    let (mut state, _host) = running();
    for name in ["/tmp/1", "/tmp/2", "/tmp/3"] {
        assert_eq!(write(&mut state, name, b"x"), Ok(()));
    }
    let mut modified = |name| state.files.stat(&mut state.wall, &path(name)).expect("it is there").modified;
    let times = [modified("/tmp/1"), modified("/tmp/2"), modified("/tmp/3")];
    assert!(times[0] > 0 && times.is_sorted_by(|a, b| a < b), "{times:?}");
}

#[test]
fn a_file_is_itself_and_no_other() {
    let (mut state, _host) = running();
    assert_eq!(write(&mut state, "/tmp/a", b"x"), Ok(()));
    let id = |state: &State, name| {
        let hash = state.files.identity(&path(name));
        (hash.lower, hash.upper)
    };
    let first = id(&state, "/tmp/a");
    assert_eq!(first, id(&state, "/tmp/../tmp/a"));
    assert_ne!(first, id(&state, "/input/a"));
    assert_eq!(rename(&mut state, "/tmp/a", "/tmp/b"), Ok(()));
    assert_eq!(first, id(&state, "/tmp/b"));
    assert_eq!(write(&mut state, "/tmp/a", b"y"), Ok(()));
    assert_ne!(first, id(&state, "/tmp/a"));
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
