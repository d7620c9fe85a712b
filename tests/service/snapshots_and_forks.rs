//! Snapshots and forks of sandboxes.

use isolette_tests::host_test;
use serde_json::json;

use crate::server::{Server, text};

#[host_test]
fn forks_continue_from_the_same_state_and_do_not_affect_each_other() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1\nimport random\nopen('/workspace/f', 'w').write('base')");
    let forks = server.post(&format!("{sandbox}/fork"), json!({ "count": 3 })).expect(201);
    let forks: Vec<_> = forks["sandboxes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|fork| format!("/v1/sandboxes/{}", text(fork, "id")))
        .collect();
    assert_eq!(forks.len(), 3);
    let mut numbers = Vec::new();
    for (position, fork) in forks.iter().enumerate() {
        let code = format!("x += {position}\nopen('/workspace/f', 'a').write('-{position}')\n[x, random.random()]");
        let value = server.value(fork, &code);
        assert_eq!(value[0], position + 1);
        numbers.push(value[1].clone());
    }
    numbers.dedup();
    assert_eq!(numbers.len(), 3, "copies share random numbers");
    for (position, fork) in forks.iter().enumerate() {
        assert_eq!(server.value(fork, "open('/workspace/f').read()"), format!("base-{position}"));
    }
    assert_eq!(server.value(&sandbox, "[x, open('/workspace/f').read()]"), json!([1, "base"]));
    assert_eq!(server.post(&format!("{sandbox}/fork"), json!({ "count": 101 })).status, 400);
}

#[host_test]
fn a_snapshot_is_the_state_of_its_moment() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "language": "javascript" }));
    server.value(&sandbox, "globalThis.x = 1; fs.writeFileSync('/workspace/f', 'one'); 0");
    let taken = server.post(&format!("{sandbox}/snapshots"), json!({ "note": "first" })).expect(201);
    let snapshot = text(&taken, "id").to_owned();
    assert_eq!((&taken["files"], &taken["contexts"]), (&json!(1), &json!(["default"])));
    server
        .value(&sandbox, "x = 2; fs.writeFileSync('/workspace/f', 'two'); fs.writeFileSync('/workspace/g', 'more'); 0");
    server.post(&format!("{sandbox}/restore"), json!({ "snapshot": snapshot })).expect(200);
    assert_eq!(server.value(&sandbox, "[x, fs.readFileSync('/workspace/f', 'utf8')]"), json!([1, "one"]));
    let listed = server.get(&format!("{sandbox}/files")).expect(200);
    assert_eq!(listed["files"].as_array().map(Vec::len), Some(1));
    // Another sandbox, when the first one is gone.
    server.delete(&sandbox).expect(204);
    let server = server.killed();
    let second = server.create(json!({ "snapshot": snapshot }));
    assert_eq!(server.value(&second, "[x, fs.readFileSync('/workspace/f', 'utf8')]"), json!([1, "one"]));
    assert_eq!(server.get("/v1/snapshots").expect(200)["snapshots"][0]["note"], "first");
    server.delete(&format!("/v1/snapshots/{snapshot}")).expect(204);
    assert_eq!(server.post(&format!("{second}/restore"), json!({ "snapshot": snapshot })).status, 404);
    assert_eq!(server.value(&second, "x"), 1);
}

#[host_test]
fn what_nothing_refers_to_is_removed() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1\nopen('/workspace/f', 'w').write('base')");
    let snapshot = server.post(&format!("{sandbox}/snapshots"), json!({})).expect(201);
    server.post(&format!("{sandbox}/fork"), json!({})).expect(201);
    assert!(server.get("/v1/health").expect(200)["stored_bytes"].as_u64() > Some(1000));
    server.delete(&format!("/v1/snapshots/{}", text(&snapshot, "id"))).expect(204);
    for sandbox in server.get("/v1/sandboxes").expect(200)["sandboxes"].as_array().expect("a list") {
        server.delete(&format!("/v1/sandboxes/{}", text(sandbox, "id"))).expect(204);
    }
    server.until_nothing_is_stored();
}
