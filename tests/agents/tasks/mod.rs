//! Tasks: programs that continue after their call was answered. Driven by hand, as the SDKs do not support tasks yet.

mod approvals;
mod limits;

use std::{process::Command, time::Duration};

use isolette_tests::{
    agents::{self, HttpServer},
    host_test,
};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::raw_protocol;

const TASKS: &str = "io.modelcontextprotocol/tasks";

/// Longer than a call lasts in these tests.
pub(crate) const LONG: &str = "import time\ntime.sleep(1.5)\n";

/// The interval of status requests.
pub(crate) const INTERVAL: Duration = Duration::from_millis(20);

const ENDLESS: &str = "while True: pass";

/// A server, and a client with capabilities.
pub(crate) struct Client {
    pub(crate) server: HttpServer,
    pub(crate) capabilities: Value,
    _settings: NamedTempFile,
}

impl Client {
    pub(crate) fn start(settings: &str, arguments: &[&str]) -> Self {
        Self::start_with(settings, arguments, |command| command)
    }

    pub(crate) fn start_with(
        settings: &str,
        arguments: &[&str],
        set: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        let file = agents::settings(settings);
        let path = file.path().to_str().expect("UTF-8");
        let server = HttpServer::start_with(&[&["--config", path, "--timeout", "10m"], arguments].concat(), set);
        Self { server, capabilities: json!({ "extensions": { TASKS: {} }, "elicitation": {} }), _settings: file }
    }

    pub(crate) fn declares(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The whole response to a request on a connection of its own.
    fn asks(&self, method: &str, name: &str, params: &Value) -> Value {
        let body = raw_protocol::request_of(&self.capabilities, 1, method, params);
        raw_protocol::message(
            &raw_protocol::post(&self.server.url, &raw_protocol::headers(method, Some(name)), &body).1,
        )
    }

    pub(crate) fn calls(&self, params: &Value) -> Value {
        let answer = self.asks("tools/call", params["name"].as_str().expect("a tool"), params);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    fn runs(&self, code: &str) -> Value {
        self.calls(&json!({ "name": "execute_code", "arguments": { "code": code } }))
    }

    /// Runs a long program, and returns the identifier of its task.
    pub(crate) fn begins(&self, code: &str) -> String {
        identifier(&self.runs(code))
    }

    pub(crate) fn about(&self, method: &str, id: &str, more: Value) -> Value {
        let mut params = more;
        params["taskId"] = json!(id);
        self.asks(method, id, &params)
    }

    pub(crate) fn get(&self, id: &str) -> Value {
        let answer = self.about("tasks/get", id, json!({}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Requests the status until a task is in a state.
    pub(crate) fn sees(&self, id: &str, status: &str) -> Value {
        loop {
            let task = self.get(id);
            if task["status"] == status {
                return task;
            }
            assert!(matches!(task["status"].as_str(), Some("working" | "input_required")), "{task}");
            std::thread::sleep(INTERVAL);
        }
    }

    pub(crate) fn acknowledged(&self, method: &str, id: &str, more: Value) {
        let answer = self.about(method, id, more);
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    }
}

fn identifier(created: &Value) -> String {
    assert_eq!((&created["resultType"], &created["status"]), (&json!("task"), &json!("working")), "{created}");
    created["taskId"].as_str().expect("an identifier").to_owned()
}

pub(crate) fn value(task: &Value) -> &Value {
    &task["result"]["structuredContent"]["value"]
}

#[host_test]
fn a_long_run_becomes_a_task() {
    let client = Client::start("task_after = '100ms'", &[]);
    let created = client.runs(&format!("{LONG}print('done')\n6 * 7"));
    let id = identifier(&created);
    // The id gives access to the program.
    assert!(id.len() >= "task-".len() + 32, "{id} has less than 128 bits");
    // Ten minutes to run, two and five to wait, and fifteen in which the result is kept.
    assert_eq!((&created["ttlMs"], created["pollIntervalMs"].is_u64()), (&json!(32 * 60 * 1000), true), "{created}");
    let task = client.sees(&id, "completed");
    assert_eq!(value(&task), 42);
    assert_eq!(task["result"]["structuredContent"]["stdout"], "done\n");
    assert_eq!(task["result"]["isError"], false);
    // It is kept for clients that did not get the answer.
    assert_eq!(client.get(&id)["result"], task["result"]);
    assert_eq!(task["ttlMs"], created["ttlMs"]);
    let another = format!("{}x", &id[..id.len() - 1]);
    for method in ["tasks/get", "tasks/cancel", "tasks/update"] {
        let answer = client.about(method, &another, json!({ "inputResponses": {} }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

/// Only the protocol's own errors make a task fail.
#[host_test]
fn a_failed_program_is_the_result_of_its_task() {
    let client = Client::start("task_after = '100ms'", &[]);
    let task = client.sees(&client.begins(&format!("{LONG}1 / 0")), "completed");
    assert_eq!(task["result"]["isError"], true);
    assert_eq!(task["result"]["structuredContent"]["error"]["kind"], "ZeroDivisionError");
    let task = client.sees(&client.begins("import time\ntime.sleep(60)"), "working");
    assert_eq!(task["statusMessage"], "the program is running");
    let timeout = json!({ "name": "execute_code", "arguments": { "code": ENDLESS, "timeout_s": 0.5 } });
    let task = client.sees(&identifier(&client.calls(&timeout)), "completed");
    assert_eq!(task["result"]["structuredContent"]["error"]["kind"], "Timeout");
}

#[host_test]
fn a_short_run_does_not_become_a_task() {
    let client = Client::start("task_after = '10m'", &[]);
    let result = client.runs("6 * 7");
    assert_eq!((&result["resultType"], &result["structuredContent"]["value"]), (&json!("complete"), &json!(42)));
    let refused = client.calls(&json!({ "name": "execute_code", "arguments": { "code": "1", "language": "perl" } }));
    assert_eq!((&refused["resultType"], &refused["isError"]), (&json!("complete"), &json!(true)), "{refused}");
}

#[host_test]
fn clients_without_task_support_wait_for_the_result() {
    let client = Client::start("task_after = '1ms'", &[]).declares(json!({ "elicitation": {} }));
    let result = client.runs(&format!("{LONG}6 * 7"));
    assert_eq!((&result["resultType"], &result["structuredContent"]["value"]), (&json!("complete"), &json!(42)));
    for method in ["tasks/get", "tasks/cancel", "tasks/update"] {
        let answer = client.about(method, "task-of-another-client", json!({ "inputResponses": {} }));
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
    }
}

#[host_test]
fn a_running_task_can_be_cancelled() {
    let client = Client::start("task_after = '100ms'\nconcurrent_runs = 1", &[]);
    let id = client.begins(ENDLESS);
    assert_eq!(client.get(&id)["status"], "working");
    client.acknowledged("tasks/cancel", &id, json!({}));
    let task = client.sees(&id, "cancelled");
    assert_eq!(task["result"], json!(null));
    // Repeating it has no effect, and its place is free.
    client.acknowledged("tasks/cancel", &id, json!({}));
    assert_eq!(client.get(&id)["status"], "cancelled");
    assert_eq!(value(&client.sees(&client.begins(&format!("{LONG}1")), "completed")), 1);
}

#[host_test]
fn a_queued_task_can_be_cancelled() {
    let client = Client::start("task_after = '1ms'\nconcurrent_runs = 1", &[]);
    let (runs, waits) = (client.begins(ENDLESS), client.begins("1"));
    client.acknowledged("tasks/cancel", &waits, json!({}));
    client.sees(&waits, "cancelled");
    assert_eq!(client.get(&runs)["status"], "working");
}

#[host_test]
fn a_sandbox_outlives_its_task() {
    let client = Client::start("task_after = '100ms'\nprofile = 'sessions'", &[]);
    let created = client.calls(&json!({ "name": "create_sandbox", "arguments": {} }));
    let sandbox = &created["structuredContent"]["sandbox_id"];
    let run = |code: &str| {
        let arguments = json!({ "code": code, "sandbox_id": sandbox });
        client.calls(&json!({ "name": "execute_code", "arguments": arguments }))
    };
    let first = identifier(&run(&format!("{LONG}x = 41")));
    // It waits for the sandbox, like any call.
    let second = identifier(&run(&format!("{LONG}x + 1")));
    assert_eq!(value(&client.sees(&second, "completed")), 42);
    assert_eq!(client.get(&first)["status"], "completed");
}

#[host_test]
fn secrets_are_redacted_from_task_results() {
    let (secret, rule) = ("key=env:TEST_KEY", "key=https://api.example.com");
    let arguments = ["--allow", "https://api.example.com", "--secret", secret, "--secret-rule", rule];
    let client =
        Client::start_with("task_after = '100ms'", &arguments, |command| command.env("TEST_KEY", "hunter2hunter2"));
    let code = format!("{LONG}print('hunter2' * 2)\n['hunter2' * 2]");
    let task = client.sees(&client.begins(&code), "completed");
    assert!(!task.to_string().contains("hunter2hunter2"), "{task}");
    assert_eq!(value(&task), r#"["[redacted]"]"#, "{task}");
}
