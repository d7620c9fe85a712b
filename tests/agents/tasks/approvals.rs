//! Approval of the calls of a task.

use isolette_tests::{
    brewery::{Brewery, Variant},
    host_test,
};
use serde_json::json;

use super::{Client, LONG, TASKS, identifier, value};

/// A program whose call needs approval after it became a task.
fn asking(api: &Brewery) -> (Client, String) {
    let base = api.base_url();
    let client = Client::start("task_after = '100ms'", &["--base-url", &base, "--approval", "per-call"]);
    let get = "http_get(BASE_URL + '/breweries?page=1&per_page=10')['status']";
    (client, format!("{LONG}[{get}, {get}]"))
}

#[host_test]
fn a_call_of_a_task_can_be_approved() {
    let api = Brewery::start(Variant::Plain);
    let (client, code) = asking(&api);
    let id = client.begins(&code);
    let mut names = Vec::new();
    for _ in 0..2 {
        let task = client.sees(&id, "input_required");
        let (name, request) = task["inputRequests"].as_object().and_then(|map| map.iter().next()).expect("a question");
        assert_eq!(request["method"], "elicitation/create");
        assert!(request["params"]["message"].as_str().unwrap_or_default().contains("GET"), "{request}");
        // A message that answers no question, or is not an answer, is ignored.
        client.acknowledged("tasks/update", &id, json!({ "inputResponses": { "other": { "action": "accept" } } }));
        let nonsense = client.about("tasks/update", &id, json!({ "inputResponses": { name: { "action": "maybe" } } }));
        assert_eq!(nonsense["error"]["code"], -32602, "{nonsense}");
        assert_eq!(client.get(&id)["status"], "input_required");
        let answer = json!({ "inputResponses": { name: { "action": "accept", "content": {} } } });
        client.acknowledged("tasks/update", &id, answer);
        names.push(name.clone());
    }
    assert_ne!(names[0], names[1], "no two questions of a task have one name");
    assert_eq!(value(&client.sees(&id, "completed")), &json!([200, 200]));
    let id = client.begins(&code);
    client.sees(&id, "input_required");
    client.acknowledged("tasks/update", &id, json!({ "inputResponses": { "approval-1": { "action": "decline" } } }));
    let task = client.sees(&id, "completed");
    let reported = task["result"]["structuredContent"]["error"]["message"].as_str().unwrap_or_default();
    assert!(reported.contains("the user declined"), "{task}");
    assert_eq!(api.requests().len(), 2);
}

#[host_test]
fn a_task_can_be_cancelled_while_an_approval_is_pending() {
    let api = Brewery::start(Variant::Plain);
    let (client, code) = asking(&api);
    let id = client.begins(&code);
    client.sees(&id, "input_required");
    client.acknowledged("tasks/cancel", &id, json!({}));
    client.sees(&id, "cancelled");
    let answer = json!({ "inputResponses": { "approval-1": { "action": "accept" } } });
    client.acknowledged("tasks/update", &id, answer);
    let timeout = json!({ "name": "execute_code", "arguments": { "code": code, "timeout_s": 5 } });
    let id = identifier(&client.calls(&timeout));
    client.sees(&id, "input_required");
    let task = client.sees(&id, "completed");
    assert_eq!(task["result"]["structuredContent"]["error"]["kind"], "Timeout");
    assert_eq!(api.requests(), [""; 0]);
}

#[host_test]
fn calls_of_a_task_are_denied_when_the_client_cannot_ask() {
    let api = Brewery::start(Variant::Plain);
    let (client, code) = asking(&api);
    let client = client.declares(json!({ "extensions": { TASKS: {} } }));
    let task = client.sees(&client.begins(&code), "completed");
    let reported = task["result"]["structuredContent"]["error"]["message"].as_str().unwrap_or_default();
    assert!(reported.contains("the client cannot ask for it"), "{task}");
    assert_eq!(api.requests(), [""; 0]);
}

/// A question that is asked before the call becomes a task is asked immediately; the request with the answer may become a task.
#[host_test]
fn a_whole_program_is_approved_before_it_becomes_a_task() {
    let client = Client::start("task_after = '3s'", &["--approval", "always"]);
    let mut call = json!({ "name": "execute_code", "arguments": { "code": "import time\ntime.sleep(5)\n6 * 7" } });
    let asked = client.calls(&call);
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    call["requestState"] = asked["requestState"].clone();
    call["inputResponses"] = json!({ "approval": { "action": "accept" } });
    let created = client.calls(&call);
    assert!(created["requestState"].is_null(), "{created}");
    assert_eq!(value(&client.sees(&identifier(&created), "completed")), 42);
}
