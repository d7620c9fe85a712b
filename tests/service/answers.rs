//! Calls that wait for answers of the caller.

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::{Server, text};

const ASKING: &str = "a = call_tool('ask', question='how many?')\nb = call_tool('ask', question='really?')\n[a, b]";

fn tools() -> Value {
    json!([{ "name": "ask", "description": "Asks a person", "input_schema": {
        "type": "object", "properties": { "question": { "type": "string" } }, "required": ["question"]
    } }])
}

fn answer(server: &Server, run: &str, answers: Value) -> crate::server::Reply {
    server.post(&format!("{run}/answers"), json!({ "answers": answers }))
}

/// Answers the only call of a run once it waits.
fn answer_next(server: &Server, run: &str, answer_with: Value) {
    loop {
        let found = server.get(run).expect(200);
        let calls = found["calls"].as_array().expect("a list");
        assert!(found["ended_at"].is_null(), "{found}");
        if let [call] = calls.as_slice() {
            assert_eq!(text(call, "target"), "ask");
            answer(server, run, json!({ call["id"].to_string(): answer_with })).expect(202);
            return;
        }
    }
}

#[host_test]
fn a_program_in_a_context_waits_for_its_caller() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "tools": tools() }));
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": ASKING }));
    answer_next(&server, &run, json!({ "value": 5 }));
    // The first answer has been taken; the second call has another number.
    loop {
        let found = server.get(&run).expect(200);
        if found["calls"][0]["arguments"]["question"] == "really?" {
            break;
        }
    }
    let wrong = answer(&server, &run, json!({ "99": { "value": 1 } }));
    assert!(wrong.failure(409).contains("no call 99"), "{wrong:?}");
    let wrong = answer(&server, &run, json!({ "2": "approve" }));
    assert!(wrong.failure(400).contains("does not ask for that"), "{wrong:?}");
    answer_next(&server, &run, json!({ "value": "yes" }));
    assert_eq!(server.ended(&run)["result"]["value"], json!([5, "yes"]));
    assert!(answer(&server, &run, json!({ "1": { "value": 1 } })).failure(409).contains("does not wait"));
}

#[host_test]
fn an_error_of_the_caller_is_an_exception_of_the_program() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "tools": tools() }));
    let code =
        "try:\n    call_tool('ask', question='?')\nexcept Exception as error:\n    message = str(error)\nmessage";
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    answer_next(&server, &run, json!({ "error": "no such order" }));
    let value = server.ended(&run)["result"]["value"].clone();
    assert!(value.as_str().is_some_and(|text| text.contains("no such order")), "{value}");
}

#[host_test]
fn approvals_are_asked_for() {
    let server = Server::start(&[]);
    let policy = json!({ "approval": ["ask ask"] });
    let body = json!({ "tools": tools(), "policy": policy, "approves": true });
    let sandbox = server.create(body);
    let code =
        "try:\n    value = call_tool('ask', question='?')\nexcept Exception as error:\n    value = str(error)\nvalue";
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    server.until(&run, |name, data| name == "calls" && data["calls"][0]["asks"] == "approval");
    answer_next(&server, &run, json!("approve"));
    server.until(&run, |name, data| name == "calls" && data["calls"][0]["asks"] == "result");
    answer_next(&server, &run, json!({ "value": 8 }));
    assert_eq!(server.ended(&run)["result"]["value"], 8);
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    answer_next(&server, &run, json!({ "deny": "too much" }));
    let value = server.ended(&run)["result"]["value"].clone();
    assert!(value.as_str().is_some_and(|text| text.contains("too much")), "{value}");
    // Without an approver, calls that need approval are denied.
    let sandbox = server.create(json!({ "tools": tools(), "policy": { "approval": ["ask ask"] } }));
    let value = server.value(&sandbox, code);
    assert!(value.as_str().is_some_and(|text| text.contains("approval")), "{value}");
}

#[host_test]
fn a_program_of_its_own_is_paused_and_survives_the_server() {
    let server = Server::start(&[]);
    let run = server.begin("/v1/runs", json!({ "code": ASKING, "tools": tools() }));
    let paused = server.ended(&run);
    assert_eq!((text(&paused, "state"), &paused["calls"][0]["arguments"]["question"]), ("paused", &json!("how many?")));
    server.until_no_guests();
    let server = server.killed();
    assert_eq!(server.get(&run).expect(200)["calls"], paused["calls"]);
    let id = paused["calls"][0]["id"].to_string();
    answer(&server, &run, json!({ id: { "value": 5 } })).expect(202);
    let paused = server.ended(&run);
    assert_eq!(paused["calls"][0]["arguments"]["question"], "really?", "{paused}");
    let server = server.stopped();
    let id = paused["calls"][0]["id"].to_string();
    answer(&server, &run, json!({ id: { "value": true } })).expect(202);
    assert_eq!(server.ended(&run)["result"]["value"], json!([5, true]));
}

/// A sandbox whose programs are paused while their calls wait, and one of them that waits.
fn pausing(server: &Server, code: &str) -> (String, String, Value) {
    let sandbox = server.create(json!({ "tools": tools(), "pauses": true }));
    server.value(&sandbox, "x = 1");
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
    let paused = server.ended(&run);
    assert_eq!((text(&paused, "state"), &paused["calls"][0]["asks"]), ("paused", &json!("result")), "{paused}");
    (sandbox, run, paused)
}

#[host_test]
fn a_program_in_a_context_is_paused_and_survives_the_server() {
    let server = Server::start(&[]);
    let code = "x = 2\ny = call_tool('ask', question='how many?')\nprint(x)\nz = call_tool('ask', question='really?')\n[x, y, z]";
    let (sandbox, run, paused) = pausing(&server, code);
    server.until_no_guests();
    let server = server.killed();
    assert_eq!(server.get(&run).expect(200)["calls"], paused["calls"]);
    answer_next(&server, &run, json!({ "value": 5 }));
    let paused = server.ended(&run);
    assert_eq!(paused["calls"][0]["arguments"]["question"], "really?", "{paused}");
    let server = server.stopped();
    answer_next(&server, &run, json!({ "value": true }));
    let ended = server.ended(&run);
    assert_eq!(
        (&ended["result"]["value"], &ended["result"]["stdout"]),
        (&json!([2, 5, true]), &json!("2\n")),
        "{ended}"
    );
    let server = server.killed();
    assert_eq!(server.value(&sandbox, "[x, y, z]"), json!([2, 5, true]));
    server.delete(&sandbox).expect(204);
    server.until_nothing_is_stored();
}

/// Others than who began it see its end.
#[host_test]
fn the_end_of_a_program_that_was_paused_is_stored_before_it_is_seen() {
    let mut server = Server::start(&[]);
    let sandbox = server.create(json!({ "tools": tools(), "pauses": true, "checkpoint": false }));
    for path in ["/v1/runs".to_owned(), format!("{sandbox}/runs")] {
        let mut body = json!({ "code": "call_tool('ask', question='?')" });
        if path == "/v1/runs" {
            body["tools"] = tools();
        }
        let run = format!("/v1/runs/{}", text(&server.post(&path, body).expect(202), "id"));
        answer_next(&server, &run, json!({ "value": 7 }));
        assert_eq!(text(&server.ended(&run), "state"), "succeeded");
        server = server.killed();
        assert_eq!(text(&server.get(&run).expect(200), "state"), "succeeded", "{path}");
    }
}

#[host_test]
fn a_context_is_kept_for_the_program_that_is_paused_in_it() {
    let server = Server::start(&[]);
    let (sandbox, run, _) = pausing(&server, "x = call_tool('ask', question='?')");
    let server = server.killed();
    let name = run.rsplit('/').next().unwrap();
    let expected = format!("the program {name} is paused in the context `default` until its calls are answered");
    for (path, body) in [("runs", json!({ "code": "x" })), ("snapshots", json!({})), ("fork", json!({}))] {
        let reply = server.post(&format!("{sandbox}/{path}"), body);
        // A program of a caller is answered with its run.
        let refused = if path == "runs" { reply.expect(200)["error"].to_string() } else { reply.failure(409) };
        assert!(refused.contains(&expected), "{path}: {refused}");
    }
    server.post(&format!("{sandbox}/pause"), json!({})).expect(200);
    let other = json!({ "code": "1 + 1", "context": "other" });
    assert_eq!(server.post(&format!("{sandbox}/runs"), other).expect(200)["result"]["value"], 2);
    answer_next(&server, &run, json!({ "value": 7 }));
    assert_eq!(text(&server.ended(&run), "state"), "succeeded");
    assert_eq!(server.value(&sandbox, "x"), 7);
}

#[host_test]
fn a_program_that_is_paused_in_a_context_can_be_cancelled() {
    let server = Server::start(&[]);
    let (sandbox, run, _) = pausing(&server, "x = 2\ncall_tool('ask', question='?')");
    assert_eq!(text(&server.post(&format!("{run}/cancel"), json!({})).expect(200), "state"), "cancelled");
    assert_eq!(server.value(&sandbox, "x"), 1);
    // With its context, and with its sandbox.
    let code = "x = 2\ncall_tool('ask', question='?')";
    let begin = || {
        let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": code }));
        assert_eq!(text(&server.ended(&run), "state"), "paused");
        run
    };
    let run = begin();
    server.delete(&format!("{sandbox}/contexts/default")).expect(204);
    assert_eq!(text(&server.get(&format!("{run}?wait=1m")).expect(200), "state"), "cancelled");
    let run = begin();
    server.delete(&sandbox).expect(204);
    assert_eq!(text(&server.get(&format!("{run}?wait=1m")).expect(200), "state"), "cancelled");
    server.until_nothing_is_stored();
}

#[host_test]
fn a_context_returns_to_its_state_before_a_program_that_was_paused_and_failed() {
    let server = Server::start(&[]);
    for checkpoint in [true, false] {
        let sandbox = server.create(json!({ "tools": tools(), "pauses": true, "checkpoint": checkpoint }));
        server.value(&sandbox, "x = 1");
        let body = json!({ "code": "x = call_tool('ask', question='?')\n1 / 0", "rollback_on_error": true });
        let paused = server.post(&format!("{sandbox}/runs"), body).expect(202);
        let run = format!("/v1/runs/{}", text(&paused, "id"));
        answer_next(&server, &run, json!({ "value": 7 }));
        let ended = server.ended(&run);
        assert_eq!((text(&ended, "state"), &ended["result"]["rolled_back"]), ("failed", &json!(true)), "{ended}");
        assert_eq!(server.value(&sandbox, "x"), 1);
    }
}

#[host_test]
fn a_context_returns_to_its_state_before_a_program_that_was_paused_and_cancelled() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "tools": tools(), "pauses": true, "checkpoint": false }));
    server.value(&sandbox, "x = 1");
    let run = server.begin(&format!("{sandbox}/runs"), json!({ "code": "x = 2\ncall_tool('ask', question='?')" }));
    assert_eq!(text(&server.ended(&run), "state"), "paused");
    let server = server.stopped();
    server.post(&format!("{run}/cancel"), json!({})).expect(200);
    assert_eq!(server.value(&sandbox, "x"), 1);
}

#[host_test]
fn a_program_that_cannot_be_stored_ends_instead_of_being_paused() {
    let server = Server::start(&[]);
    let sandbox = server.create(json!({ "tools": tools(), "pauses": true }));
    server.value(&sandbox, "x = 1");
    let code = "import sqlite3\nx = 2\ntable = sqlite3.connect('/workspace/table')\ntable.execute('begin exclusive')\n\
                call_tool('ask', question='?')";
    let ended = server.post(&format!("{sandbox}/runs"), json!({ "code": code })).expect(200);
    assert_eq!((text(&ended, "state"), text(&ended["error"], "type")), ("failed", "Unavailable"), "{ended}");
    assert!(text(&ended["error"], "message").contains("a lock on a file"), "{ended}");
    assert_eq!(server.value(&sandbox, "x"), 1);
}

/// More programs wait than may run at a time: none of them has a turn, and each gets one with its answer.
#[host_test]
fn paused_programs_have_no_turn() {
    let config = crate::runs::config("[service]\nconcurrent_runs = 1");
    let server = Server::start(&["--config", &config]);
    let mut runs = Vec::new();
    for _ in 0..2 {
        let sandbox = server.create(json!({ "tools": tools(), "pauses": true }));
        runs.push(server.begin(&format!("{sandbox}/runs"), json!({ "code": "call_tool('ask', question='?')" })));
        runs.push(server.begin("/v1/runs", json!({ "code": "call_tool('ask', question='?')", "tools": tools() })));
    }
    for run in &runs {
        assert_eq!(text(&server.ended(run), "state"), "paused");
    }
    for run in &runs {
        answer_next(&server, run, json!({ "value": 7 }));
    }
    for run in &runs {
        assert_eq!(server.ended(run)["result"]["value"], 7);
    }
}

#[host_test]
fn approvals_in_a_context_can_wait_as_long() {
    let server = Server::start(&[]);
    let policy = json!({ "approval": ["ask ask"] });
    let sandbox = server.create(json!({ "tools": tools(), "policy": policy, "approves": true, "pauses": true }));
    let code = json!({ "code": "x = call_tool('ask', question='?')" });
    let run = server.begin(&format!("{sandbox}/runs"), code);
    assert_eq!(server.ended(&run)["calls"][0]["asks"], "approval");
    let server = server.killed();
    answer_next(&server, &run, json!("approve"));
    assert_eq!(server.ended(&run)["calls"][0]["asks"], "result");
    answer_next(&server, &run, json!({ "value": 8 }));
    assert_eq!(text(&server.ended(&run), "state"), "succeeded");
    assert_eq!(server.value(&sandbox, "x"), 8);
}

#[host_test]
fn contexts_that_cannot_pause_programs_say_so() {
    let server = Server::start(&[]);
    for tools in [tools(), json!([])] {
        let policy = json!({ "isolation": "wasm" });
        let refused = server.post("/v1/sandboxes", json!({ "tools": tools, "policy": policy, "pauses": true }));
        assert!(refused.failure(501).contains("cannot be paused"), "{refused:?}");
    }
    assert_eq!(server.get("/v1/sandboxes").expect(200)["sandboxes"], json!([]));
}

#[host_test]
fn a_paused_program_can_be_cancelled() {
    let server = Server::start(&[]);
    let run = server.begin("/v1/runs", json!({ "code": ASKING, "tools": tools() }));
    server.ended(&run);
    assert_eq!(text(&server.post(&format!("{run}/cancel"), json!({})).expect(200), "state"), "cancelled");
    server.until_nothing_is_stored();
}
