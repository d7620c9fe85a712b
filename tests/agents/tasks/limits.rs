//! The number of tasks, and how long they are kept.

use std::time::Duration;

use isolette_tests::host_test;
use serde_json::{Value, json};

use super::{Client, ENDLESS, LONG, TASKS, value};
use crate::raw_protocol;

#[host_test]
fn the_number_of_tasks_is_limited() {
    let client = Client::start("task_after = '100ms'\ntasks = 1", &[]);
    let first = client.begins(ENDLESS);
    // There is no room for another task, so the call lasts until its program has ended.
    assert_eq!(client.runs(&format!("{LONG}1"))["structuredContent"]["value"], 1);
    client.acknowledged("tasks/cancel", &first, json!({}));
    client.sees(&first, "cancelled");
    // A fetched result makes room for a running task.
    let second = client.begins(&format!("{LONG}2"));
    assert_eq!(client.about("tasks/get", &first, json!({}))["error"]["code"], -32602);
    assert_eq!(value(&client.sees(&second, "completed")), 2);
}

#[host_test]
fn tasks_can_be_disabled() {
    let extensions = |client: &Client| {
        let body = raw_protocol::request_of(&client.capabilities, 1, "server/discover", &json!({}));
        let (_, text) = raw_protocol::post(&client.server.url, &raw_protocol::headers("server/discover", None), &body);
        raw_protocol::message(&text)["result"]["capabilities"]["extensions"].clone()
    };
    let client = Client::start("", &[]);
    assert_eq!(extensions(&client), json!({ TASKS: {} }));
    let client = Client::start("task_after = '1ms'\ntasks = 0", &[]);
    assert_eq!(extensions(&client), json!(null));
    assert_eq!(client.runs(&format!("{LONG}1"))["structuredContent"]["value"], 1);
    assert_eq!(client.about("tasks/get", "task-that-does-not-exist", json!({}))["error"]["code"], -32601);
}

/// And for clients that fetch the results of tasks.
#[host_test]
fn a_stopping_server_waits_for_its_tasks() {
    let mut client = Client::start("task_after = '100ms'", &[]);
    let url = client.server.url.clone();
    let mut stays = raw_protocol::connect(&url).expect("the server listens");
    let id = client.begins(&format!("{LONG}'finished'"));
    let get = raw_protocol::request_of(&client.capabilities, 7, "tasks/get", &json!({ "taskId": id }));
    let headers = raw_protocol::headers("tasks/get", Some(&id));
    raw_protocol::send(&mut stays, &url, &headers, &get);
    let mut stays = raw_protocol::heard(stays, "working");
    client.server.terminate();
    // The program has ended by then. Nothing else keeps the server running.
    std::thread::sleep(Duration::from_secs(4));
    raw_protocol::send(&mut stays, &url, &headers, &get);
    let (_stays, answer) = raw_protocol::answered(stays);
    assert_eq!(value(&answer["result"]), "finished", "{answer}");
    assert_eq!(client.server.wait().code(), Some(0));
}

/// A task that does not end by itself is ended, and its end is audited.
#[host_test]
fn a_stopped_server_has_ended_its_tasks() {
    let folder = tempfile::tempdir().expect("a folder");
    let audit = folder.path().join("audit.jsonl");
    let settings = format!("task_after = '100ms'\naudit = {audit:?}");
    let mut client = Client::start(&settings, &[]);
    client.begins(ENDLESS);
    client.server.terminate();
    assert_eq!(client.server.wait().code(), Some(0));
    let audit = std::fs::read_to_string(audit).expect("the audit");
    let ended: Value = audit.lines().last().and_then(|line| serde_json::from_str(line).ok()).expect("a record");
    assert_eq!((&ended["record"], &ended["ending"]), (&json!("run-ended"), &json!("Cancelled")), "{audit}");
}
