//! Sandboxes and their contexts.

use isolette_tests::host_test;
use serde_json::json;

use crate::server::{Server, text};

#[host_test]
fn a_sandbox_keeps_its_state_until_it_is_deleted() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "name": "work", "metadata": { "conversation": "17" } }));
    assert_eq!(server.value(&sandbox, "import json\nx = 41\nopen('/workspace/a.txt', 'w').write('hello')"), 5);
    assert_eq!(server.value("/v1/sandboxes/work", "x + 1"), 42);
    assert_eq!(server.value(&sandbox, "json.dumps(open('/workspace/a.txt').read())"), "\"hello\"");
    let found = server.get(&sandbox).expect(200);
    assert_eq!((text(&found, "name"), text(&found, "state"), text(&found, "language")), ("work", "running", "python"));
    assert_eq!(found["metadata"]["conversation"], "17");
    assert_eq!(found["effective"]["policy"]["network"]["mode"], "none");
    assert!(text(&found, "explanation").contains("network     none"), "{found}");
    let listed = server.get("/v1/sandboxes").expect(200);
    assert_eq!(listed["sandboxes"].as_array().expect("a list").len(), 1);
    server.delete(&sandbox).expect(204);
    assert_eq!(server.get(&sandbox).status, 404);
    assert!(server.delete(&sandbox).failure(404).starts_with("NotFound: there is no sandbox"));
    assert_eq!(std::fs::read_dir(server.state().join("sandboxes")).expect("the folder").count(), 0);
}

#[host_test]
fn names_are_unique_and_are_checked() {
    let server = Server::start(&[]);
    server.create(json!({ "name": "work" }));
    let again = server.post("/v1/sandboxes", json!({ "name": "work" }));
    assert!(again.failure(409).starts_with("Conflict: "), "{again:?}");
    for body in [
        json!({ "name": "a/b" }),
        json!({ "name": "" }),
        json!({ "ttl": "365d" }),
        json!({ "ttl": "soon" }),
        json!({ "nane": "typo" }),
        json!({ "language": "cobol" }),
        json!({ "policy": { "network": "everything" } }),
        json!({ "policy": { "memory": "unlimited" } }),
        json!({ "tools": [{ "name": "" }] }),
    ] {
        let reply = server.post("/v1/sandboxes", body.clone());
        assert!(reply.failure(400).starts_with("InvalidArgument: "), "{body}: {reply:?}");
    }
    assert_eq!(server.post("/v1/sandboxes", json!({ "snapshot": "snap-none" })).status, 404);
    let listed = server.get("/v1/sandboxes").expect(200);
    assert_eq!(listed["sandboxes"].as_array().expect("a list").len(), 1);
}

#[host_test]
fn an_image_that_the_server_does_not_have_is_no_failure_of_the_server() {
    let server = Server::start(&[]);
    let made = server.post("/v1/sandboxes", json!({ "policy": { "image": "none" } }));
    assert!(made.failure(501).starts_with("ImageNotFound: no image for `none`"), "{made:?}");
    assert_eq!(server.get("/v1/health").expect(200)["sandboxes"], 0);
}

#[host_test]
fn contexts_share_files_and_nothing_else() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    let run = |context: &str, language: &str, code: &str| {
        let body = json!({ "code": code, "context": context, "language": language });
        let run = server.post(&format!("{sandbox}/runs"), body).expect(200);
        (text(&run, "state").to_owned(), run["result"]["value"].clone())
    };
    assert_eq!(run("one", "python", "x = 1\nopen('/workspace/f', 'w').write('from one')\nx").1, 1);
    assert_eq!(run("two", "python", "x").0, "failed");
    assert_eq!(run("js", "javascript", "globalThis.y = fs.readFileSync('/workspace/f', 'utf8'); y").1, "from one");
    assert_eq!(run("js", "javascript", "y").1, "from one");
    // The language of a context is that of its first program.
    let body = json!({ "code": "1", "context": "js", "language": "python" });
    assert_eq!(server.post(&format!("{sandbox}/runs"), body).status, 409);
    let made = server.post(&format!("{sandbox}/contexts"), json!({ "name": "three", "language": "javascript" }));
    assert_eq!(made.expect(201)["is_live"], false);
    assert_eq!(server.post(&format!("{sandbox}/contexts"), json!({ "name": "three" })).status, 409);
    let names: Vec<_> = server.get(&format!("{sandbox}/contexts")).expect(200)["contexts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|context| text(context, "name").to_owned())
        .collect();
    assert_eq!(names, ["js", "one", "three", "two"]);
    server.delete(&format!("{sandbox}/contexts/one")).expect(204);
    assert_eq!(run("one", "python", "x").0, "failed");
}

#[host_test]
fn a_sandbox_can_be_paused_and_goes_on() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = [1, 2]");
    assert_eq!(text(&server.post(&format!("{sandbox}/pause"), json!({})).expect(200), "state"), "paused");
    server.until_no_guests();
    assert_eq!(server.value(&sandbox, "x"), json!([1, 2]));
    server.post(&format!("{sandbox}/pause"), json!({})).expect(200);
    assert_eq!(text(&server.post(&format!("{sandbox}/resume"), json!({})).expect(200), "state"), "running");
}

#[host_test]
fn a_sandbox_that_is_not_used_is_saved_and_one_whose_time_is_over_is_deleted() {
    let server = Server::start(&[]);
    let idle = server.create(json!({ "idle": "100ms" }));
    server.value(&idle, "x = 'kept'");
    // The server looks every second; metrics and lists do not count as use.
    while text(&server.get(&idle).expect(200), "state") == "running" {}
    assert_eq!(server.value(&idle, "x"), "kept");
    let short = server.create(json!({ "ttl": "1s" }));
    while server.get(&short).status == 200 {}
    let longer = server.create(json!({ "ttl": "1s" }));
    let body = json!({ "ttl": "1h" }).to_string().into_bytes();
    server.send("PATCH", &longer, &[("content-type", "application/json")], Some(body)).expect(200);
    assert_eq!(server.get(&longer).status, 200);
}

#[host_test]
fn a_policy_of_the_user_is_enforced() {
    let server = Server::start(&[]);
    let policy = json!({ "memory": "64MiB", "timeout": "500ms", "limits": { "stdout": "10B" } });
    let sandbox = server.create(json!({ "policy": policy }));
    let run = server.run(&sandbox, "while True: pass");
    assert_eq!((text(&run, "state"), &run["error"]["type"]), ("failed", &json!("Timeout")), "{run}");
    let run = server.run(&sandbox, "print('x' * 100)");
    assert_eq!(run["result"]["truncated"]["stdout"], 91, "{run}");
}

#[host_test]
fn a_server_has_no_more_guests_than_it_can_watch() {
    let config = crate::runs::config("[service]\nguests = 4001");
    let mut serve = isolette_tests::isolette();
    let folder = tempfile::tempdir().expect("a folder");
    serve.args(["serve", "--isolation", "process", "--config", &config, "--state"]).arg(folder.path().join("state"));
    let output = serve.output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("`guests` is 4001, and one server can have 4000"), "{stderr}");
}

#[host_test]
fn more_sandboxes_than_guests_run_programs_at_the_same_time() {
    let config = crate::runs::config("[service]\nguests = 2\nconcurrent_runs = 8");
    let server = Server::start(&["--config", &config]);
    let sandboxes: Vec<_> = (0..6).map(|_| server.create(json!({}))).collect();
    for round in 1..=3 {
        std::thread::scope(|scope| {
            for sandbox in &sandboxes {
                let server = &server;
                scope.spawn(move || {
                    assert_eq!(server.value(sandbox, "n = globals().get('n', 0) + 1\nn"), round, "{sandbox}");
                    let fresh = server.post("/v1/runs", json!({ "code": "1 + 1" })).expect(200);
                    assert_eq!(fresh["result"]["value"], 2, "{fresh}");
                });
            }
        });
    }
    let health = server.get("/v1/health").expect(200);
    assert!(health["guests"].as_u64().is_some_and(|guests| guests <= 2), "{health}");
}
