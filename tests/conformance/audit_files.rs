//! `--audit FILE`: the contents and permissions of the file, and failures to write it.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use insta::assert_snapshot;
use isolette_tests::{host_test, isolette, transcript};
use serde_json::{Value, json};

#[host_test]
fn the_audit_file_is_appended_to_and_private() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output =
            isolette().args(["run", "--audit", "audit.jsonl"]).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", transcript(&output));
        output
    };
    let lines = || -> Vec<Value> {
        let text = fs::read_to_string(folder.path().join("audit.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    run(&["-c", "1", "--explain"]);
    assert!(!folder.path().join("audit.jsonl").exists(), "explaining leaves nothing behind");
    run(&["--input", ".", "-c", "open('/input/audit.jsonl').read()[:0]"]);
    let mode = fs::metadata(folder.path().join("audit.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let first = lines();
    assert!(
        first.iter().any(|line| line["capability"] == "files" && line["rule"] == "/input (read-only)"),
        "{first:?}"
    );
    let output = run(&["--json", "--audit-arguments", "-c", "40 + 2"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let both = lines();
    assert_eq!(both[..first.len()], first, "what was there stays");
    let last: Vec<_> = both[first.len()..].iter().map(|line| (line["record"].clone(), line["run"].clone())).collect();
    assert_eq!(last, [(json!("run-began"), report["run"].clone()), (json!("run-ended"), report["run"].clone())]);
    assert_eq!(both[first.len()]["code"], "40 + 2");
}

#[host_test]
fn an_unwritable_audit_file_stops_programs() {
    let folder = tempfile::tempdir().unwrap();
    // A full disk. The program may have run for a while when the failure is known, so it prints nothing.
    symlink("/dev/full", folder.path().join("full.jsonl")).unwrap();
    let output = isolette().args(["run", "--audit", "full.jsonl", "-c", "pass"]).current_dir(folder.path()).output();
    assert_snapshot!("audit-full", transcript(&output.unwrap()));
    let output =
        isolette().args(["run", "--audit", "no/such/folder", "-c", "print(1)"]).current_dir(folder.path()).output();
    assert_snapshot!("audit-unopened", transcript(&output.unwrap()));
}
