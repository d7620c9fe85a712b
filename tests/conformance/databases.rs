//! Database locks on a mount that several sandboxes and host processes share.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use isolette::{
    Error, ExecutionResult, RunOptions, Sandbox, SandboxBuilder,
    files::{Directory, Entry, FileError, FileSystem, Kind, Status},
    policy::{Access, CallDecision, CallRequest, Mount},
};
use isolette_tests::{Case, Skipped, guests, report, scenario};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A custom file system over a directory, whose files have no identity besides their names.
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

    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        self.0.resize(path, size)
    }
}

/// Too short for the other process to release its lock.
const LITTLE: f64 = 0.2;

const LOCKED: &str = "database is locked";

fn read(program: &str) -> String {
    guests::read(&format!("databases/{program}"), isolette::Language::Python)
}

fn builder(case: &Case, folder: &TempDir, access: Access) -> SandboxBuilder {
    case.builder().mount(folder.path(), "/data", access)
}

/// The results of an attempt to read and of one to write.
fn add(sandbox: &Sandbox, timeout: f64) -> Value {
    let result = sandbox.run_with(&read("add"), RunOptions::new().variable("timeout", timeout)).unwrap();
    value(result)
}

fn value(result: ExecutionResult) -> Value {
    assert!(result.success(), "{result:?}");
    result.value.unwrap()
}

/// The results of `meanwhile`, executed while a sandbox has written and not yet committed, and the number of rows afterwards.
fn write(sandbox: SandboxBuilder, kind: &str, meanwhile: impl Fn() -> Value + Send + Sync + 'static) -> Value {
    let tool = move |_: Value| Ok::<_, String>(meanwhile());
    let sandbox = sandbox.tool_typed("meanwhile", "Does something else", tool).build().unwrap();
    value(sandbox.run_with(&read("write"), RunOptions::new().variable("kind", kind)).unwrap())
}

#[scenario(programs = ["databases/write", "databases/add"], only = Python, because = "it has SQLite")]
fn a_sandbox_waits_for_a_database_lock_of_another(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = 0;
    for (kind, reading) in [("IMMEDIATE", json!(0)), ("EXCLUSIVE", json!(LOCKED))] {
        for access in [Access::ReadWrite, Access::ReadOnly] {
            let other = builder(case, &folder, access).build().unwrap();
            let answers = write(builder(case, &folder, Access::ReadWrite), kind, move || add(&other, LITTLE));
            rows += 1;
            let reading = if reading == json!(0) { json!(rows - 1) } else { reading.clone() };
            let writing = if access == Access::ReadWrite { LOCKED } else { "attempt to write a readonly database" };
            let writing = if access == Access::ReadOnly && kind == "EXCLUSIVE" { LOCKED } else { writing };
            assert_eq!(answers, json!([[reading, writing], rows]), "{kind} {access:?}");
        }
    }
    let other = builder(case, &folder, Access::ReadWrite).build().unwrap();
    assert_eq!(add(&other, LITTLE), json!([rows, "written"]));
    // With enough time it waits, here for several attempts, and then it gets the lock.
    let (asked, times) = mpsc::channel();
    let waits = move || {
        (0..3).for_each(|_| times.recv().unwrap());
        json!("asked for in vain")
    };
    let waits = Mutex::new(waits);
    let (waiting, begun) = thread::scope(|scope| {
        let (begin, begun) = mpsc::channel();
        let begin = Mutex::new(begin);
        let writer = scope.spawn(|| {
            write(builder(case, &folder, Access::ReadWrite), "EXCLUSIVE", move || {
                begin.lock().unwrap().send(()).unwrap();
                (waits.lock().unwrap())()
            })
        });
        begun.recv().unwrap();
        let note = move |call: &CallRequest| {
            if call.operation == "lock" {
                let _ = asked.send(());
            }
            CallDecision::Allow
        };
        let options = RunOptions::new().variable("timeout", 20.0).on_call(note);
        (value(other.run_with(&read("add"), options).unwrap()), writer.join().unwrap())
    });
    assert_eq!((waiting, begun[0].clone()), (json!([rows + 2, "written"]), json!("asked for in vain")));
}

#[scenario(programs = ["databases/write", "databases/add"], only = Python, because = "it has SQLite")]
fn a_database_in_a_custom_file_system_is_locked(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let mount =
        Mount::file_system("own", Own(Directory::open(folder.path()).unwrap()), "/data", Access::ReadWrite).unwrap();
    let other = case.builder().mount_from(mount.clone()).build().unwrap();
    let same = other.clone();
    let answers = write(case.builder().mount_from(mount), "EXCLUSIVE", move || add(&same, LITTLE));
    assert_eq!(answers, json!([[LOCKED, LOCKED], 1]));
    assert_eq!(add(&other, LITTLE), json!([1, "written"]));
}

#[scenario(programs = ["databases/count"], only = Python, because = "it has SQLite")]
fn concurrent_sandboxes_lose_no_database_update(case: &Case) {
    const STEPS: u64 = 20;
    const SANDBOXES: u64 = 3;
    let folder = tempfile::tempdir().unwrap();
    let begin = "import sqlite3\ndatabase = sqlite3.connect('/data/counter.db')\ndatabase.executescript('CREATE TABLE \
                 counter (value INTEGER); INSERT INTO counter VALUES (0); CREATE TABLE history (who, value)')";
    assert!(builder(case, &folder, Access::ReadWrite).build().unwrap().run(begin).unwrap().success());
    thread::scope(|scope| {
        for who in 0..SANDBOXES {
            let sandbox = builder(case, &folder, Access::ReadWrite).build().unwrap();
            let options = RunOptions::new().variable("who", who).variable("steps", STEPS);
            let options = options.timeout(Duration::from_secs(300));
            scope.spawn(move || assert_eq!(value(sandbox.run_with(&case.program(), options).unwrap()), json!("ok")));
        }
    });
    let end = "import sqlite3\ndatabase = sqlite3.connect('/data/counter.db')\n[list(database.execute(query).fetchone()) \
               for query in ('SELECT value FROM counter', 'SELECT count(DISTINCT value), max(value) FROM history')]";
    let total = STEPS * SANDBOXES;
    let result = builder(case, &folder, Access::ReadWrite).build().unwrap().run(end).unwrap();
    assert_eq!(value(result), json!([[total], [total, total]]));
}

/// The result of a host interpreter on the database.
fn native(folder: &Path, code: &str) -> Result<Command, Skipped> {
    if Command::new("python3").args(["-c", "import sqlite3"]).output().is_ok_and(|output| output.status.success()) {
        let mut command = Command::new("python3");
        command.args(["-c", code]).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        Ok(command)
    } else {
        Err(Skipped("there is no Python with SQLite".into()))
    }
}

#[scenario(programs = ["databases/write", "databases/add"], only = Python, because = "it has SQLite")]
fn a_host_process_and_a_sandbox_wait_for_database_locks(case: &Case) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().unwrap();
    let mut attempt =
        native(folder.path(), &format!("timeout = {LITTLE}\n{}print(result)", read("add").replace("/data/", "")))?;
    let attempt = move || {
        let output = attempt.output().unwrap();
        json!(String::from_utf8_lossy(&output.stdout).trim())
    };
    let attempt = Mutex::new(attempt);
    let try_it = move || (attempt.lock().unwrap())();
    let answers = write(builder(case, &folder, Access::ReadWrite), "EXCLUSIVE", try_it);
    assert_eq!(answers, json!([format!("['{LOCKED}', '{LOCKED}']"), 1]));

    let code = "import sqlite3\ndatabase = sqlite3.connect('sales.db', isolation_level=None)\n\
                database.execute('BEGIN EXCLUSIVE')\ndatabase.execute('INSERT INTO sales VALUES (2)')\n\
                print('locked', flush=True)\ninput()\ndatabase.execute('COMMIT')\nprint('committed', flush=True)";
    let mut holder = native(folder.path(), code)?.spawn().unwrap();
    let mut said = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert_eq!(said.next().unwrap().unwrap(), "locked");
    let sandbox = builder(case, &folder, Access::ReadWrite).build().unwrap();
    assert_eq!(add(&sandbox, LITTLE), json!([LOCKED, LOCKED]));
    holder.stdin.take().unwrap().write_all(b"\n").unwrap();
    assert_eq!(said.next().unwrap().unwrap(), "committed");
    assert_eq!(add(&sandbox, LITTLE), json!([2, "written"]));
    assert!(holder.wait().unwrap().success());
    Ok(())
}

#[scenario(programs = ["databases/hold", "databases/add"], only = Python, because = "it has SQLite")]
fn database_locks_end_with_their_sandbox(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let other = builder(case, &folder, Access::ReadWrite).build().unwrap();
    let holder = builder(case, &folder, Access::ReadWrite).build().unwrap();
    let hold = |for_ever: bool| RunOptions::new().variable("for_ever", for_ever);

    // Locks end with a run, even if the program did not release them. The next writer undoes uncommitted changes.
    assert!(holder.run_with(&read("hold"), hold(false)).unwrap().success());
    assert_eq!(add(&other, 0.0), json!([0, "written"]));
    let limit = case.limits().timeout.min(Duration::from_secs(4));
    let stopped = holder.run_with(&read("hold"), hold(true).timeout(limit));
    assert!(matches!(stopped, Err(Error::Timeout { .. })), "{stopped:?}");
    let since = Instant::now();
    assert_eq!(add(&other, 0.0), json!([1, "written"]), "at once");
    report::measured("ms until a database is free whose writer was stopped", since.elapsed().as_secs_f64() * 1e3);

    // The same for a run that is abandoned in a tool.
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let hang = move |_: Value| {
        let _ = held.lock().unwrap().recv();
        Ok::<_, String>(())
    };
    let hanging = builder(case, &folder, Access::ReadWrite).tool_typed("meanwhile", "Hangs", hang).build().unwrap();
    let stopped = hanging.run_with(&read("write"), RunOptions::new().variable("kind", "EXCLUSIVE").timeout(limit));
    assert!(matches!(stopped, Err(Error::Timeout { .. })), "{stopped:?}");
    assert_eq!(add(&other, 0.0), json!([2, "written"]), "at once");
    drop(release);

    // A session keeps locks between runs, until it is dropped or one of its runs is stopped.
    let mut session = holder.session().unwrap();
    assert!(session.run_with(&read("hold"), hold(false)).unwrap().success());
    assert_eq!(session.run("1 + 1").unwrap().value, Some(json!(2)));
    assert_eq!(add(&other, LITTLE), json!([LOCKED, LOCKED]));
    drop(session);
    assert_eq!(add(&other, 20.0), json!([3, "written"]));
    let mut session = holder.session().unwrap();
    assert!(session.run_with(&read("hold"), hold(false)).unwrap().success());
    let stopped = session.run_with("while True: pass", RunOptions::new().timeout(Duration::from_secs(1)));
    assert!(matches!(stopped, Err(Error::Timeout { .. })), "{stopped:?}");
    assert_eq!(add(&other, 0.0), json!([4, "written"]));
    drop(session);
}

#[scenario(programs = ["databases/names"], only = Python, because = "it has SQLite")]
fn all_paths_of_a_database_share_its_locks(case: &Case) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("sales.db"), "").unwrap();
    fs::hard_link(path("sales.db"), path("hard.db")).unwrap();
    symlink("sales.db", path("soft.db")).unwrap();
    let result = builder(case, &folder, Access::ReadWrite).build().unwrap().run(&case.program()).unwrap();
    let expected = json!({
        "the same name": [LOCKED, 2, true],
        "a hard link": [LOCKED, 4, true],
        "a symbolic link": [LOCKED, 6, true],
        "in memory": [LOCKED, 2, true],
        "another file": false,
    });
    similar_asserts::assert_eq!(expected: expected, found: value(result));
}
