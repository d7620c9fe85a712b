//! Programs: in the foreground, in the background, in guests of their own.

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::{Server, text};

#[host_test]
fn a_program_of_its_own_leaves_nothing() {
    let server = Server::start(&[]);
    let run =
        server.post("/v1/runs", json!({ "code": "x = 1\nprint('out')\nx", "variables": { "y": [1] } })).expect(200);
    assert_eq!((text(&run, "state"), &run["result"]["value"], &run["sandbox"]), ("succeeded", &json!(1), &Value::Null));
    assert_eq!(run["result"]["stdout"], "out\n");
    let run =
        server.post("/v1/runs", json!({ "code": "[y, 'x' in globals()]", "variables": { "y": [1] } })).expect(200);
    assert_eq!(run["result"]["value"], json!([[1], false]));
    let run = server.post("/v1/runs", json!({ "code": "1 +" })).expect(200);
    assert_eq!((text(&run, "state"), &run["result"]["error"]["type"]), ("failed", &json!("SyntaxError")));
    let run = server.post("/v1/runs", json!({ "code": "import sys\nsys.exit(7)" })).expect(200);
    assert_eq!((text(&run, "state"), &run["result"]["exit_code"]), ("failed", &json!(7)));
    let run = server.post("/v1/runs", json!({ "code": "({a: 1})", "language": "javascript" })).expect(200);
    assert_eq!(run["result"]["value"], json!({ "a": 1 }));
    assert_eq!(server.get("/v1/health").expect(200)["sandboxes"], 0);
    let listed = server.get("/v1/runs?limit=2").expect(200);
    assert_eq!(listed["runs"].as_array().expect("a list").len(), 2);
}

#[host_test]
fn a_program_in_the_background_goes_on_without_its_caller() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let code = "import sys, time\nfor i in range(3):\n    print('line', i, flush=True)\nprint('problem', file=sys.stderr)\n'done'";
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    let ended = server.ended(&run);
    assert_eq!((text(&ended, "state"), &ended["result"]["value"]), ("succeeded", &json!("done")));
    let log = |query: &str| server.get(&format!("{run}/logs{query}")).expect(200);
    let whole = log("?stream=stdout");
    assert_eq!((text(&whole, "data"), whole["is_complete"].as_bool()), ("line 0\nline 1\nline 2\n", Some(true)));
    assert_eq!(text(&log("?stream=stdout&offset=14"), "data"), "line 2\n");
    assert_eq!(text(&log("?stream=stderr"), "data"), "problem\n");
    assert_eq!(text(&log("?offset=1000"), "data"), "");
    assert_eq!(server.get(&format!("{run}/logs?stream=stdin")).status, 400);
    assert_eq!(server.get("/v1/runs/run_none/logs").status, 404);
}

#[host_test]
fn output_that_is_not_text_is_exact() {
    let server = Server::start(&[]);
    let code = "import sys\nsys.stdout.buffer.write(bytes([0, 255, 254, 10]))";
    let run = text(&server.post("/v1/runs", json!({ "code": code })).expect(200), "id").to_owned();
    let log = server.get(&format!("/v1/runs/{run}/logs")).expect(200);
    assert_eq!((text(&log, "encoding"), text(&log, "data"), &log["next_offset"]), ("base64", "AP/+Cg==", &json!(4)));
    let reply =
        server.send("GET", &format!("/v1/runs/{run}/logs?offset=1"), &[("accept", "application/octet-stream")], None);
    assert_eq!((reply.status, reply.bytes.as_slice()), (200, &[255, 254, 10][..]));
}

#[host_test]
fn a_run_can_be_cancelled_wherever_it_is() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let endless = json!({ "code": "x = 1\nprint('running', flush=True)\nwhile True: pass" });
    let first = server.begin(&format!("{sandbox}/runs"), endless.clone());
    let second = server.begin(&format!("{sandbox}/runs"), endless);
    server.until(&first, |name, _| name == "output");
    // The second one waits for the context.
    assert_eq!(text(&server.get(&second).expect(200), "state"), "queued");
    for run in [second, first] {
        let cancelled = server.post(&format!("{run}/cancel"), json!({})).expect(200);
        assert_eq!((text(&cancelled, "state"), &cancelled["error"]["type"]), ("cancelled", &json!("Cancelled")));
        // Once more, it has ended.
        assert_eq!(text(&server.post(&format!("{run}/cancel"), json!({})).expect(200), "state"), "cancelled");
    }
    assert_eq!(server.value(&sandbox, "1"), 1);
}

#[host_test]
fn a_failed_program_is_rolled_back_where_that_was_asked_for() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1");
    let body = json!({ "code": "x = 2\n1/0", "rollback_on_error": true });
    assert_eq!(text(&server.post(&format!("{sandbox}/runs"), body).expect(200), "state"), "failed");
    assert_eq!(server.value(&sandbox, "x"), 1);
}

#[host_test]
fn runs_beyond_the_limits_of_a_caller_are_refused_for_a_while() {
    let server = Server::start(&["--config", &config("[service]\nruns_of_caller = 2\ncontexts = 3\nsandboxes = 2")]);
    let sandbox = server.create(json!({}));
    let endless = |context: &str| json!({ "code": "print(1, flush=True)\nwhile True: pass", "context": context, "background": true });
    let runs = format!("{sandbox}/runs");
    let first = server.post(&runs, endless("a")).expect(202);
    server.post(&runs, endless("b")).expect(202);
    let refused = server.post(&runs, endless("c"));
    assert!(refused.failure(429).starts_with("Busy: 2 runs have not ended"), "{refused:?}");
    assert_eq!(refused.headers["retry-after"], "1");
    server.post(&format!("/v1/runs/{}/cancel", text(&first, "id")), json!({})).expect(200);
    server.post(&runs, endless("c")).expect(202);
    assert_eq!(server.post(&runs, endless("d")).status, 409);
    server.create(json!({}));
    assert_eq!(server.post("/v1/sandboxes", json!({})).status, 429);
}

/// A configuration file, which is kept for the server.
pub(crate) fn config(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let path = folder.join("isolette.toml");
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[host_test]
fn integers_have_all_digits_or_are_refused_with_their_place() {
    let server = Server::start(&[]);
    let run = |variables: &str, language: &str| {
        let body = format!(r#"{{"code": "n", "language": "{language}", "variables": {{"n": {variables}}}}}"#);
        server.send("POST", "/v1/runs", &[("content-type", "application/json")], Some(body.into_bytes()))
    };
    for language in ["python", "javascript"] {
        let given = "[18446744073709551615,-9223372036854775808,9007199254740993]";
        let reply = run(given, language);
        assert_eq!(reply.status, 200);
        let text = String::from_utf8(reply.bytes).expect("JSON");
        assert!(text.replace(' ', "").contains(&format!(r#""value":{given}"#)), "{text}");
        for (given, expected) in [
            ("[1,100000000000000000001]", "`variables.n[1]` is 100000000000000000001, "),
            ("{\"a\": 1e999}", "`variables.n.a` is 1e999, "),
        ] {
            let reply = run(given, language);
            let text = String::from_utf8_lossy(&reply.bytes).into_owned();
            assert!(reply.status == 400 && text.contains(expected) && text.contains("as text"), "{text}");
        }
    }
}
