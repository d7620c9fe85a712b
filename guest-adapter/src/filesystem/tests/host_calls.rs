//! Tests that count host calls.

use isolette_abi::CHUNK_LIMIT;

use super::*;

#[test]
fn what_cannot_change_is_asked_once() {
    let (mut state, host) = running();
    host.put("/input/a", b"contents");
    assert_eq!(read(&mut state, "/input/a"), Ok(b"contents".to_vec()));
    let handle = open(&mut state, "/input/a", READ).expect("it is there");
    assert_eq!(state.files.read(&mut state.calls, &handle, 8, 10), Ok(Vec::new()));
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
fn opening_asks_no_more_than_it_must() {
    let (mut state, host) = running();
    let opened = open(&mut state, "/output/new", CREATE).expect("it is made");
    assert_eq!(state.files.status(&mut state.calls, &opened).map(|status| status.size), Ok(0));
    assert_eq!(state.files.write(&mut state.calls, &opened, Some(0), b"12"), Ok(()));
    let kinds =
        |log: Vec<String>| log.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
    let asked: Vec<String> = kinds(host.log());
    assert_eq!(asked, ["Stat", "Create", "Stat", "Write"]);

    let opened = open(&mut state, "/output/new", READ).expect("it is there");
    assert_eq!(state.files.status(&mut state.calls, &opened).map(|status| status.size), Ok(2));
    assert_eq!(state.files.read(&mut state.calls, &opened, 0, 3), Ok(b"12".to_vec()));
    assert_eq!(state.files.read(&mut state.calls, &opened, 2, 1), Ok(Vec::new()));
    let asked: Vec<String> = kinds(host.log());
    assert_eq!(asked, ["Stat", "Read"]);
}

#[test]
fn which_file_it_is_costs_no_question_of_its_own() {
    let (mut state, host) = running();
    host.put("/output/a", b"1");
    let at = path("/output/a");
    let State { files, calls, .. } = &mut state;
    // Like a program that inspects a file.
    assert!(files.identity(calls, &at).is_ok());
    assert_eq!(files.stat(calls, &at).map(|status| status.size), Ok(1));
    assert_eq!(host.log(), ["Stat { path: \"/output/a\" }"]);
    assert!(files.identity(calls, &at).is_ok());
    assert_eq!(host.log().len(), 1, "it may be another one by now");
    // And like one that lists a directory.
    files.note_listed(Some(at.clone()));
    assert!(files.identity(calls, &at).is_ok());
    assert_eq!(host.log(), Vec::<String>::new());
    assert!(files.identity(calls, &path("/output/b")).is_err());
    assert_eq!(host.log().len(), 1);
}

#[test]
fn only_files_of_others_are_locked_by_the_host() {
    let (mut state, host) = running();
    for name in ["/output/free", "/output/locked", "/input/a"] {
        host.put(name, b"1");
    }
    assert_eq!(write(&mut state, "/tmp/locked", b"1"), Ok(()));
    assert_eq!(read(&mut state, "/input/a"), Ok(b"1".to_vec()));
    let lock = |lock, test| Wanted { lock, start: 1, length: 2, test };
    let mut locked = |name, wanted| {
        let handle = open(&mut state, name, READ).expect("it is there");
        host.log();
        (state.files.lock(&mut state.calls, &handle, wanted), host.log().len())
    };
    assert_eq!(locked("/tmp/locked", lock(Lock::Exclusive, false)), (Ok(true), 0));
    assert_eq!(locked("/output/free", lock(Lock::Exclusive, false)), (Ok(true), 1));
    assert_eq!(locked("/output/locked", lock(Lock::Shared, false)), (Ok(false), 1));
    assert_eq!(locked("/output/locked", lock(Lock::Unlock, false)), (Ok(true), 1));
    assert_eq!(locked("/input/a", lock(Lock::Exclusive, false)), (Err(FileError::ReadOnly), 0));
    assert_eq!(locked("/input/a", lock(Lock::Exclusive, true)), (Ok(true), 1));
    assert_eq!(locked("/input/a", lock(Lock::Shared, false)), (Ok(true), 1));
    assert_eq!(kind(&mut state, "/input/a"), Ok(Kind::File));
    assert_eq!(host.log().len(), 1, "a program that locks a file expects changes, on read-only mounts too");
}

#[test]
fn what_may_have_changed_is_not_believed() {
    let (mut state, host) = running();
    host.put("/output/log", b"1");
    let opened = open(&mut state, "/output/log", READ).expect("it is there");
    assert_eq!(state.files.read(&mut state.calls, &opened, 0, 10), Ok(b"1".to_vec()));
    let append = OpenOptions { write: true, ..READ };
    let other = open(&mut state, "/output/log", append).expect("it is there");
    assert_eq!(state.files.write(&mut state.calls, &other, None, b"2"), Ok(()));
    assert_eq!(state.files.read(&mut state.calls, &opened, 1, 10), Ok(b"2".to_vec()));
    host.put("/output/log", b"123");
    assert_eq!(state.files.read(&mut state.calls, &opened, 2, 10), Ok(Vec::new()), "good once");
    assert_eq!(state.files.read(&mut state.calls, &opened, 2, 10), Ok(b"3".to_vec()), "and no more");
    assert_eq!(state.files.status(&mut state.calls, &opened).map(|status| status.size), Ok(3));
    assert_eq!(state.call_tool("echo", "{}"), Ok("{}".into()));
    host.put("/output/log", b"");
    assert_eq!(state.files.status(&mut state.calls, &opened).map(|status| status.size), Ok(0));
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
    assert_eq!(state.files.write(&mut state.calls, &handle, None, b"end"), Ok(()));
    assert_eq!(read(&mut state, "/output/long").map(|bytes| bytes.len()), Ok(long.len() + 3));
}

#[test]
fn a_program_begins_where_it_can_write_without_a_question() {
    let (mut state, host) = running();
    let State { files, calls, .. } = &mut state;
    assert_eq!(files.working_directory(calls), "/output");
    assert_eq!(kind(&mut state, "/output"), Ok(Kind::Directory));
    assert_eq!(host.log(), Vec::<String>::new());
}
