//! Processes that continue in the memory of one that has loaded the image, from the user's cache.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use isolette::Isolation;
use isolette_tests::{Skipped, engines, host_test, isolette, transcript};
use serde_json::Value;

/// Runs a command with a cache. Returns what it prints and its messages.
fn command(cache: &Path, arguments: &[&str]) -> [String; 2] {
    let output = isolette().args(arguments).env("XDG_CACHE_HOME", cache).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", transcript(&output));
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Runs a program of each language. Returns the messages.
fn works(cache: &Path) -> String {
    let run = |language, code| command(cache, &["run", "--isolation", "process", "--lang", language, "--code", code]);
    let [python, said] = run("python", "import sys; sum(range(100)), len(sys.modules) > 10");
    let [javascript, more] = run("javascript", "[1, 2].map((number) => number * 2)");
    assert_eq!((&*python, &*javascript), ("[4950,true]\n", "[2,4]\n"));
    said + &more
}

fn entries(cache: &Path) -> Vec<Value> {
    let [list, _] = command(cache, &["cache", "list", "--json"]);
    serde_json::from_str::<Value>(&list).unwrap().as_array().unwrap().clone()
}

fn ids(cache: &Path) -> Vec<String> {
    let mut ids: Vec<_> = entries(cache).iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

/// The files with the memory.
fn memories(cache: &Path) -> Vec<PathBuf> {
    let folder = cache.join("isolette/snapshots");
    ids(cache).iter().map(|id| folder.join(id).join("data/memory")).collect()
}

fn is_there() -> Result<(), Skipped> {
    engines::missing(Isolation::Process).map_or(Ok(()), |reason| Err(Skipped(reason.to_owned())))
}

#[host_test]
fn the_second_process_of_an_image_starts_from_the_first() -> Result<(), Skipped> {
    is_there()?;
    let cache = tempfile::tempdir().unwrap();
    assert_eq!(works(cache.path()), "");
    let made = ids(cache.path());
    assert_eq!(made.len(), 2, "one for each image");
    assert!(entries(cache.path()).iter().all(|entry| entry["facts"]["isolation"] == "process"));
    let written: Vec<_> =
        memories(cache.path()).iter().map(|file| fs::metadata(file).unwrap().modified().unwrap()).collect();
    assert_eq!(works(cache.path()), "");
    let after: Vec<_> =
        memories(cache.path()).iter().map(|file| fs::metadata(file).unwrap().modified().unwrap()).collect();
    assert_eq!((ids(cache.path()), after), (made, written));
    // What is removed is made again.
    command(cache.path(), &["cache", "prune", "--unused-for", "0s"]);
    assert!(entries(cache.path()).is_empty());
    assert_eq!(works(cache.path()), "");
    assert_eq!(ids(cache.path()).len(), 2);
    Ok(())
}

#[host_test]
fn memory_that_was_damaged_is_made_again() -> Result<(), Skipped> {
    is_there()?;
    let cache = tempfile::tempdir().unwrap();
    assert_eq!(works(cache.path()), "");
    let damages: [fn(&mut Vec<u8>); 3] = [|bytes| bytes.fill(0), |bytes| bytes.truncate(5000), |bytes| bytes.clear()];
    for damage in damages {
        for file in memories(cache.path()) {
            let mut bytes = fs::read(&file).unwrap();
            damage(&mut bytes);
            fs::write(&file, bytes).unwrap();
        }
        let said = works(cache.path());
        let warnings: Vec<_> = said.lines().collect();
        assert_eq!(warnings.len(), 2, "{said}");
        assert!(warnings.iter().all(|line| line.starts_with("warning: a cached snapshot was unusable")), "{said}");
        assert_eq!(works(cache.path()), "");
    }
    Ok(())
}

#[host_test]
fn without_a_cache_each_process_loads_the_image() -> Result<(), Skipped> {
    is_there()?;
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("isolette/snapshots");
    fs::create_dir_all(&folder).unwrap();
    // Others may write to it.
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(works(cache.path()), "");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    Ok(())
}

#[host_test]
fn states_are_exchanged_with_processes_that_have_loaded_the_image() -> Result<(), Skipped> {
    is_there()?;
    let (with, without) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = without.path().join("isolette/snapshots");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(works(with.path()), "");
    for (first, second) in [(&with, &without), (&without, &with)] {
        let file = first.path().join("state");
        let file = file.to_str().unwrap();
        let process = ["--isolation", "process", "--lang", "python"];
        command(
            first.path(),
            &[&["run"], &process[..], &["--save", file, "--code", "import json; x = [1] * 1000"]].concat(),
        );
        let code = "json.dumps(sum(x))";
        let [sum, said] = command(second.path(), &[&["run"], &process[..], &["--from", file, "--code", code]].concat());
        assert_eq!((&*sum, &*said), ("\"1000\"\n", ""));
    }
    Ok(())
}
