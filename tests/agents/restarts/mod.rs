//! What survives the end of a server that keeps state: programs that wait for approval, and tasks.

mod limits;

use std::{fs, path::PathBuf, process::Command};

use isolette_tests::{
    brewery::{Brewery, Variant},
    host_test,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tasks::{Client, LONG, value};

/// A program that writes a file, sends two requests that need approval, and writes another file.
const ASKING: &str = "
import os
open('/output/before.txt', 'w').write('before')
print('begun')
first = http_get(BASE_URL + '/breweries?page=1&per_page=10')['status']
second = http_get(BASE_URL + '/breweries?page=2&per_page=10')['status']
open('/output/after.txt', 'w').write('after')
[first, second, os.listdir('/output').__len__()]
";

struct Restarting {
    api: Brewery,
    state: TempDir,
    settings: &'static str,
    approval: &'static str,
}

impl Restarting {
    fn new(settings: &'static str, approval: &'static str) -> Self {
        let state = tempfile::tempdir().expect("a directory");
        Self { api: Brewery::start(Variant::Plain), state, settings, approval }
    }

    /// The directory, which the first server makes.
    fn directory(&self) -> PathBuf {
        self.state.path().join("state")
    }

    fn start(&self) -> Client {
        self.start_with(&["--isolation", "process"])
    }

    fn start_with(&self, more: &[&str]) -> Client {
        self.start_in(more, |command| command)
    }

    fn start_in(&self, more: &[&str], set: impl FnOnce(&mut Command) -> &mut Command) -> Client {
        let (base, directory) = (self.api.base_url(), self.directory());
        let state = directory.to_str().expect("UTF-8");
        let arguments = ["--base-url", &base, "--approval", self.approval, "--state", state];
        Client::start_with(self.settings, &[&arguments, more].concat(), set)
    }

    /// Another server in place of one that is killed.
    fn killed(&self, client: Client) -> Client {
        drop(client);
        self.start()
    }

    /// Another server in place of one that was told to end.
    fn stopped(&self, mut client: Client) -> Client {
        client.server.terminate();
        assert_eq!(client.server.wait().code(), Some(0));
        self.start()
    }

    fn files(&self, extension: &str) -> usize {
        let entries = fs::read_dir(self.directory()).expect("the directory");
        entries.flatten().filter(|entry| entry.path().extension().is_some_and(|found| found == extension)).count()
    }
}

fn asked(task: &Value) -> String {
    let (name, request) = task["inputRequests"].as_object().and_then(|map| map.iter().next()).expect("a question");
    assert!(request["params"]["message"].as_str().unwrap_or_default().contains("GET"), "{request}");
    name.clone()
}

fn accepts(client: &Client, id: &str, name: &str) {
    client.acknowledged(
        "tasks/update",
        id,
        json!({ "inputResponses": { name: { "action": "accept", "content": {} } } }),
    );
}

fn call(code: &str) -> Value {
    json!({ "name": "execute_code", "arguments": { "code": code } })
}

/// The call with the answer to its question.
fn again(call: &Value, asked: &Value, action: &str) -> Value {
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let mut call = call.clone();
    call["requestState"] = asked["requestState"].clone();
    call["inputResponses"] = json!({ "approval": { "action": action } });
    call
}

#[host_test]
fn a_task_that_waits_for_approval_survives() {
    let restarting = Restarting::new("task_after = '100ms'", "per-call");
    let client = restarting.start();
    let id = client.begins(&format!("{LONG}{ASKING}"));
    let before = client.sees(&id, "input_required");
    let client = restarting.killed(client);
    // It asks the same under the same name, and for as long as it was announced.
    let task = client.get(&id);
    for unchanged in ["status", "inputRequests", "createdAt", "ttlMs"] {
        assert_eq!(task[unchanged], before[unchanged], "{unchanged}");
    }
    accepts(&client, &id, &asked(&task));
    let first = asked(&task);
    let task = client.sees(&id, "input_required");
    assert_ne!(asked(&task), first, "no two questions of a task have one name");
    let client = restarting.stopped(client);
    accepts(&client, &id, &asked(&client.get(&id)));
    let done = client.sees(&id, "completed");
    assert_eq!(value(&done), &json!([200, 200, 2]), "{done}");
    let outcome = &done["result"]["structuredContent"];
    assert_eq!(outcome["stdout"], "begun\n");
    let paths: Vec<_> = outcome["files"].as_array().into_iter().flatten().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["/output/after.txt", "/output/before.txt"]);
    assert_eq!(restarting.api.requests().len(), 2, "no call was made twice");
    assert_eq!(restarting.files("run"), 0);
}

#[host_test]
fn a_question_in_a_response_survives() {
    let restarting = Restarting::new("tasks = 0", "per-call");
    let client = restarting.start();
    let call = call(ASKING);
    let first = client.calls(&call);
    let client = restarting.stopped(client);
    let second = client.calls(&again(&call, &first, "accept"));
    let client = restarting.killed(client);
    // A name is good for one answer.
    let repeated = client.calls(&again(&call, &first, "accept"));
    assert_eq!(repeated["structuredContent"]["error"]["kind"], "NotWaiting", "{repeated}");
    let done = client.calls(&again(&call, &second, "accept"));
    assert_eq!(done["structuredContent"]["value"], json!([200, 200, 2]), "{done}");
    assert_eq!(restarting.api.requests().len(), 2);
    let declined = client.calls(&again(&call, &client.calls(&call), "decline"));
    let message = declined["structuredContent"]["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("the user declined"), "{declined}");
    assert_eq!((restarting.files("run"), restarting.files("json")), (0, 0));
}

#[host_test]
fn a_program_that_has_not_begun_survives() {
    let restarting = Restarting::new("concurrent_runs = 1", "always");
    let client = restarting.start();
    let call = call("6 * 7");
    // None of them occupies the only place.
    let waiting: Vec<_> = (0..3).map(|_| client.calls(&call)).collect();
    let client = restarting.killed(client);
    for (response, action) in waiting.iter().zip(["accept", "decline", "accept"]) {
        let done = client.calls(&again(&call, response, action));
        let expected = if action == "accept" { json!(42) } else { json!(null) };
        assert_eq!(done["structuredContent"]["value"], expected, "{done}");
    }
}

#[host_test]
fn results_and_losses_survive() {
    let restarting = Restarting::new("task_after = '100ms'", "never");
    let client = restarting.start();
    let done = client.begins(&format!("{LONG}'done'"));
    let before = client.sees(&done, "completed");
    let cancelled = client.begins(&format!("{LONG}'cancelled'"));
    client.acknowledged("tasks/cancel", &cancelled, json!({}));
    client.sees(&cancelled, "cancelled");
    let lost = client.begins("while True: pass");
    let mut client = restarting.killed(client);
    for round in 0..2 {
        assert_eq!(client.get(&done), before, "{round}");
        assert_eq!(client.get(&cancelled)["status"], "cancelled");
        let task = client.get(&lost);
        assert_eq!(task["status"], "failed", "{task}");
        let message = task["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(message, "the server ended while the program ran; it is not known how far it came");
        client = restarting.stopped(client);
    }
}

/// What was approved under one policy is not run under another one without an answer.
#[host_test]
fn a_program_that_waits_is_not_run_because_the_policy_has_changed() {
    let mut restarting = Restarting::new("", "always");
    let client = restarting.start();
    let call = call("6 * 7");
    let responses: Vec<_> = (0..2).map(|_| client.calls(&call)).collect();
    restarting.approval = "never";
    let client = restarting.killed(client);
    let declined = client.calls(&again(&call, &responses[0], "decline"));
    assert_eq!(declined["structuredContent"]["error"]["kind"], "NotApproved", "{declined}");
    let done = client.calls(&again(&call, &responses[1], "accept"));
    assert_eq!(done["structuredContent"]["value"], 42, "{done}");
}

/// Programs that wait for approval as a whole have a limit as well, and a place is free once one is answered.
#[host_test]
fn programs_that_have_not_begun_are_limited() {
    let restarting = Restarting::new("paused_programs = 1", "always");
    let client = restarting.start();
    let call = call("6 * 7");
    let first = client.calls(&call);
    let refused = client.calls(&call);
    assert_eq!(refused["structuredContent"]["error"]["kind"], "Busy", "{refused}");
    let client = restarting.killed(client);
    assert_eq!(client.calls(&call)["structuredContent"]["error"]["kind"], "Busy");
    assert_eq!(client.calls(&again(&call, &first, "accept"))["structuredContent"]["value"], 42);
    assert_eq!(client.calls(&call)["resultType"], "input_required");
}

/// A server of another key, or without the language, does not continue the program. It does not lose it either.
#[host_test]
fn a_server_that_cannot_continue_a_program_leaves_it() {
    let restarting = Restarting::new("tasks = 0", "per-call");
    let client = restarting.start();
    let call = call(ASKING);
    let asked = client.calls(&call);
    drop(client);
    let elsewhere = tempfile::tempdir().expect("a directory");
    let process = ["--isolation", "process"];
    let client = restarting.start_in(&process, |command| command.env("XDG_STATE_HOME", elsewhere.path()));
    let answered = client.calls(&again(&call, &asked, "accept"));
    assert_eq!(answered["structuredContent"]["error"]["kind"], "NotWaiting", "{answered}");
    drop(client);
    drop(restarting.start_with(&["--isolation", "process", "--lang", "javascript"]));
    let client = restarting.start();
    let second = client.calls(&again(&call, &asked, "accept"));
    let done = client.calls(&again(&call, &second, "accept"));
    assert_eq!(done["structuredContent"]["value"], json!([200, 200, 2]), "{done}");
}

/// A result that was fetched makes room for another task after a restart as well.
#[host_test]
fn fetched_results_make_room_after_a_restart() {
    let restarting = Restarting::new("task_after = '100ms'\ntasks = 1", "never");
    let client = restarting.start();
    let fetched = client.begins(&format!("{LONG}1"));
    client.sees(&fetched, "completed");
    let client = restarting.killed(client);
    assert_eq!(value(&client.get(&fetched)), 1);
    let other = client.begins(&format!("{LONG}2"));
    assert_eq!(value(&client.sees(&other, "completed")), 2);
    let client = restarting.killed(client);
    assert_eq!(client.about("tasks/get", &fetched, json!({}))["error"]["code"], -32602);
    assert_eq!(value(&client.get(&other)), 2);
}

/// The answer is given, and the call that it permits lasts until the server is killed.
#[host_test]
fn a_program_that_has_its_answer_does_not_begin_again() {
    let restarting = Restarting::new("task_after = '100ms'", "per-call");
    let client = restarting.start();
    let get = "http_get(BASE_URL + '/breweries?page=1&per_page=10')";
    let id = client.begins(&format!("{LONG}{get}\nprint('approved')\nwhile True: pass"));
    let task = client.sees(&id, "input_required");
    accepts(&client, &id, &asked(&task));
    while restarting.api.requests().is_empty() {
        std::thread::yield_now();
    }
    let client = restarting.killed(client);
    assert_eq!(client.get(&id)["status"], "failed");
    assert_eq!((restarting.api.requests().len(), restarting.files("run")), (1, 0));
}

#[host_test]
fn a_program_in_a_file_can_be_cancelled() {
    let restarting = Restarting::new("task_after = '100ms'", "per-call");
    let client = restarting.start();
    let id = client.begins(&format!("{LONG}{ASKING}"));
    client.sees(&id, "input_required");
    let client = restarting.killed(client);
    client.acknowledged("tasks/cancel", &id, json!({}));
    client.sees(&id, "cancelled");
    let client = restarting.killed(client);
    assert_eq!(client.get(&id)["status"], "cancelled");
    assert_eq!((restarting.api.requests().len(), restarting.files("run")), (0, 0));
}
