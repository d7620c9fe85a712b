//! `isolette capability new`: the project that it writes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use isolette_tests::host_test;
use serde_json::Value;

use super::{isolette, json, path, run, stderr, stdout};

fn files(root: &Path, folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.is_dir() {
            files(root, &file, found);
        } else {
            found.push((file.strip_prefix(root).unwrap().to_owned(), fs::read_to_string(&file).unwrap()));
        }
    }
    found.sort();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().canonicalize().unwrap()
}

/// So that the generated crates are compiled and tested with everything else, with default and given names.
#[host_test]
fn capability_new_writes_the_committed_projects() {
    for (name, interface, there) in [
        ("weather", Some("acme:weather/forecast@1.0.0"), "examples/weather"),
        ("new-capability", None, "tests/new-capability"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join(name);
        let mut command = isolette();
        // Relative to the working directory of the shell.
        command.current_dir(root()).args(["capability", "new", path(&made), "--isolette", "."]);
        command.args(interface.iter().flat_map(|interface| ["--interface", interface]));
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), 5);
        let (mut new, mut old) = (Vec::new(), Vec::new());
        files(&made, &made, &mut new);
        files(&root().join(there), &root().join(there), &mut old);
        let sources = format!("path = {}", Value::from(path(&root().join("host/isolette"))));
        let (_, manifest) = new.iter_mut().find(|(file, _)| file == Path::new("Cargo.toml")).unwrap();
        assert!(manifest.contains(&sources), "{manifest}");
        *manifest = manifest.replace(&sources, "path = \"../../host/isolette\"");
        similar_asserts::assert_eq!(new, old);
    }
}

#[host_test]
fn capability_new_prints_json_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("weather");
    let host = root().join("host/isolette");
    let reported = json(&run(&["capability", "new", path(&made), "--isolette", path(&host), "--json"]));
    assert_eq!(reported["interface"], "acme:weather/weather@0.1.0");
    assert_eq!(reported["directory"], path(&made));
    assert_eq!(reported["isolette"], path(&host));
    let files = reported["files"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    assert!(files.iter().all(|file| Path::new(file.as_str().unwrap()).is_file()), "{files:?}");
}

#[host_test]
fn capability_new_reports_what_it_cannot_create() {
    let folder = tempfile::tempdir().unwrap();
    let root = root();
    let sources = ["--isolette", path(&root)];
    for (name, more, said) in [
        ("3d", sources, "cannot be the name"),
        ("Weather", sources, "cannot be the name"),
        ("lambda", sources, "`lambda` cannot be the name"),
        ("weather", ["--interface", "forecast"], "NAMESPACE:PACKAGE/INTERFACE"),
        ("weather", ["--isolette", path(folder.path())], "does not contain the sources"),
        ("weather", ["--isolette", "nowhere/at/all"], "cannot find nowhere/at/all"),
    ] {
        let made = folder.path().join(name);
        let output = run(&["capability", "new", path(&made), more[0], more[1]]);
        assert_eq!(output.status.code(), Some(102), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{name}: {}", stderr(&output));
    }
    let there = folder.path().join("there");
    fs::create_dir(&there).unwrap();
    let output = run(&["capability", "new", path(&there), "--isolette", path(&root)]);
    assert_eq!(output.status.code(), Some(102), "{}", stderr(&output));
    assert!(stderr(&output).contains("already exists"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "an incomplete crate is removed");
}
