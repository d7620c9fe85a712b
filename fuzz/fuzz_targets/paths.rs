//! Paths on a mount with links in every direction: the host only accesses files that the kernel finds below the directory, and
//! files outside are unchanged.

#![no_main]

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::{MetadataExt as _, symlink},
    path::Path,
    sync::{Arc, Mutex},
};

use isolette_abi::{
    decode,
    files::{Call, FileError, Kind, Lock, StatReply},
    transfer::Chunk,
};
use isolette_files::{Files, Locks, Quota};
use isolette_policy::{Access, Limits, Mount};

const GUEST: &str = "/mount";

/// The components of paths.
const PARTS: [&str; 16] = [
    "a", "b", "file", "up", "out", "loop", "root", "secret", "..", ".", "", "A", "\u{e9}", "e\u{301}", "nested",
    "a/../..",
];

/// One directory as a guest sees it.
struct Directory {
    files: Files,
    quota: Mutex<Quota>,
    locks: Locks,
}

impl Directory {
    fn new(host: &Path, limits: Limits) -> Self {
        let mount = Mount::new(host, GUEST, Access::ReadWrite).expect("the path can be a mount");
        let files = Files::new(&[mount]).expect("it can be opened");
        Self { files, quota: Mutex::new(Quota::new(Arc::new(limits))), locks: Locks::default() }
    }

    /// The encoded reply to a call of the guest.
    fn answer(&self, call: &Call<'_>) -> Vec<u8> {
        let mut quota = self.quota.lock().expect("no call panicked");
        self.files.answer(call, &mut quota, &self.locks)
    }
}

/// Creates a directory with links, and a directory outside that the host must not access.
fn build(home: &Path) -> std::io::Result<()> {
    let inside = home.join("inside");
    fs::create_dir_all(inside.join("a/b/nested"))?;
    fs::create_dir(home.join("outside"))?;
    fs::write(home.join("outside/secret"), "secret")?;
    fs::write(inside.join("file"), "inside")?;
    fs::write(inside.join("a/file"), "inside")?;
    fs::hard_link(inside.join("file"), inside.join("a/b/file"))?;
    symlink("../file", inside.join("a/up"))?;
    symlink("a/b", inside.join("b"))?;
    symlink("../outside", inside.join("out"))?;
    symlink("loop", inside.join("loop"))?;
    symlink("/", inside.join("root"))?;
    symlink(home.join("outside/secret"), inside.join("a/secret"))?;
    symlink("../../../outside", inside.join("a/b/out"))
}

fn path(bytes: &mut impl Iterator<Item = u8>) -> String {
    let length = bytes.next().unwrap_or_default() % 6;
    let parts = (0..length).map(|_| bytes.next().map_or("a", |byte| PARTS[usize::from(byte) % PARTS.len()]));
    let parts: Vec<&str> = parts.collect();
    if parts.is_empty() { GUEST.to_owned() } else { format!("{GUEST}/{}", parts.join("/")) }
}

/// Returns the metadata from the kernel, if the canonical path is below the directory.
fn found(inside: &Path, path: &str) -> Option<fs::Metadata> {
    let below = inside.join(path.strip_prefix(GUEST)?.trim_matches('/'));
    let real = fs::canonicalize(below).ok()?;
    real.starts_with(inside).then(|| fs::metadata(real).ok()).flatten()
}

fn check(directory: &Directory, inside: &Path, path: &str) {
    let stat = directory.answer(&Call::Stat { path });
    let stat: Result<StatReply, FileError> = decode(&stat).expect("a reply");
    let real = found(inside, path);
    if let Ok(StatReply { status, .. }) = stat {
        let real = real.as_ref().unwrap_or_else(|| panic!("{path:?} is not below the directory"));
        let kind = if real.is_dir() { Kind::Directory } else { Kind::File };
        assert_eq!((status.kind, status.size), (kind, real.len()), "{path:?}");
    } else if real.is_some() {
        // The host does not follow links out of the directory, and does not normalise paths.
        let inside = path.strip_prefix(GUEST).and_then(|path| path.strip_prefix('/')).unwrap_or_default();
        let plain = inside.split('/').all(|part| !matches!(part, "" | "." | ".." | "root" | "out" | "secret"));
        assert!(!plain, "{path:?} exists: {stat:?}");
    }
    let read = directory.answer(&Call::Read { path, offset: 0, length: 100 });
    if let Ok(Chunk(bytes)) = decode::<Result<Chunk<'_>, FileError>>(&read).expect("a reply") {
        assert!(!bytes.starts_with(b"secret"), "{path:?} leads outside");
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let home = tempfile::tempdir().expect("a directory");
    let real = home.path().canonicalize().expect("it is there");
    build(&real).expect("the directory is created");
    let inside = real.join("inside");
    let mut limits = Limits::default();
    (limits.file_bytes, limits.file_total_bytes, limits.file_count, limits.file_depth) = (1000, 3000, 8, 6);
    let directory = Directory::new(&inside, limits);
    let before = (size(&inside), count(&inside));
    let mut bytes = bytes.iter().copied();
    for _ in 0..24 {
        let Some(operation) = bytes.next() else { break };
        let (one, other) = (path(&mut bytes), path(&mut bytes));
        let number = bytes.next().map_or(0, |byte| u64::from(byte) * 16);
        let (one, other) = (&*one, &*other);
        match operation % 9 {
            0 => drop(directory.answer(&Call::Create { path: one, kind: Kind::File })),
            1 => drop(directory.answer(&Call::Create { path: one, kind: Kind::Directory })),
            2 => drop(directory.answer(&Call::Write { path: one, offset: Some(number), bytes: b"written" })),
            3 => drop(directory.answer(&Call::Resize { path: one, size: number })),
            4 => drop(directory.answer(&Call::Remove { path: one, kind: Kind::File })),
            5 => drop(directory.answer(&Call::Remove { path: one, kind: Kind::Directory })),
            6 => drop(directory.answer(&Call::Rename { source: one, target: other })),
            7 => drop(directory.answer(&Call::List { path: one, skip: 0 })),
            _ => {
                let lock = [Lock::Unlock, Lock::Shared, Lock::Exclusive][number as usize / 16 % 3];
                drop(directory.answer(&Call::Lock { path: one, lock, start: number, length: number, test: false }));
            }
        }
        check(&directory, &inside, one);
        check(&directory, &inside, other);
    }
    assert!(size(&inside) <= before.0 + 3000, "{} bytes, before {}", size(&inside), before.0);
    assert!(count(&inside) <= before.1 + 8, "{} files, before {}", count(&inside), before.1);
    let outside: Vec<_> = fs::read_dir(&real).expect("it is there").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(outside.len(), 2, "{outside:?}");
    assert_eq!(fs::read(real.join("outside/secret")).expect("it is there"), b"secret");
    assert_eq!(count(&real.join("outside")), 1);
});

/// Returns the size of all files, each counted once.
fn size(folder: &Path) -> u64 {
    let files = each(folder).into_iter().filter(fs::Metadata::is_file);
    files.map(|metadata| (metadata.ino(), metadata.len())).collect::<HashMap<_, _>>().into_values().sum()
}

fn count(folder: &Path) -> usize {
    each(folder).len()
}

/// Returns all entries below a directory, without following links.
fn each(folder: &Path) -> Vec<fs::Metadata> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = fs::symlink_metadata(entry.path()) else { continue };
        if metadata.is_dir() {
            all.extend(each(&entry.path()));
        }
        all.push(metadata);
    }
    all
}
