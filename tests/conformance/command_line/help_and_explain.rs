//! Help, `--explain`, listings of images and of the cache, and shell completions.

use insta::{assert_snapshot, with_settings};
use isolette_tests::{engines, host_test, isolette, transcript};
use serde_json::{Value, json as object};

use super::{json, path, run, stdout};

#[host_test]
fn help_of_every_command() {
    let commands: [&[&str]; 14] = [
        &[],
        &["run"],
        &["image"],
        &["image", "list"],
        &["image", "inspect"],
        &["image", "verify"],
        &["policy"],
        &["policy", "check"],
        &["policy", "show"],
        &["cache"],
        &["cache", "list"],
        &["cache", "prune"],
        &["cache", "path"],
        &["completions"],
    ];
    for command in commands {
        let output = run(&[command, &["--help"]].concat());
        assert_snapshot!(format!("help {}", command.join(" ")).trim().replace(' ', "-"), transcript(&output));
    }
}

/// Paths of images, their components and their engines differ between machines and builds.
const IMAGES: [(&str, &str); 4] = [
    (
        r"(?m)^(isolation +)((wasm|process): there are no micro-VMs: .*|microvm: this machine can run micro-VMs)$",
        "$1[engine]",
    ),
    (r"(?m)^(image +\w+ in ).*$", "$1[directory]"),
    (r"(?m)^( +).*componentize-py.*$", "$1[components]"),
    (r"from /\S+", "from [directory]"),
];

#[host_test]
fn explain_prints_the_effective_policy() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run(&["run", "--explain", "-c", "1"]);
    let host = path(folder.path());
    let provided = run(&[
        "run",
        "--explain",
        "-c",
        "1",
        "--allow",
        "GET,POST https://api.example.com/v1",
        "--allow",
        "*.example.org +private",
        "--base-url",
        "http://127.0.0.1:8080/v1/",
        "--input",
        host,
        "--mount",
        &format!("{host}:/data/models:rw"),
        "--var",
        "LIMIT=10",
        "--timeout",
        "2m",
        "--memory",
        "1GiB",
        "--isolation",
        "wasm",
    ]);
    let full = run(&["run", "--explain", "-c", "1", "--network", "full", "--output", host]);
    with_settings!({filters => IMAGES}, {
        assert_snapshot!("explain-plain", transcript(&plain));
        assert_snapshot!("explain-provided", transcript(&provided));
        assert_snapshot!("explain-full", transcript(&full));
    });
}

#[host_test]
fn explain_does_not_run_the_program() {
    let output = tempfile::tempdir().unwrap();
    let program = "open('/output/x', 'w'); print('ran')";
    let explained = run(&["run", "--explain", "-c", program, "--lang", "python", "--output", path(output.path())]);
    assert_eq!(explained.status.code(), Some(0), "{}", transcript(&explained));
    assert!(!stdout(&explained).contains("ran"));
    assert_eq!(output.path().read_dir().unwrap().count(), 0);
}

#[host_test]
fn explain_prints_json_on_request() {
    let output = run(&["run", "--explain", "--json", "-c", "1", "--allow", "GET https://api.example.com"]);
    let explanation = json(&output);
    assert_eq!(explanation["language"], "python");
    assert_eq!(explanation["isolation"]["engine"], engines::automatic().to_string());
    assert_eq!(explanation["policy"]["network"]["mode"], "allowlist");
    assert_eq!(explanation["policy"]["network"]["rules"], serde_json::json!(["GET https://api.example.com"]));
    assert_eq!(explanation["policy"]["limits"]["timeout_ms"], 30_000);
}

#[host_test]
fn images_are_listed_inspected_and_verified() {
    let list = run(&["image", "list", "--json"]);
    assert_eq!(list.status.code(), Some(0), "{}", transcript(&list));
    for language in ["python", "javascript"] {
        assert!(stdout(&list).contains(&format!("\"{language}\"")), "{}", stdout(&list));
        let inspected = run(&["image", "inspect", language]);
        for fact in ["name", "language", "abi", "guest.wasm", "sha256:"] {
            assert!(stdout(&inspected).contains(fact), "`{fact}` is missing: {}", transcript(&inspected));
        }
        assert_eq!(json(&run(&["image", "inspect", language, "--json"]))["language"], language);
        let verified = run(&["image", "verify", language]);
        assert_eq!(verified.status.code(), Some(0), "{}", transcript(&verified));
    }
}

#[host_test]
fn the_snapshot_cache_is_listed_and_pruned() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("isolette/snapshots");
    // A draft without a lock is removed at once.
    std::fs::create_dir_all(directory.join("0123.draft/data")).unwrap();
    let cache = |arguments: &[&str]| {
        let output = isolette().arg("cache").args(arguments).env("XDG_CACHE_HOME", home.path()).output().unwrap();
        assert!(output.status.success(), "{}", transcript(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(cache(&["path"]), format!("{}\n", directory.display()));
    assert_eq!(cache(&["list"]), "");
    assert_eq!(cache(&["list", "--json"]).trim(), "[]");
    assert_eq!(cache(&["prune"]), "removed 0 snapshots with 0 B\n");
    assert!(!directory.join("0123.draft").exists());
    let pruned: Value = serde_json::from_str(&cache(&["prune", "--unused-for", "0s", "--json"])).unwrap();
    assert_eq!(pruned, object!({"snapshots": 0, "bytes": 0}));
}

#[host_test]
fn shell_completions_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("base-url"), "{shell}");
    }
}
