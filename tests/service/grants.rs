//! What callers with a token set in requests: field by field, each narrows what the operator grants, or is refused.

use std::collections::BTreeSet;

use isolette_tests::host_test;
use serde_json::{Map, Value, json};

use crate::{
    callers::{TCP, send},
    runs::config,
    server::{Server, text},
};

const GRANTS: &str = "[sandbox]\ntimeout = '5s'\nmemory = '96MiB'\nlanguages = ['python']\n[sandbox.profiles.short]\ntimeout = '2s'\n\
    [service]\nlongest_ttl = '1h'";

/// A value within the grants, and values beyond them with the status of the response.
type Row = (&'static str, Value, Vec<(Value, u16)>);

/// The fields of all bodies of the OpenAPI document, each as `Schema.field`.
fn rows(run: &Value, snapshot: &str) -> Vec<Row> {
    let long = || vec![(json!("6s"), 403), (json!("unlimited"), 403)];
    let beyond_the_longest = || vec![(json!("2h"), 400)];
    let other_language = || vec![(json!("javascript"), 403), (json!("typescript"), 403)];
    let policies = || {
        vec![
            (json!({ "timeout": "6s" }), 403),
            (json!({ "timeout": "unlimited" }), 403),
            (json!({ "profile": "short", "timeout": "3s" }), 403),
            (json!({ "memory": "97MiB" }), 403),
            (json!({ "languages": ["javascript"] }), 403),
            (json!({ "limits": { "cpu_time": "1h" } }), 403),
            (json!({ "network": "web" }), 403),
            (json!({ "profile": "web" }), 403),
        ]
    };
    let tool = json!([{ "name": "f", "input_schema": { "type": "object" } }]);
    vec![
        ("RunInSandbox.code", json!("1"), vec![]),
        ("RunInSandbox.context", json!("other"), vec![]),
        ("RunInSandbox.language", json!("python"), other_language()),
        ("RunInSandbox.timeout", json!("5s"), long()),
        ("RunInSandbox.variables", json!({ "x": 1 }), vec![]),
        ("RunInSandbox.filename", json!("a.py"), vec![]),
        ("RunInSandbox.rollback_on_error", json!(true), vec![]),
        ("RunInSandbox.background", json!(true), vec![]),
        ("RunFresh.code", json!("1"), vec![]),
        ("RunFresh.language", json!("python"), other_language()),
        ("RunFresh.policy", json!({ "timeout": "5s", "memory": "64MiB" }), policies()),
        ("RunFresh.tools", tool.clone(), vec![]),
        ("RunFresh.approves", json!(true), vec![]),
        ("RunFresh.timeout", json!("5s"), long()),
        ("RunFresh.variables", json!({ "x": 1 }), vec![]),
        ("RunFresh.filename", json!("a.py"), vec![]),
        ("RunFresh.background", json!(true), vec![]),
        ("CreateSandbox.name", json!("n"), vec![]),
        ("CreateSandbox.language", json!("python"), other_language()),
        ("CreateSandbox.policy", json!({ "profile": "short" }), policies()),
        ("CreateSandbox.tools", tool, vec![]),
        ("CreateSandbox.approves", json!(true), vec![]),
        ("CreateSandbox.pauses", json!(true), vec![]),
        ("CreateSandbox.metadata", json!({ "a": "b" }), vec![]),
        ("CreateSandbox.ttl", json!("1h"), beyond_the_longest()),
        ("CreateSandbox.idle", json!("1h"), beyond_the_longest()),
        ("CreateSandbox.checkpoint", json!(false), vec![]),
        ("CreateSandbox.snapshot", json!(snapshot), vec![(json!("snap_other"), 404)]),
        ("ExtendSandbox.ttl", json!("30m"), beyond_the_longest()),
        ("ExtendSandbox.idle", json!("30m"), beyond_the_longest()),
        ("CreateContext.name", json!("a"), vec![]),
        ("CreateContext.language", json!("python"), other_language()),
        ("CreateSnapshot.note", json!("note"), vec![]),
        ("Fork.count", json!(1), vec![(json!(100_000), 400)]),
        ("Restore.snapshot", json!(snapshot), vec![(json!("snap_other"), 404)]),
        ("Answers.answers", json!({ run["calls"][0]["id"].to_string(): { "value": 1 } }), vec![]),
    ]
}

/// The operations of a document by the schemas of their bodies, in JSON.
fn bodies(document: &Value) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let schema = match &schema["oneOf"] {
                Value::Array(schemas) => schemas.iter().find(|schema| schema["$ref"].is_string()).unwrap(),
                _ => schema,
            };
            if let Some(reference) = schema["$ref"].as_str() {
                let name = reference.rsplit('/').next().unwrap();
                found.push((name.to_owned(), method.to_uppercase(), path.clone()));
            }
        }
    }
    found
}

#[host_test]
fn each_field_of_each_request_is_within_the_grants() {
    let file = config(GRANTS);
    let server = Server::start(&[&TCP[..], &["--config", &file]].concat());
    let alice = |method: &str, path: &str, body: Value| send(&server, "alice-secret", method, path, body);
    let document = alice("GET", "/openapi.json", json!({})).expect(200);
    let sandbox = alice("POST", "/v1/sandboxes", json!({})).expect(201);
    let sandbox = text(&sandbox, "id");
    alice("POST", &format!("/v1/sandboxes/{sandbox}/runs"), json!({ "code": "x = 1" })).expect(200);
    let snapshot = alice("POST", &format!("/v1/sandboxes/{sandbox}/snapshots"), json!({})).expect(201);
    let tools = json!([{ "name": "f", "input_schema": { "type": "object" } }]);
    let waiting = json!({ "code": "call_tool('f')", "tools": tools });
    let run = alice("POST", "/v1/runs", waiting).expect(202);
    let rows = rows(&run, text(&snapshot, "id"));

    let bodies = bodies(&document);
    let listed: BTreeSet<String> = rows.iter().map(|(field, ..)| (*field).to_owned()).collect();
    let fields = |(schema, ..): &(String, _, _)| -> Vec<String> {
        let properties = document["components"]["schemas"][schema]["properties"].as_object().unwrap();
        properties.keys().map(|field| format!("{schema}.{field}")).collect()
    };
    let all: BTreeSet<String> = bodies.iter().flat_map(fields).collect();
    assert_eq!(listed, all, "each field has a row");

    for (field, within, beyond) in rows {
        let (schema, name) = field.split_once('.').unwrap();
        let (_, method, path) = bodies.iter().find(|(other, ..)| other == schema).unwrap();
        let path = path.replace("{sandbox}", sandbox).replace("{run}", text(&run, "id"));
        let with = |value: Value| {
            let mut body = Map::new();
            match schema {
                "RunInSandbox" | "RunFresh" => drop(body.insert("code".into(), json!("1"))),
                "CreateContext" => drop(body.insert("name".into(), json!(name))),
                _ => {}
            }
            body.insert(name.into(), value);
            Value::Object(body)
        };
        for (value, status) in beyond {
            let reply = alice(method, &path, with(value.clone()));
            assert_eq!(reply.status, status, "{field} = {value}: {}", String::from_utf8_lossy(&reply.bytes));
        }
        let reply = alice(method, &path, with(within.clone()));
        assert!(reply.status < 300, "{field} = {within}: {}", String::from_utf8_lossy(&reply.bytes));
    }
}

#[host_test]
fn programs_end_at_the_time_of_the_operator_though_it_was_longer_when_they_were_requested() {
    let file = config("[sandbox]\ntimeout = '1m'");
    let server = Server::start(&[&TCP[..], &["--config", &file]].concat());
    let alice = |server: &Server, path: &str, body| send(server, "alice-secret", "POST", path, body);
    let policy = json!({ "timeout": "50s", "memory": "256MiB" });
    let sandbox = alice(&server, "/v1/sandboxes", json!({ "policy": policy })).expect(201);
    let tools = json!([{ "name": "f", "input_schema": { "type": "object" } }]);
    let code = "call_tool('f')\nwhile True: pass";
    let run = alice(&server, "/v1/runs", json!({ "code": code, "tools": tools, "timeout": "55s" })).expect(202);
    std::fs::write(&file, "[sandbox]\ntimeout = '1s'\nmemory = '128MiB'").unwrap();
    let server = server.stopped();
    let path = format!("/v1/sandboxes/{}", text(&sandbox, "id"));
    let inspected = send(&server, "alice-secret", "GET", &path, json!({})).expect(200);
    let limits = &inspected["effective"]["policy"]["limits"];
    assert_eq!((&limits["timeout_ms"], &limits["memory"]), (&json!(1000), &json!(128 << 20)));
    let runs = format!("{path}/runs");
    let ended = alice(&server, &runs, json!({ "code": "while True: pass" })).expect(200);
    assert_eq!(ended["error"]["type"], "Timeout", "{ended}");
    let refused = alice(&server, &runs, json!({ "code": "1", "timeout": "2s" })).failure(403);
    assert!(refused.starts_with("NotPermitted: `timeout` can be 1s at most"), "{refused}");
    let path = format!("/v1/runs/{}", text(&run, "id"));
    let answers = json!({ run["calls"][0]["id"].to_string(): { "value": 1 } });
    alice(&server, &format!("{path}/answers"), json!({ "answers": answers })).expect(202);
    let ended = send(&server, "alice-secret", "GET", &format!("{path}?wait=30s"), json!({})).expect(200);
    assert_eq!(ended["error"]["type"], "Timeout", "{ended}");
    let message = text(&ended["error"], "message");
    assert!(message.contains("1s") || message.contains("1 s"), "{message}");
}
