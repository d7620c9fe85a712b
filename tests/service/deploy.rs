//! The manifests of `deploy/`: rendered, compared with schemas and rules, and their settings given to a server.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use isolette_tests::{Skipped, agents, host_test};

use crate::{runs::config, server::Server};

/// The status of the checks where they cannot be made.
const MISSING: i32 = 77;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the workspace").to_owned()
}

#[host_test]
fn the_manifests_follow_schemas_and_rules() -> Result<(), Skipped> {
    let root = root();
    let mut python = Command::new(agents::installed_client("deploy-python/bin/python")?);
    // No caches of modules beside the sources.
    let check = python.arg("-B").arg(root.join("tests/deploy/check.py")).arg(&root);
    let output = check.output().expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(MISSING) {
        return Err(Skipped(stdout.trim().to_owned()));
    }
    assert!(output.status.success(), "{stdout}{stderr}");
    Ok(())
}

#[host_test]
fn a_server_accepts_the_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8");
    for (file, secret) in [
        ("tokens/agent", "secret-of-agent".to_owned()),
        ("tokens/prometheus", "secret-of-prometheus".to_owned()),
        ("snapshot-key/key", "5c".repeat(32)),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("it was joined")).expect("a folder");
        fs::write(path, secret).expect("a file");
    }
    let settings = fs::read_to_string(root().join("deploy/base/isolette.toml")).expect("the settings");
    let settings = config(&settings.replace("/run/isolette", place));
    let store = format!("file://{place}/objects");
    let arguments = ["--config", &settings, "--http", "127.0.0.1:0", "--shared-store", &store];
    let server = Server::start(&arguments);
    let headers = |token| [("authorization", token), ("content-type", "application/json")];
    let health = server.send("GET", "/v1/health", &headers("Bearer secret-of-agent"), None).expect(200);
    assert_eq!(health["status"], "ok", "{health}");
    let body = br#"{"code": "6 * 7"}"#.to_vec();
    let run = server.send("POST", "/v1/runs", &headers("Bearer secret-of-agent"), Some(body)).expect(200);
    assert_eq!(run["result"]["value"], 42, "{run}");
    let metrics = server.send("GET", "/metrics", &headers("Bearer secret-of-prometheus"), None);
    let metrics = String::from_utf8(metrics.bytes).expect("text");
    for metric in ["isolette_runs_live 0", "isolette_guests_live "] {
        assert!(metrics.contains(metric), "{metric} is not in {metrics}");
    }
}
