//! A crate to start from.

use std::{
    fs,
    path::{Path, PathBuf},
};

use isolette_tests::host_tests;

use super::{json, path, run, stderr, stdout};

host_tests! {
    a_new_capability_is_the_example;
    what_was_made_can_be_had_as_json;
    what_cannot_be_made_is_said;
}

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

/// So that what it makes is compiled and tested with everything else.
fn a_new_capability_is_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("weather");
    let arguments =
        ["capability", "new", path(&made), "--interface", "acme:weather/forecast@1.0.0", "--isolette", "../../host"];
    let output = run(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 5);
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("examples/weather");
    let (mut new, mut old) = (Vec::new(), Vec::new());
    files(&made, &made, &mut new);
    files(&example, &example, &mut old);
    similar_asserts::assert_eq!(new, old);
}

fn what_was_made_can_be_had_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("weather");
    let told = json(&run(&["capability", "new", path(&made), "--json"]));
    assert_eq!(told["interface"], "acme:weather/weather@0.1.0");
    assert_eq!(told["directory"], path(&made));
    let files = told["files"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    assert!(files.iter().all(|file| Path::new(file.as_str().unwrap()).is_file()), "{files:?}");
}

fn what_cannot_be_made_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let there = run(&["capability", "new", path(folder.path())]);
    assert_eq!(there.status.code(), Some(102), "{}", stderr(&there));
    for (arguments, said) in [
        (vec!["capability", "new", "3d"], "cannot be the name"),
        (vec!["capability", "new", "weather", "--interface", "forecast"], "NAMESPACE:PACKAGE/INTERFACE"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(102), "{}", stderr(&output));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}
