//! The cache of snapshots, shared by processes: crashes, full and read-only disks, concurrent writers.

use std::{
    collections::BTreeSet,
    fs::{self, DirBuilder},
    mem::MaybeUninit,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use isolette::Isolation;
use isolette_tests::{Skipped, SmallDisk, engines, host_test, isolette, transcript};
use rustix::fs::inotify;
use serde_json::Value;

/// The timeout until a process writes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A cache directory, used by processes that start one after the other.
struct Cache<'a>(&'a Path);

impl Cache<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = isolette();
        command.args(arguments).env("XDG_CACHE_HOME", self.0).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(&[&["run", "--isolation", "microvm"], arguments].concat()).output().unwrap()
    }

    /// Runs a program that succeeds, and returns the messages.
    fn works(&self, arguments: &[&str]) -> String {
        let output = self.run(&[&["--code", "1 + 1"], arguments].concat());
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"2\n"[..]), "{}", transcript(&output));
        String::from_utf8(output.stderr).unwrap()
    }

    /// The same without messages.
    fn works_quietly(&self, arguments: &[&str]) {
        assert_eq!(self.works(arguments), "");
    }

    /// The same if the snapshot cannot be stored, with this reason. It is reported once, in one line.
    fn works_with_a_warning(&self, reason: &str) {
        let said = self.works(JAVASCRIPT);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("warning: the snapshot cannot be cached, so every process has to make it"), "{said}");
        assert!(said.contains(reason), "{said}");
    }

    fn snapshots(&self) -> PathBuf {
        self.0.join("isolette/snapshots")
    }

    /// The entries of `isolette cache list`.
    fn entries(&self) -> BTreeSet<String> {
        let output = self.command(&["cache", "list", "--json"]).output().unwrap();
        let list: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", transcript(&output)));
        list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
    }

    fn prune(&self, arguments: &[&str]) -> Value {
        let output = self.command(&[&["cache", "prune", "--json"], arguments].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", transcript(&output)))
    }

    /// Directories in the cache, complete or not.
    fn folders(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.snapshots()).unwrap().map(Result::unwrap);
        let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
        folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    /// Starts a process and kills it while it writes the snapshot. Returns the name of the remaining file.
    fn kill_a_writer(&self) -> String {
        DirBuilder::new().recursive(true).mode(0o700).create(self.snapshots()).unwrap();
        let drafts = appearances(&self.snapshots());
        let mut writer = self.command(&["run", "--isolation", "microvm", "--code", "1 + 1"]);
        let mut writer = writer.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let draft = loop {
            let name = drafts.recv_timeout(TIMEOUT).expect("the process comes to write the snapshot");
            if name.ends_with(".draft") {
                break name;
            }
        };
        // This is SIGKILL.
        writer.kill().unwrap();
        assert_eq!(writer.wait().unwrap().code(), None, "it was killed before it came to its end");
        assert_eq!(self.folders(), BTreeSet::from([draft.clone()]), "it was killed while it wrote");
        assert_eq!(self.entries(), BTreeSet::new(), "what it left is no snapshot");
        draft
    }
}

/// JavaScript's snapshot is the smaller one.
const JAVASCRIPT: &[&str] = &["--lang", "javascript"];

fn is_there() -> Result<(), Skipped> {
    engines::missing(Isolation::MicroVm).map_or(Ok(()), |reason| Err(Skipped(reason.to_owned())))
}

/// The names of files that are created in a directory, as it happens.
fn appearances(folder: &Path) -> mpsc::Receiver<String> {
    let watch = inotify::init(inotify::CreateFlags::CLOEXEC).unwrap();
    inotify::add_watch(&watch, folder, inotify::WatchFlags::CREATE).unwrap();
    let (sender, names) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(watch, &mut buffer);
        while let Ok(event) = events.next() {
            let name = event.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if sender.send(name).is_err() {
                break;
            }
        }
    });
    names
}

#[host_test]
fn a_killed_snapshot_writer_blocks_no_other() -> Result<(), Skipped> {
    is_there()?;
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache(folder.path());
    let draft = cache.kill_a_writer();
    cache.works_quietly(&[]);
    let entry = BTreeSet::from([draft.trim_end_matches(".draft").to_owned()]);
    assert_eq!((cache.entries(), cache.folders()), (entry.clone(), entry));
    Ok(())
}

#[host_test]
fn files_of_a_killed_snapshot_writer_are_removed() -> Result<(), Skipped> {
    is_there()?;
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache(folder.path());
    cache.kill_a_writer();
    assert_eq!(cache.prune(&[])["snapshots"], 0, "it is no snapshot");
    assert_eq!(cache.folders(), BTreeSet::new());
    Ok(())
}

#[host_test]
fn a_full_disk_below_the_snapshot_cache_is_a_warning() -> Result<(), Skipped> {
    is_there()?;
    let disk = SmallDisk::new(4 << 10)?;
    let cache = Cache(disk.path());
    cache.works_with_a_warning("No space left on device");
    assert_eq!(cache.folders(), BTreeSet::new(), "half of a snapshot only takes room");
    cache.works_with_a_warning("No space left on device");
    Ok(())
}

#[host_test]
fn a_read_only_snapshot_cache_is_a_warning() -> Result<(), Skipped> {
    is_there()?;
    let disk = SmallDisk::new(4 << 10)?;
    disk.forbid_writing()?;
    Cache(disk.path()).works_with_a_warning("Read-only file system");
    Ok(())
}

#[host_test]
fn a_read_only_snapshot_cache_is_used() -> Result<(), Skipped> {
    is_there()?;
    let disk = SmallDisk::new(256 << 10)?;
    let cache = Cache(disk.path());
    cache.works_quietly(JAVASCRIPT);
    assert_eq!(cache.entries().len(), 1);
    disk.forbid_writing()?;
    cache.works_quietly(JAVASCRIPT);
    Ok(())
}

/// Snapshots of different images and sizes are separate, and do not affect each other.
#[host_test]
fn different_snapshots_do_not_wait_for_each_other() -> Result<(), Skipped> {
    is_there()?;
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache(folder.path());
    let users: [&[&str]; 3] = [JAVASCRIPT, &["--lang", "javascript", "--memory", "512MiB"], &["--lang", "python"]];
    let mut entries = Vec::new();
    for (number, user) in users.iter().enumerate() {
        cache.works_quietly(user);
        let now = cache.entries();
        assert_eq!(now.len(), number + 1);
        entries.push(now);
    }
    let written = |entries: &BTreeSet<String>| -> Vec<_> {
        let data = |entry| fs::metadata(cache.snapshots().join(entry).join("data")).unwrap().modified().unwrap();
        entries.iter().map(data).collect()
    };
    let before = written(&entries[2]);
    for user in users {
        cache.works_quietly(user);
    }
    assert_eq!(cache.entries(), entries[2]);
    assert_eq!(written(&entries[2]), before, "none was made again");
    assert!(entries[0].is_subset(&entries[1]) && entries[1].is_subset(&entries[2]));
    Ok(())
}

#[host_test]
fn concurrent_processes_write_a_snapshot_once() -> Result<(), Skipped> {
    is_there()?;
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache(folder.path());
    DirBuilder::new().recursive(true).mode(0o700).create(cache.snapshots()).unwrap();
    let drafts = appearances(&cache.snapshots());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| cache.works_quietly(JAVASCRIPT));
        }
    });
    assert_eq!(drafts.try_iter().filter(|name| name.ends_with(".draft")).count(), 1);
    assert_eq!(cache.entries().len(), 1);
    Ok(())
}
