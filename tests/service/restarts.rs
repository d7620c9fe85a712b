//! What survives the end of a server.

use isolette_tests::host_test;
use serde_json::json;

use crate::server::{Server, text};

#[host_test]
fn nothing_that_was_acknowledged_is_lost_with_a_killed_server() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "name": "work" }));
    server.value(&sandbox, "x = 41\nopen('/workspace/a.txt', 'w').write('a')\nopen('/tmp/b.txt', 'w').write('b')");
    let ended = server.begin(&format!("{sandbox}/runs"), json!({ "code": "print('out')\nx += 1\nx" }));
    assert_eq!(server.ended(&ended)["result"]["value"], 42);
    let server = server.killed();
    assert_eq!(text(&server.get("/v1/sandboxes/work").expect(200), "state"), "paused");
    assert_eq!(text(&server.get(&ended).expect(200)["result"], "stdout"), "out\n");
    assert_eq!(
        server.value(&sandbox, "[x, open('/workspace/a.txt').read(), open('/tmp/b.txt').read()]"),
        json!([42, "a", "b"])
    );
}

#[host_test]
fn a_program_that_runs_when_the_server_is_killed_is_lost_and_its_context_is_as_before() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1");
    let runs = format!("{sandbox}/runs");
    let running = server.begin(&runs, json!({ "code": "x = 2\nprint('running', flush=True)\nwhile True: pass" }));
    server.until(&running, |name, _| name == "output");
    let queued = server.begin(&runs, json!({ "code": "x" }));
    let server = server.killed();
    let lost = server.get(&running).expect(200);
    assert_eq!((text(&lost, "state"), &lost["error"]["type"]), ("lost", &json!("Lost")), "{lost}");
    // One that had not begun is begun.
    let begun = server.ended(&queued);
    assert_eq!((text(&begun, "state"), &begun["result"]["value"]), ("succeeded", &json!(1)));
}

#[host_test]
fn contexts_without_checkpoints_are_saved_by_a_server_that_is_told_to_end() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "checkpoint": false }));
    server.value(&sandbox, "x = 1");
    let server = server.stopped();
    let run = server.run(&sandbox, "print('two')\nx += 1\nx");
    assert_eq!(run["result"]["value"], 2, "{run}");
    // It is stored after the response, and is there already.
    let place = format!("/v1/runs/{}", text(&run, "id"));
    assert_eq!(text(&server.get(&place).expect(200)["result"], "stdout"), "two\n");
    let server = server.stopped();
    assert_eq!(text(&server.get(&place).expect(200)["result"], "stdout"), "two\n");
    assert_eq!(server.value(&sandbox, "x += 1\nx"), 3);
    let server = server.killed();
    assert_eq!(server.value(&sandbox, "x"), 2);
}

#[host_test]
fn a_server_that_is_told_to_end_waits_for_programs_and_then_cancels_them() {
    let config = crate::runs::config("[service]\ndrain = '1s'");
    let server = Server::start(&["--config", &config]);
    let sandbox = server.create(json!({}));
    let code = json!({ "code": "print('running', flush=True)\nwhile True: pass" });
    let run = server.begin(&format!("{sandbox}/runs"), code);
    server.until(&run, |name, _| name == "output");
    let server = server.stopped();
    assert_eq!(text(&server.get(&run).expect(200), "state"), "cancelled");
}

#[host_test]
fn two_servers_do_not_use_one_folder() {
    let server = Server::start(&[]);
    let mut second = isolette_tests::isolette();
    second.args(["serve", "--isolation", "process", "--state"]).arg(server.state());
    let output = second.output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("another server uses it"), "{stderr}");
    assert_eq!(server.get("/v1/health").status, 200);
}

#[host_test]
fn a_server_ends_when_it_is_not_used() {
    let mut server = Server::start(&["--exit-when-idle", "1s"]);
    let sandbox = server.create(json!({ "idle": "100ms" }));
    server.value(&sandbox, "x = 1");
    assert_eq!(server.wait().code(), Some(0));
    assert!(!server.socket().exists());
}
