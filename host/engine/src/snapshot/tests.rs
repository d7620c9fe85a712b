use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use tempfile::TempDir;

use super::{obtain::try_lock, *};

/// A snapshot that is a text, whose digest is its reverse.
#[derive(Default)]
struct Text {
    made: AtomicUsize,
    checked: AtomicUsize,
    disk_is_full: bool,
}

impl Recipe for Text {
    type Snapshot = String;
    type Error = std::convert::Infallible;

    fn make(&self) -> Result<String, Self::Error> {
        self.made.fetch_add(1, Ordering::Relaxed);
        Ok("the state of a guest".into())
    }

    fn save(&self, snapshot: &String, folder: &Path) -> Result<(), String> {
        fs::create_dir(folder.join("blobs")).unwrap();
        fs::write(folder.join("blobs/state"), snapshot).unwrap();
        if self.disk_is_full {
            return Err("no space left on device".into());
        }
        fs::write(folder.join("digest"), snapshot.chars().rev().collect::<String>()).unwrap();
        Ok(())
    }

    fn load(&self, folder: &Path, check: bool) -> Result<String, String> {
        let state = fs::read_to_string(folder.join("blobs/state")).map_err(|error| error.to_string())?;
        if check {
            self.checked.fetch_add(1, Ordering::Relaxed);
            let digest = fs::read_to_string(folder.join("digest")).map_err(|error| error.to_string())?;
            if digest.chars().rev().collect::<String>() != state {
                return Err("its digest is another".into());
            }
        }
        Ok(state)
    }
}

fn cache() -> (TempDir, SnapshotCache) {
    let folder = tempfile::tempdir().unwrap();
    let cache = SnapshotCache::at(folder.path().join("snapshots"));
    (folder, cache)
}

fn key() -> Key {
    Key::new([("image", "python".into()), ("hypervisor", "kvm".into())])
}

fn entry(cache: &SnapshotCache) -> PathBuf {
    cache.directory().join(key().id())
}

fn obtain(cache: &SnapshotCache, recipe: &Text) -> Origin {
    let (snapshot, origin) = cache.obtain(&key(), recipe).unwrap();
    assert_eq!(snapshot, "the state of a guest");
    origin
}

#[test]
fn it_is_made_once() {
    let (_folder, cache) = cache();
    let recipe = Text::default();
    assert_eq!(obtain(&cache, &recipe), Origin::Made(None));
    assert_eq!(obtain(&cache, &recipe), Origin::Disk);
    assert_eq!(recipe.made.into_inner(), 1);
    assert_eq!(recipe.checked.into_inner(), 0, "digests are compared only if a file has changed");
    let listed = cache.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, key().id());
    assert_eq!(listed[0].facts["image"], "python");
    assert_eq!(listed[0].bytes, 2 * "the state of a guest".len() as u64);
    assert_eq!(fs::metadata(cache.directory()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn concurrent_requests_make_it_once() {
    let (_folder, cache) = cache();
    let recipe = Text::default();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| obtain(&cache, &recipe));
        }
    });
    assert_eq!(recipe.made.into_inner(), 1);
}

#[test]
fn another_key_is_another_snapshot() {
    let (_folder, cache) = cache();
    let recipe = Text::default();
    obtain(&cache, &recipe);
    let other = Key::new([("image", "python".into()), ("hypervisor", "mshv".into())]);
    assert_eq!(cache.obtain(&other, &recipe).unwrap().1, Origin::Made(None));
    assert_eq!(cache.list().unwrap().len(), 2);
}

#[test]
fn versions_that_share_a_cache_have_separate_entries() {
    let (_folder, cache) = cache();
    let recipe = Text::default();
    let version = |number: &str| Key::new([("image", "python".into()), ("settings", format!("engine {number}"))]);
    for (number, origin) in
        [("1", Origin::Made(None)), ("2", Origin::Made(None)), ("1", Origin::Disk), ("2", Origin::Disk)]
    {
        assert_eq!(cache.obtain(&version(number), &recipe).unwrap().1, origin, "version {number}");
    }
    assert_eq!(recipe.made.into_inner(), 2);
}

#[test]
fn damage_is_found_and_reported() {
    type Damage = fn(&Path);
    let kinds: [(&str, Damage); 5] = [
        ("a byte", |entry| {
            fs::write(entry.join("data/blobs/state"), "the state of a gueSt").unwrap();
            // The tick of the file system's clock in which the manifest was written may not be over.
            let state = fs::File::options().append(true).open(entry.join("data/blobs/state")).unwrap();
            state.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }),
        ("a missing file", |entry| fs::remove_file(entry.join("data/blobs/state")).unwrap()),
        ("half a file", |entry| fs::write(entry.join("data/digest"), "half").unwrap()),
        ("no description", |entry| fs::remove_file(entry.join("snapshot.json")).unwrap()),
        ("an unrelated description", |entry| fs::write(entry.join("snapshot.json"), "{\"facts\": 1}").unwrap()),
    ];
    for (what, damage) in kinds {
        let (_folder, cache) = cache();
        obtain(&cache, &Text::default());
        damage(&entry(&cache));
        let origin = obtain(&cache, &Text::default());
        let Origin::Made(Some(reason)) = origin else { panic!("{what}: {origin:?}") };
        assert!(reason.contains("is damaged"), "{what}: {reason}");
        assert_eq!(obtain(&cache, &Text::default()), Origin::Disk, "{what}");
    }
}

#[test]
fn a_copy_is_checked_once() {
    let (_folder, cache) = cache();
    let recipe = Text::default();
    obtain(&cache, &recipe);
    let state = fs::File::options().append(true).open(entry(&cache).join("data/blobs/state")).unwrap();
    state.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(obtain(&cache, &recipe), Origin::Disk);
    assert_eq!(obtain(&cache, &recipe), Origin::Disk);
    assert_eq!(recipe.checked.into_inner(), 1);
}

#[test]
fn a_full_disk_leaves_no_files() {
    let (_folder, cache) = cache();
    let recipe = Text { disk_is_full: true, ..Text::default() };
    let Origin::Memory(reason) = obtain(&cache, &recipe) else { panic!("it was written") };
    assert!(reason.contains("no space left on device"), "{reason}");
    assert!(cache.entries().unwrap().is_empty());
    assert_eq!(obtain(&cache, &Text::default()), Origin::Made(None), "the disk has space again");
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let (folder, cache) = cache();
    fs::write(cache.directory(), "a file").unwrap();
    let Origin::Memory(reason) = obtain(&cache, &Text::default()) else { panic!("it was written") };
    assert!(reason.contains(&*cache.directory().to_string_lossy()), "{reason}");
    let shared = SnapshotCache::at(folder.path().join("shared"));
    obtain(&shared, &Text::default());
    fs::set_permissions(shared.directory(), fs::Permissions::from_mode(0o777)).unwrap();
    let Origin::Memory(reason) = obtain(&shared, &Text::default()) else { panic!("it was executed") };
    assert!(reason.contains("others may write"), "{reason}");
}

#[test]
fn an_abandoned_draft_is_replaced() {
    let (_folder, cache) = cache();
    let draft = entry(&cache).with_extension("draft");
    fs::create_dir_all(draft.join("data/blobs")).unwrap();
    fs::set_permissions(cache.directory(), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(cache.list().unwrap().is_empty());
    assert_eq!(obtain(&cache, &Text::default()), Origin::Made(None));
    assert!(!draft.exists());
}

#[test]
fn pruning_removes_unused_snapshots_and_abandoned_drafts() {
    let (_folder, cache) = cache();
    obtain(&cache, &Text::default());
    let draft = cache.directory().join("0123.draft");
    fs::create_dir(&draft).unwrap();
    let held = try_lock(&draft).unwrap();
    assert_eq!(cache.prune(Duration::from_secs(3600)).unwrap(), Pruned::default());
    assert!(draft.exists(), "another process is writing it");
    drop(held);
    assert_eq!(cache.prune(Duration::from_secs(3600)).unwrap(), Pruned::default());
    assert!(!draft.exists());
    let pruned = cache.prune(Duration::ZERO).unwrap();
    assert_eq!(pruned, Pruned { snapshots: 1, bytes: 40 });
    assert!(cache.list().unwrap().is_empty());
}

#[test]
fn keys_are_equal_if_all_facts_are() {
    let key = |a: &str, b: &str| Key::new([("a", a.to_owned()), ("b", b.to_owned())]).id();
    assert_eq!(key("1", "2"), key("1", "2"));
    assert_ne!(key("1", "2"), key("12", ""));
    assert_ne!(key("1", "2"), key("2", "1"));
    assert_eq!(key("", "").len(), 32);
}

#[test]
fn a_cache_that_does_not_exist_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let cache = SnapshotCache::at(folder.path().join("none"));
    assert!(cache.list().unwrap().is_empty());
    assert_eq!(cache.prune(Duration::ZERO).unwrap(), Pruned::default());
    assert!(!cache.directory().exists());
}
