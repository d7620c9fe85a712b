//! Limits of kept state, and directories and records that cannot be used.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use isolette_tests::{agents::HttpServer, host_test};
use serde_json::json;

use super::{ASKING, Restarting, again, call};
use crate::tasks::{INTERVAL, LONG};

#[host_test]
fn an_approval_comes_in_time_or_is_denied() {
    let restarting = Restarting::new("task_after = '100ms'\napproval_time = '1s'", "per-call");
    let client = restarting.start();
    let call = call(ASKING);
    let id = client.begins(&format!("{LONG}{ASKING}"));
    client.sees(&id, "input_required");
    // Without tasks, the question is in the response.
    let all = client.capabilities.clone();
    let client = client.declares(json!({ "elicitation": {} }));
    let parked = client.calls(&call);
    let client = restarting.killed(client.declares(all));
    let task = client.sees(&id, "completed");
    let message = task["result"]["structuredContent"]["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("the approver did not answer in time"), "{task}");
    // The name of the other question is of no use any more, once its program has ended.
    while restarting.files("run") > 0 {
        std::thread::sleep(INTERVAL);
    }
    let late = client.calls(&again(&call, &parked, "accept"));
    assert_eq!(late["structuredContent"]["error"]["kind"], "NotWaiting", "{late}");
    assert_eq!(restarting.api.requests(), [""; 0]);
}

/// What cannot be in a file waits in the process, and the call is made there.
#[host_test]
fn isolation_that_cannot_pause_waits_in_the_process() {
    let restarting = Restarting::new("tasks = 0", "per-call");
    let client = restarting.start_with(&["--isolation", "wasm"]);
    let call = call(ASKING);
    let mut response = client.calls(&call);
    for _ in 0..2 {
        response = client.calls(&again(&call, &response, "accept"));
    }
    assert_eq!(response["structuredContent"]["value"], json!([200, 200, 2]), "{response}");
    assert_eq!((restarting.files("run"), restarting.files("json")), (0, 0));
}

#[host_test]
fn programs_beyond_the_limit_wait_in_the_process() {
    let restarting = Restarting::new("tasks = 0\npaused_programs = 1", "per-call");
    let client = restarting.start();
    let call = call(ASKING);
    let responses: Vec<_> = (0..2).map(|_| client.calls(&call)).collect();
    assert_eq!(restarting.files("run"), 1);
    let client = restarting.killed(client);
    let results: Vec<_> = responses.iter().map(|response| client.calls(&again(&call, response, "decline"))).collect();
    let kinds: Vec<_> = results.iter().map(|result| &result["structuredContent"]["error"]["kind"]).collect();
    assert_eq!(kinds, ["HttpDenied", "NotWaiting"], "{results:?}");
}

#[host_test]
fn unusable_directories_are_reported() {
    let restarting = Restarting::new("", "never");
    let refused = |directory: &Path| {
        let mut command = isolette_tests::isolette();
        let output =
            command.args(["mcp", "--http", "127.0.0.1:0", "--state"]).arg(directory).output().expect("isolette");
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).replace(&directory.display().to_string(), "[directory]")
    };
    let client = restarting.start();
    let used = refused(&restarting.directory());
    drop(client);
    fs::set_permissions(restarting.directory(), fs::Permissions::from_mode(0o755)).expect("rights");
    let open = refused(&restarting.directory());
    let file = tempfile::NamedTempFile::new().expect("a file");
    insta::assert_snapshot!("unusable-state", [used, open, refused(file.path())].join("\n"));
}

/// A record that cannot be read is named, and kept with the program that it may be about.
#[host_test]
fn unreadable_records_are_reported_and_kept() {
    let restarting = Restarting::new("task_after = '100ms'", "per-call");
    let client = restarting.start();
    let id = client.begins(&format!("{LONG}{ASKING}"));
    client.sees(&id, "input_required");
    drop(client);
    let records = || fs::read_dir(restarting.directory()).expect("the directory").flatten().map(|entry| entry.path());
    let record = records().find(|path| path.extension().is_some_and(|found| found == "json")).expect("a record");
    fs::write(&record, "{\"name\":").expect("a broken record");
    let directory = restarting.directory();
    let state = directory.to_str().expect("UTF-8");
    let stderr = tempfile::NamedTempFile::new().expect("a file");
    let handle = stderr.reopen().expect("a handle");
    // It says so before it says its address.
    drop(HttpServer::start_with(&["--state", state], |command| command.stderr(handle)));
    let stderr = fs::read_to_string(stderr.path()).expect("UTF-8");
    assert!(stderr.contains(&format!("warning: `{}` cannot be read: ", record.display())), "{stderr}");
    assert_eq!((restarting.files("json"), restarting.files("run")), (1, 1));
}
