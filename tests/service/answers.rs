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
    answer_next(&server, &run, json!({ "error": "nobody is at home" }));
    let value = server.ended(&run)["result"]["value"].clone();
    assert!(value.as_str().is_some_and(|text| text.contains("nobody is at home")), "{value}");
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
    // Without somebody who approves, calls that need it are denied.
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

#[host_test]
fn a_paused_program_can_be_cancelled() {
    let server = Server::start(&[]);
    let run = server.begin("/v1/runs", json!({ "code": ASKING, "tools": tools() }));
    server.ended(&run);
    assert_eq!(text(&server.post(&format!("{run}/cancel"), json!({})).expect(200), "state"), "cancelled");
    server.until_nothing_is_stored();
}
