//! Tests of the rules that programs expect.

use super::*;

#[test]
fn opening_follows_posix() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    let exclusive = OpenOptions { exclusive: true, ..CREATE };
    let directory = OpenOptions { directory: true, ..READ };
    for root in ["/output", "/tmp"] {
        let at = |name: &str| format!("{root}/{name}");
        assert_eq!(write(&mut state, &at("a"), b"1"), Ok(()));
        assert_eq!(open(&mut state, &at("a"), exclusive).err(), Some(FileError::Exists));
        assert!(open(&mut state, &at("new"), exclusive).is_ok());
        assert_eq!(open(&mut state, &at("none"), READ).err(), Some(FileError::NotFound));
        assert_eq!(open(&mut state, &at("a"), directory).err(), Some(FileError::NotDirectory));
        assert_eq!(open(&mut state, &at("a/"), READ).err(), Some(FileError::NotDirectory));
        assert_eq!(open(&mut state, &at("none/"), CREATE).err(), Some(FileError::IsDirectory));
        assert_eq!(open(&mut state, &at("a/"), CREATE).err(), Some(FileError::IsDirectory));
        assert_eq!(open(&mut state, &at("none/a/"), CREATE).err(), Some(FileError::NotFound));
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
    assert_eq!(state.files.write(&mut state.calls, &handle, None, b"hidden"), Ok(()));
    assert_eq!(state.files.read(&mut state.calls, &handle, 0, 100), Ok(b"hidden".to_vec()));
    begin(&mut state);
    assert_eq!(read(&mut state, "/tmp/b"), Ok(b"stays".to_vec()));
}

#[test]
fn times_of_change_go_on() {
    let (mut state, _host) = running();
    for name in ["/tmp/1", "/tmp/2", "/tmp/3"] {
        assert_eq!(write(&mut state, name, b"x"), Ok(()));
    }
    let mut modified = |name| state.files.stat(&mut state.calls, &path(name)).expect("it is there").modified;
    let times = [modified("/tmp/1"), modified("/tmp/2"), modified("/tmp/3")];
    assert!(times[0] > 0 && times.is_sorted_by(|a, b| a < b), "{times:?}");
}

#[test]
fn a_file_is_itself_and_no_other() {
    let (mut state, _host) = running();
    assert_eq!(write(&mut state, "/tmp/a", b"x"), Ok(()));
    let first = id(&mut state, "/tmp/a");
    assert!(first.is_ok());
    assert_eq!(first, id(&mut state, "/tmp/../tmp/a"));
    assert_ne!(first, id(&mut state, "/output/a"));
    assert_eq!(rename(&mut state, "/tmp/a", "/tmp/b"), Ok(()));
    assert_eq!(first, id(&mut state, "/tmp/b"));
    assert_eq!(write(&mut state, "/tmp/a", b"y"), Ok(()));
    assert_ne!(first, id(&mut state, "/tmp/a"));
}

#[test]
fn two_names_of_one_file_are_the_same_file() {
    let (mut state, host) = running();
    host.put("/output/name", b"one");
    host.put("/output/other name", b"one");
    host.put("/output/other file", b"two");
    let first = id(&mut state, "/output/name");
    assert!(first.is_ok());
    assert_eq!(first, id(&mut state, "/output/other name"));
    assert_ne!(first, id(&mut state, "/output/other file"));
    assert_eq!(id(&mut state, "/output/none"), Err(FileError::NotFound));
    let opened = open(&mut state, "/output/other name", READ).expect("it is there");
    let State { files, calls, .. } = &mut state;
    let of_open = files.identity_of(calls, &opened, &path("/output/other name")).expect("it is there");
    assert_eq!(Ok((of_open.lower, of_open.upper)), first);
}

fn id(state: &mut State, name: &str) -> Result<(u64, u64), FileError> {
    let hash = state.files.identity(&mut state.calls, &path(name))?;
    Ok((hash.lower, hash.upper))
}

#[test]
fn an_open_file_follows_its_name() {
    for root in ["/output", "/tmp"] {
        let (mut state, _host) = running();
        let at = |name: &str| format!("{root}/{name}");
        assert_eq!(make(&mut state, &at("d"), Kind::Directory), Ok(()));
        let opened = open(&mut state, &at("a"), CREATE).expect("it is made");
        let replaced = open(&mut state, &at("b"), CREATE).expect("it is made");
        assert_eq!(rename(&mut state, &at("a"), &at("b")), Ok(()));
        assert_eq!(rename(&mut state, &at("b"), &at("d/c")), Ok(()));
        assert_eq!(state.files.write(&mut state.calls, &opened, Some(0), b"followed"), Ok(()));
        assert_eq!(read(&mut state, &at("d/c")), Ok(b"followed".to_vec()));

        assert_eq!(write(&mut state, &at("b"), b"another"), Ok(()));
        let _ = state.files.write(&mut state.calls, &replaced, Some(0), b"lost");
        assert_eq!(read(&mut state, &at("b")), Ok(b"another".to_vec()), "it is not the file that was open");

        assert_eq!(remove(&mut state, &at("d/c"), Kind::File), Ok(()));
        assert_eq!(write(&mut state, &at("d/c"), b"new"), Ok(()));
        let _ = state.files.write(&mut state.calls, &opened, Some(0), b"lost");
        assert_eq!(read(&mut state, &at("d/c")), Ok(b"new".to_vec()));
    }
}

#[test]
fn files_below_a_renamed_directory_follow() {
    let (mut state, host) = running();
    host.0.borrow_mut().files.insert("/output/d".into(), None);
    let opened = open(&mut state, "/output/d/a", CREATE).expect("it is made");
    assert_eq!(rename(&mut state, "/output/d", "/output/e"), Ok(()));
    host.put("/output/e/a", b"");
    assert_eq!(state.files.write(&mut state.calls, &opened, Some(0), b"x"), Ok(()));
    assert_eq!(read(&mut state, "/output/e/a"), Ok(b"x".to_vec()));
}

#[test]
fn the_null_device_takes_everything_and_has_nothing() {
    let (mut state, host) = running();
    assert_eq!(write(&mut state, "/dev/null", b"1"), Ok(()));
    assert_eq!(read(&mut state, "/dev/null"), Ok(Vec::new()));
    assert_eq!(kind(&mut state, "/dev/null"), Ok(Kind::Other));
    assert_eq!(make(&mut state, "/dev/null", Kind::File), Err(FileError::Exists));
    assert_eq!(remove(&mut state, "/dev/null", Kind::File), Err(FileError::Access));
    assert_eq!(
        open(&mut state, "/dev/null", OpenOptions { directory: true, ..READ }).err(),
        Some(FileError::NotDirectory)
    );
    assert_eq!(host.log(), Vec::<String>::new());
}
