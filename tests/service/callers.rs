//! Callers with tokens: each sees its own, and can only narrow what the operator grants.

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::{
    runs::config,
    server::{Reply, Server, text},
};

pub(crate) const TCP: [&str; 6] = ["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--token", "bob=env:BOB"];

pub(crate) fn send(server: &Server, token: &str, method: &str, path: &str, body: Value) -> Reply {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.send(method, path, &headers, Some(body.to_string().into_bytes()))
}

#[host_test]
fn requests_need_a_token() {
    let server = Server::start(&TCP);
    for path in ["/v1/sandboxes", "/v1/health", "/metrics", "/openapi.json", "/nothing"] {
        let reply = server.get(path);
        assert!(reply.failure(401).starts_with("Unauthorized: "), "{path}: {reply:?}");
        assert_eq!(reply.headers["www-authenticate"], "Bearer");
        assert_eq!(send(&server, "alice-secre", "GET", path, json!({})).status, 401);
    }
    assert_eq!(send(&server, "alice-secret", "GET", "/v1/health", json!({})).status, 200);
    // For probes.
    assert_eq!(server.get("/ready").expect(200), json!({ "status": "ok" }));
    assert_eq!(server.post("/ready", json!({})).status, 401);
    assert!(!server.messages().contains("secret"), "{}", server.messages());
}

#[host_test]
fn a_caller_finds_nothing_of_another_one() {
    let server = Server::start(&TCP);
    let alice = |method: &str, path: &str, body| send(&server, "alice-secret", method, path, body);
    let bob = |method: &str, path: &str, body| send(&server, "bob-secret", method, path, body);
    let made = alice("POST", "/v1/sandboxes", json!({ "name": "work" })).expect(201);
    let sandbox = format!("/v1/sandboxes/{}", text(&made, "id"));
    let run = alice("POST", &format!("{sandbox}/runs"), json!({ "code": "x = 'private'\nprint(x)" })).expect(200);
    let run = format!("/v1/runs/{}", text(&run, "id"));
    let taken = alice("POST", &format!("{sandbox}/snapshots"), json!({})).expect(201);
    let snapshot = text(&taken, "id");
    for (method, path, body) in [
        ("GET", sandbox.clone(), json!({})),
        ("PATCH", sandbox.clone(), json!({ "ttl": "1h" })),
        ("DELETE", sandbox.clone(), json!({})),
        ("GET", "/v1/sandboxes/work".into(), json!({})),
        ("POST", format!("{sandbox}/runs"), json!({ "code": "x" })),
        ("POST", format!("{sandbox}/pause"), json!({})),
        ("POST", format!("{sandbox}/resume"), json!({})),
        ("POST", format!("{sandbox}/fork"), json!({})),
        ("POST", format!("{sandbox}/restore"), json!({ "snapshot": snapshot })),
        ("POST", format!("{sandbox}/snapshots"), json!({})),
        ("GET", format!("{sandbox}/contexts"), json!({})),
        ("DELETE", format!("{sandbox}/contexts/default"), json!({})),
        ("GET", format!("{sandbox}/files"), json!({})),
        ("GET", format!("{sandbox}/files/content?path=a"), json!({})),
        ("PUT", format!("{sandbox}/files/content?path=a"), json!({})),
        ("DELETE", format!("{sandbox}/files/content?path=a"), json!({})),
        ("GET", run.clone(), json!({})),
        ("GET", format!("{run}/logs"), json!({})),
        ("GET", format!("{run}/events"), json!({})),
        ("POST", format!("{run}/cancel"), json!({})),
        ("POST", format!("{run}/answers"), json!({ "answers": {} })),
        ("GET", format!("/v1/snapshots/{snapshot}"), json!({})),
        ("DELETE", format!("/v1/snapshots/{snapshot}"), json!({})),
        ("POST", "/v1/sandboxes".into(), json!({ "snapshot": snapshot })),
    ] {
        let reply = bob(method, &path, body);
        assert!(reply.failure(404).starts_with("NotFound: "), "{method} {path}: {reply:?}");
    }
    for (path, list) in [("/v1/sandboxes", "sandboxes"), ("/v1/runs", "runs"), ("/v1/snapshots", "snapshots")] {
        assert_eq!(bob("GET", path, json!({})).expect(200)[list], json!([]), "{path}");
        assert_ne!(alice("GET", path, json!({})).expect(200)[list], json!([]), "{path}");
    }
    // The same name is free for another caller.
    bob("POST", "/v1/sandboxes", json!({ "name": "work" })).expect(201);
    assert_eq!(alice("GET", "/v1/sandboxes/work", json!({})).expect(200)["id"], made["id"]);
}

#[host_test]
fn a_caller_cannot_widen_its_policy() {
    let file = config("[sandbox]\ntimeout = '2s'\nmemory = '64MiB'\n[sandbox.profiles.reader]\nnetwork = 'web'");
    let mut arguments = TCP.to_vec();
    arguments.extend(["--config", &file]);
    let server = Server::start(&arguments);
    let alice = |body| send(&server, "alice-secret", "POST", "/v1/sandboxes", body);
    for policy in [
        json!({ "network": "full" }),
        json!({ "network": "allowlist", "allow": ["GET https://example.com"] }),
        json!({ "mounts": [{ "host": "/", "guest": "/host" }] }),
        json!({ "input": "/etc" }),
        json!({ "secrets": { "a": { "from": "file:/etc/passwd" } } }),
        json!({ "isolation": "wasm" }),
        json!({ "image": "/tmp/x" }),
        json!({ "limits": { "stdout": "unlimited" } }),
        json!({ "approval": "never" }),
        json!({ "profile": "full" }),
        json!({ "timeout": "3s" }),
        json!({ "memory": "65MiB" }),
        json!({ "profiles": { "mine": { "network": "full" } }, "profile": "mine" }),
    ] {
        let reply = alice(json!({ "policy": policy }));
        assert!(reply.failure(403).starts_with("NotPermitted: "), "{policy}: {reply:?}");
        let run = send(&server, "alice-secret", "POST", "/v1/runs", json!({ "code": "1", "policy": policy }));
        assert_eq!(run.status, 403, "{policy}");
    }
    for policy in
        [json!({ "timeout": "1s", "memory": "32MiB" }), json!({ "profile": "reader" }), json!({ "network": "none" })]
    {
        alice(json!({ "policy": policy })).expect(201);
    }
}

#[host_test]
fn a_server_over_tcp_without_tokens_does_not_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = isolette_tests::isolette();
    command.args(["serve", "--http", "127.0.0.1:0", "--state"]).arg(folder.path().join("state"));
    let output = command.output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(102), "{stderr}");
    assert!(stderr.contains("there is no token"), "{stderr}");
}
