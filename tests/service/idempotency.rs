//! Requests that are sent again with the same key.

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::{
    runs::config,
    server::{Reply, Server},
    servers::{ALICE, JSON, Replicas},
};

fn post(server: &Server, path: &str, key: &str, body: Value) -> Reply {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    server.send("POST", path, &headers, Some(body.to_string().into_bytes()))
}

#[host_test]
fn a_request_is_done_once() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 0");
    let runs = format!("{sandbox}/runs");
    let first = post(&server, &runs, "k1", json!({ "code": "x += 1\nx" }));
    let again = post(&server, &runs, "k1", json!({ "code": "x += 1\nx" }));
    assert_eq!((first.status, &first.bytes), (again.status, &again.bytes));
    assert_eq!(server.value(&sandbox, "x"), 1);
    assert_eq!(post(&server, &runs, "k2", json!({ "code": "x += 1\nx" })).expect(200)["result"]["value"], 2);
    // The same key for something else is a mistake of the caller.
    assert_eq!(post(&server, &runs, "k1", json!({ "code": "x" })).status, 422);
    assert_eq!(post(&server, "/v1/sandboxes", "k1", json!({ "code": "x += 1\nx" })).status, 422);
    assert_eq!(post(&server, &runs, "", json!({ "code": "x" })).status, 400);
}

#[host_test]
fn responses_that_are_kept_have_a_limit() {
    let config = config("[service]\nkept_response_bytes = '4KiB'");
    let server = Server::start(&["--config", &config]);
    let long = json!({ "code": "'x' * 5000" });
    post(&server, "/v1/runs", "k1", long.clone()).expect(200);
    let refused = post(&server, "/v1/runs", "k2", long.clone());
    assert!(refused.failure(429).starts_with("Busy: the responses that are kept"), "{refused:?}");
    // What was answered is repeated, and nothing else changes.
    post(&server, "/v1/runs", "k1", long.clone()).expect(200);
    server.send("POST", "/v1/runs", &[JSON], Some(long.to_string().into_bytes())).expect(200);
}

#[host_test]
fn a_sandbox_is_created_once_even_if_the_server_is_killed() {
    let server = Server::start(&[]);
    let first = post(&server, "/v1/sandboxes", "create", json!({ "name": "one" })).expect(201);
    let server = server.killed();
    let again = post(&server, "/v1/sandboxes", "create", json!({ "name": "one" })).expect(201);
    assert_eq!(first["id"], again["id"]);
}

#[host_test]
fn a_request_is_done_once_whichever_server_it_is_sent_to() {
    let mut replicas = Replicas::start(2);
    let post = |server: &Server, path: &str, body: Value| {
        let headers = [JSON, ALICE, ("idempotency-key", "once")];
        server.send("POST", path, &headers, Some(body.to_string().into_bytes()))
    };
    let made = json!({ "name": "one" });
    let first = post(&replicas.servers[0], "/v1/sandboxes", made.clone()).expect(201);
    assert_eq!(post(&replicas.servers[1], "/v1/sandboxes", made.clone()).expect(201), first);
    let other = post(&replicas.servers[1], "/v1/sandboxes", json!({ "name": "other" }));
    assert!(other.failure(422).starts_with("KeyReused: "), "{other:?}");
    // What a server has answered outlives it.
    drop(replicas.servers.remove(0));
    assert_eq!(post(&replicas.servers[0], "/v1/sandboxes", made).expect(201), first);
    let found = replicas.ask(0, "GET", "/v1/sandboxes/one", None).expect(200);
    assert_eq!(found["id"], first["id"]);
}
