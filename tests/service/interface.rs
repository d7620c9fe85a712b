//! The interface as a whole: its document, its metrics, and requests that fit nothing.

use std::{collections::BTreeSet, fs};

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::Server;

#[host_test]
fn the_document_of_the_interface() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json").expect(200);
    let printed = isolette_tests::isolette().args(["serve", "--print-openapi"]).output().expect("it ends");
    assert_eq!(serde_json::from_slice::<Value>(&printed.stdout).expect("JSON"), document);
    insta::assert_json_snapshot!("openapi", document);
}

/// Every property that a response has is in its schema, and every required property is in the response.
#[host_test]
fn responses_are_as_the_document_describes_them() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json").expect(200);
    let made = server.post("/v1/sandboxes", json!({ "name": "a" })).expect(201);
    check(&document, "InspectedSandbox", &made);
    let run = server.post("/v1/sandboxes/a/runs", json!({ "code": "print(1)" })).expect(200);
    check(&document, "Run", &run);
    check(&document, "RunList", &server.get("/v1/runs").expect(200));
    check(&document, "SandboxList", &server.get("/v1/sandboxes").expect(200));
    check(&document, "ContextList", &server.get("/v1/sandboxes/a/contexts").expect(200));
    check(&document, "FileList", &server.get("/v1/sandboxes/a/files").expect(200));
    check(&document, "Snapshot", &server.post("/v1/sandboxes/a/snapshots", json!({})).expect(201));
    check(&document, "SnapshotList", &server.get("/v1/snapshots").expect(200));
    check(&document, "Health", &server.get("/v1/health").expect(200));
    check(
        &document,
        "LogPart",
        &server.get(&format!("/v1/runs/{}/logs", run["id"].as_str().expect("text"))).expect(200),
    );
    check(&document, "ErrorBody", &server.get("/v1/sandboxes/none").expect(404));
}

fn check(document: &Value, schema: &str, value: &Value) {
    let found = &document["components"]["schemas"][schema];
    assert!(found.is_object(), "there is no schema {schema}");
    let (mut known, mut required) = (BTreeSet::new(), BTreeSet::new());
    collect(document, found, &mut known, &mut required);
    let present: BTreeSet<_> = value.as_object().expect("an object").keys().cloned().collect();
    assert!(present.is_subset(&known), "{schema}: {present:?} and not {known:?}");
    assert!(required.is_subset(&present), "{schema}: {required:?} and not {present:?}");
}

fn collect(document: &Value, schema: &Value, known: &mut BTreeSet<String>, required: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        return collect(document, &document["components"]["schemas"][name], known, required);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        collect(document, part, known, required);
    }
    known.extend(schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.clone()));
    required
        .extend(schema["required"].as_array().into_iter().flatten().filter_map(|key| Some(key.as_str()?.to_owned())));
}

#[host_test]
fn every_route_of_the_document_exists_and_says_what_is_missing() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json").expect(200);
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let path = path.replace('{', "none_").replace('}', "");
            let reply = server.send(&method.to_uppercase(), &path, &[], Some(b"{".to_vec()));
            assert!(
                ![404, 405, 500].contains(&reply.status) || reply.json()["error"]["type"] == "NotFound",
                "{method} {path}: {reply:?}"
            );
        }
    }
    assert!(server.get("/v1/nothing").failure(404).contains("there is no path `/v1/nothing`"));
    assert!(server.delete("/v1/health").failure(405).starts_with("NotAllowed: "));
}

#[host_test]
fn metrics_count_runs() {
    let server = Server::start(&[]);
    server.post("/v1/runs", json!({ "code": "1" })).expect(200);
    let reply = server.get("/metrics");
    let text = String::from_utf8(reply.bytes).expect("text");
    assert!(text.contains("isolette_runs_total"), "{text}");
}

#[host_test]
fn the_state_is_for_the_user_of_the_server_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Server::start(&[]);
    let mode = |path| fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode(server.state()), 0o700);
    assert_eq!(mode(server.socket()), 0o600);
}
