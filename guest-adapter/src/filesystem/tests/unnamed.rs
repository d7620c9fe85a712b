//! Tests of open files whose names are removed, and of paths with `..`.

use isolette_abi::CHUNK_LIMIT;

use super::*;

fn content(state: &mut State, handle: &Handle) -> Result<Vec<u8>, FileError> {
    state.files.read(&mut state.calls, handle, 0, u32::MAX)
}

#[test]
fn an_open_file_keeps_its_content_without_its_name() {
    for root in ["/output", "/tmp"] {
        let (mut state, _host) = running();
        let at = |name: &str| format!("{root}/{name}");
        for name in ["a", "b"] {
            assert_eq!(write(&mut state, &at(name), name.as_bytes()), Ok(()));
        }
        let one = open(&mut state, &at("a"), READ).expect("it is there");
        let two = open(&mut state, &at("a"), READ).expect("it is there");
        let State { files, calls, .. } = &mut state;
        let before = files.identity_of(calls, &one, &path(&at("a"))).expect("it is there");
        assert_eq!(rename(&mut state, &at("b"), &at("a")), Ok(()));
        assert!(!one.has_name() && !two.has_name());
        assert_eq!(state.files.write(&mut state.calls, &one, Some(1), b"dded"), Ok(()));
        assert_eq!(content(&mut state, &two), Ok(b"added".to_vec()), "both handles are of one file");
        assert_eq!(read(&mut state, &at("a")), Ok(b"b".to_vec()), "the new file is another one");
        let State { files, calls, .. } = &mut state;
        let after = files.identity_of(calls, &two, &path(&at("a"))).expect("it is in memory");
        assert_eq!((before.lower, before.upper), (after.lower, after.upper));
        assert_eq!(remove(&mut state, &at("a"), Kind::File), Ok(()));
        assert_eq!(state.files.resize(&mut state.calls, &two, 2), Ok(()));
        assert_eq!(content(&mut state, &one), Ok(b"ad".to_vec()));
    }
}

#[test]
fn a_long_file_moves_into_memory_and_one_that_is_too_long_does_not() {
    let (mut state, host) = running();
    let long: Vec<u8> = (0..2 * CHUNK_LIMIT + 5).map(|place| (place / 3) as u8).collect();
    host.put("/output/long", &long);
    host.put("/output/too long", &vec![0; 64 * 1024 * 1024 + 1]);
    for (name, kept) in [("/output/long", true), ("/output/too long", false)] {
        let handle = open(&mut state, name, READ).expect("it is there");
        assert_eq!(remove(&mut state, name, Kind::File), Ok(()));
        assert_eq!(kind(&mut state, name), Err(FileError::NotFound));
        assert_eq!(content(&mut state, &handle), if kept { Ok(long.clone()) } else { Err(FileError::NotFound) });
    }
}

#[test]
fn nothing_is_read_of_a_file_that_is_not_open() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    drop(open(&mut state, "/output/a", READ));
    host.log();
    assert_eq!(remove(&mut state, "/output/a", Kind::File), Ok(()));
    assert_eq!(host.log(), ["Remove { path: \"/output/a\", kind: File }"]);
}

#[test]
fn a_file_that_was_not_removed_stays_where_it_is() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    let handle = open(&mut state, "/output/a", CREATE).expect("it is there");
    assert_eq!(rename(&mut state, "/output/none", "/output/a"), Err(FileError::NotFound));
    assert_eq!(rename(&mut state, "/output/a", "/output/a"), Ok(()));
    assert_eq!(state.files.write(&mut state.calls, &handle, Some(0), b"2"), Ok(()));
    assert_eq!(read(&mut state, "/output/a"), Ok(b"2".to_vec()));
}

#[test]
fn two_dots_leave_a_directory_that_exists() {
    let (mut state, host) = running();
    host.put("/output/file", b"1");
    host.0.borrow_mut().files.insert("/output/d".into(), None);
    assert_eq!(make(&mut state, "/tmp/d", Kind::Directory), Ok(()));
    assert_eq!(write(&mut state, "/tmp/file", b"1"), Ok(()));
    for root in ["/output", "/tmp"] {
        let mut walk = |text: &str| {
            let found = state.files.walk(&mut state.calls, &format!("{root}/{text}"));
            found.map(|path| path.as_str().to_owned())
        };
        assert_eq!(walk("d/../file"), Ok(format!("{root}/file")));
        assert_eq!(walk("d/../none"), Ok(format!("{root}/none")));
        assert_eq!(walk("none/../file"), Err(FileError::NotFound));
        assert_eq!(walk("d/none/../../file"), Err(FileError::NotFound));
        assert_eq!(walk("file/../file"), Err(FileError::NotDirectory));
        assert_eq!(walk("../tmp/file"), Ok("/tmp/file".into()));
    }
    host.log();
    assert!(state.files.walk(&mut state.calls, &"/output/d/..".repeat(300)).is_err(), "there is no /output/d/output");
    assert!(state.files.walk(&mut state.calls, &format!("/output/{}file", "d/../".repeat(300))).is_ok());
    assert_eq!(host.log().len(), 3, "each directory is looked up once");
}
