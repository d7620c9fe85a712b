//! Open files of Python whose names a program removes or replaces, and what is absent from modules about files and time.

use std::fs;

use isolette::{
    Isolation, RunOptions,
    files::{Directory, Entry, FileError, FileSystem, Kind, Status},
    policy::Access,
};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

/// A file system whose files have no identity besides their names.
struct Own(Directory);

impl FileSystem for Own {
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

    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        self.0.rename(source, target)
    }

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.0.resize(path, size)
    }
}

#[scenario(only = Python, because = "fs of JavaScript has no open files", programs = ["files/replaced_while_open"])]
fn an_open_file_keeps_its_content_on_every_kind_of_mount(case: &Case) {
    let (plain, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for directory in [&plain, &own] {
        fs::write(directory.path().join("data"), "old").unwrap();
    }
    let sandbox = case
        .builder()
        .mount(plain.path(), "/plain", Access::ReadWrite)
        .mount_file_system("own", Own(Directory::open(own.path()).unwrap()), "/own", Access::ReadWrite)
        .build()
        .unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let expected = json!(["old, added", 10, 0, "old, added", "new"]);
    assert_eq!(result.value, Some(json!({ "/plain": expected, "/own": expected, "/tmp": expected })), "{result:?}");
    for directory in [&plain, &own] {
        assert_eq!(fs::read_to_string(directory.path().join("data")).unwrap(), "new", "nothing else reaches the file");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

#[scenario(only = Python, because = "fs of JavaScript has no open files", programs = ["files/remove_while_open", "files/use_removed"])]
fn a_removed_open_file_is_part_of_a_snapshot(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("`wasm` does not save states".into()));
    }
    let output = tempfile::tempdir().unwrap();
    let sandbox = case.builder().output_dir(output.path()).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let [remove, keep_on] =
        ["files/remove_while_open", "files/use_removed"].map(|name| isolette_tests::guests::read(name, case.language));
    assert!(session.run(&remove).unwrap().success());
    let snapshot = session.snapshot().unwrap();
    for _ in 0..2 {
        assert_eq!(session.run(&keep_on).unwrap().value, Some(json!(["content", "content and more"])));
        session.restore(&snapshot).unwrap();
    }
    let mut forks = session.fork(2).unwrap();
    for fork in &mut forks {
        assert_eq!(fork.run(&keep_on).unwrap().value, Some(json!(["content", "content and more"])));
    }
    assert_eq!(fs::read_dir(output.path()).unwrap().count(), 0);
    Ok(())
}

#[scenario(only = Python, because = "the modules are those of Python")]
fn absent_functions_say_what_to_use_instead(case: &Case) {
    let sandbox = case.sandbox();
    for (program, advice) in [
        ("import signal\nsignal.alarm(1)", "hint: signal.alarm does not exist in this sandbox: nothing interrupts"),
        ("import signal\nsignal.setitimer(0, 1)", "hint: signal.setitimer does not exist in this sandbox: nothing"),
        ("import signal\nsignal.pause()", "hint: signal.pause does not exist in this sandbox: no other process"),
        ("from signal import alarm", "hint: signal.alarm does not exist in this sandbox: nothing interrupts"),
        ("from signal import pause", "hint: signal.pause does not exist in this sandbox: no other process"),
        ("import os\nos.waitpid(0, 0)", "hint: os.waitpid does not exist in this sandbox: a program is the only"),
        ("import os\nos.pipe()", "hint: os.pipe does not exist in this sandbox: there are no pipes"),
        ("import resource", "hint: resource does not exist here, since the host measures and limits a run"),
    ] {
        let error = sandbox.run(program).unwrap().error.unwrap();
        assert!(error.message.contains(advice), "{program}: {}", error.message);
    }
    for program in ["import signal\nsignal.alarms", "class A: alarm_ = 1\nA().alarm", "import os\nos.nothing"] {
        let error = sandbox.run_with(program, RunOptions::new()).unwrap().error.unwrap();
        assert!(!error.message.contains("hint: signal"), "{}", error.message);
    }
}

#[scenario(only = Python, because = "JavaScript has no SQLite", programs = ["files/database_with_log"])]
fn a_database_with_a_write_ahead_log_is_refused_with_the_reason(case: &Case) {
    let input = tempfile::tempdir().unwrap();
    // The head of a database that `PRAGMA journal_mode=WAL` made, and its one page.
    let mut page = vec![0; 4096];
    page[..28].copy_from_slice(b"SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20\x00\x00\x00\x01");
    page[28..32].copy_from_slice(&1_u32.to_be_bytes());
    page[44..48].copy_from_slice(&4_u32.to_be_bytes());
    page[56..60].copy_from_slice(&1_u32.to_be_bytes());
    page[92..96].copy_from_slice(&1_u32.to_be_bytes());
    page[100] = 13;
    page[105..107].copy_from_slice(&4096_u16.to_be_bytes());
    for name in ["plain.db", "waits.db"] {
        fs::write(input.path().join(name), &page).unwrap();
    }
    fs::write(input.path().join("waits.db-wal"), "changes").unwrap();
    let result = case.builder().input_dir(input.path()).build().unwrap().run(&case.program()).unwrap();
    let value = result.value.clone().unwrap_or_default();
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    for name in ["plain", "by URI", "as bytes"] {
        assert!(
            text(name).starts_with("OperationalError: cannot open '/input/plain.db': it has a write-ahead log"),
            "{result:?}"
        );
        assert!(
            text(name).contains("PRAGMA journal_mode=DELETE") && text(name).contains("in a writable copy"),
            "{result:?}"
        );
    }
    assert!(text("waits").contains("'/input/waits.db-wal' has changes that are not in the database yet"), "{result:?}");
    assert_eq!(value["converted"], json!([]), "{result:?}");
    assert_eq!(value["no database"], json!("DatabaseError: file is not a database"), "{result:?}");
    assert_eq!(value["journal"], json!("delete"), "{result:?}");
}
