//! Several servers that share a store: a folder, and a bucket of moto's server.

use std::{collections::BTreeMap, path::Path, thread, time::Duration};

use isolette_tests::{Skipped, host_test};
use serde_json::json;

use crate::{
    server::{Server, text},
    servers::{ALICE, JSON, Replicas},
};

const BOB: (&str, &str) = ("authorization", "Bearer bob-secret");

/// What all servers do with one sandbox, whichever is asked.
fn every_server_answers(replicas: &Replicas) {
    let sandbox = replicas.create(0, json!({ "name": "work" }));
    assert_eq!(replicas.value(0, &sandbox, "x = 1\nx"), 1);
    assert_eq!(replicas.value(1, &sandbox, "x += 1\nx"), 2);
    assert_eq!(replicas.value(2, "/v1/sandboxes/work", "x += 1\nx"), 3);
    // Files, contexts and times through different servers.
    let path = format!("{sandbox}/files/content?path=a.txt");
    assert_eq!(replicas.servers[1].send("PUT", &path, &[ALICE], Some(b"text".to_vec())).status, 204);
    assert_eq!(replicas.value(2, &sandbox, "open('/workspace/a.txt').read()"), "text");
    replicas.ask(2, "PATCH", &sandbox, Some(json!({ "ttl": "3h" }))).expect(200);
    for server in 0..3 {
        let listed = replicas.ask(server, "GET", "/v1/sandboxes", None).expect(200);
        let names: Vec<_> =
            listed["sandboxes"].as_array().expect("a list").iter().map(|one| text(one, "name")).collect();
        assert_eq!(names, ["work"], "server {server}");
    }
    for server in 0..3 {
        let headers = [("x-api-key", "alice-secret")];
        let listed = replicas.servers[server].send("GET", "/e2b/v2/sandboxes", &headers, None).expect(200);
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "server {server}: {listed}");
    }
    // Paths are read as the routes read them, and what is changed through one server is so through all.
    let encoded = sandbox.replace("/sb-", "/%73b%2D");
    replicas.ask(0, "POST", &format!("{encoded}/contexts"), Some(json!({ "name": "runs" }))).expect(201);
    replicas.ask(2, "GET", &format!("{encoded}/contexts"), None).expect(200);
    assert_eq!(replicas.ask(1, "DELETE", &format!("{sandbox}/contexts/runs"), None).status, 204);
    // A name belongs to one sandbox, and a sandbox to one caller.
    let again = replicas.ask(1, "POST", "/v1/sandboxes", Some(json!({ "name": "work" })));
    assert_eq!(again.failure(409), "Conflict: there is a sandbox with the name `work`");
    for server in 0..3 {
        assert_eq!(replicas.servers[server].send("GET", &sandbox, &[JSON, BOB], None).status, 404);
    }
    // Snapshots and forks.
    let snapshot = replicas.ask(1, "POST", &format!("{sandbox}/snapshots"), Some(json!({}))).expect(201);
    replicas.value(0, &sandbox, "x = 100");
    let from = replicas.create(2, json!({ "snapshot": snapshot["id"] }));
    assert_eq!(replicas.value(1, &from, "[x, open('/workspace/a.txt').read()]"), json!([3, "text"]));
    let restored = replicas.ask(2, "POST", &format!("{sandbox}/restore"), Some(json!({ "snapshot": snapshot["id"] })));
    restored.expect(200);
    assert_eq!(replicas.value(0, &sandbox, "x"), 3);
    // Runs are where they were begun, and known everywhere.
    let run = replicas.begin(1, &format!("{sandbox}/runs"), json!({ "code": "print('out')\nx" }));
    let ended = replicas.ask(2, "GET", &format!("{run}?wait=1m"), None).expect(200);
    assert_eq!((text(&ended, "state"), text(&ended["result"], "stdout")), ("succeeded", "out\n"), "{ended}");
    let logs = replicas.ask(0, "GET", &format!("{run}/logs"), None).expect(200);
    assert_eq!(text(&logs, "data"), "out\n");
    // Deleted everywhere.
    assert_eq!(replicas.ask(2, "DELETE", &sandbox, None).status, 204);
    replicas.create(0, json!({ "name": "work" }));
    for server in 0..3 {
        assert_eq!(replicas.ask(server, "GET", &sandbox, None).status, 404, "server {server}");
        replicas.ask(server, "GET", "/v1/sandboxes/work", None).expect(200);
    }
}

#[host_test]
fn every_server_of_a_folder_answers_for_every_sandbox() {
    every_server_answers(&Replicas::start(3));
}

#[host_test]
fn every_server_of_a_bucket_answers_for_every_sandbox() -> Result<(), Skipped> {
    every_server_answers(&Replicas::with_bucket(3)?);
    Ok(())
}

fn sandboxes_move(mut replicas: Replicas) {
    let sandboxes: Vec<_> = (0..4).map(|_| replicas.create(0, json!({}))).collect();
    for (number, sandbox) in sandboxes.iter().enumerate() {
        let code = format!("x = {number}\nopen('/workspace/n', 'w').write('{number}')\nopen('/tmp/t', 'w').write('t')");
        replicas.value(0, sandbox, &code);
    }
    let snapshot = replicas.ask(0, "POST", &format!("{}/snapshots", sandboxes[0]), Some(json!({}))).expect(201);
    let ended = replicas.begin(0, &format!("{}/runs", sandboxes[1]), json!({ "code": "print('ended')" }));
    replicas.ask(0, "GET", &format!("{ended}?wait=1m"), None).expect(200);
    let endless = json!({ "code": "print('running', flush=True)\nwhile True: pass" });
    let lost = replicas.begin(0, &format!("{}/runs", sandboxes[2]), endless);
    let tool = json!({ "name": "ask", "description": "", "input_schema": {} });
    let paused = json!({ "code": "print('before')\ncall_tool('ask')", "tools": [tool] });
    let paused = replicas.begin(0, "/v1/runs", paused);
    let waiting = replicas.ask(0, "GET", &format!("{paused}?wait=1m"), None).expect(200);
    assert_eq!(waiting["state"], "paused");
    // Killed: it can say nothing to the others.
    let killed = replicas.servers.remove(0);
    drop(killed);
    for (number, sandbox) in sandboxes.iter().enumerate() {
        let code = "[x, open('/workspace/n').read(), open('/tmp/t').read()]";
        assert_eq!(replicas.value(number % 2, sandbox, code), json!([number, number.to_string(), "t"]));
    }
    let from = replicas.create(1, json!({ "snapshot": snapshot["id"] }));
    assert_eq!(replicas.value(1, &from, "x"), 0);
    let run = replicas.ask(0, "GET", &ended, None).expect(200);
    assert_eq!((text(&run, "state"), text(&run["result"], "stdout")), ("succeeded", "ended\n"), "{run}");
    let run = replicas.ask(1, "GET", &lost, None).expect(200);
    assert_eq!((text(&run, "state"), text(&run["error"], "type")), ("lost", "Lost"), "{run}");
    let answers = json!({ "answers": { "1": { "value": 42 } } });
    replicas.ask(1, "POST", &format!("{paused}/answers"), Some(answers)).expect(202);
    let run = replicas.ask(0, "GET", &format!("{paused}?wait=1m"), None).expect(200);
    assert_eq!((&run["result"]["value"], text(&run["result"], "stdout")), (&json!(42), "before\n"), "{run}");
}

#[host_test]
fn the_sandboxes_of_a_killed_server_continue_elsewhere() {
    sandboxes_move(Replicas::start(3));
}

#[host_test]
fn the_sandboxes_of_a_killed_server_continue_elsewhere_from_a_bucket() -> Result<(), Skipped> {
    sandboxes_move(Replicas::with_bucket(3)?);
    Ok(())
}

#[host_test]
fn programs_in_contexts_are_not_paused_there() {
    let replicas = Replicas::start(1);
    let refused = replicas.ask(0, "POST", "/v1/sandboxes", Some(json!({ "pauses": true }))).failure(501);
    assert!(refused.contains("programs in contexts cannot be paused where servers share a store"), "{refused}");
}

#[host_test]
fn a_sandbox_that_is_paused_goes_on_wherever_it_is_used_next() {
    let replicas = Replicas::start(2);
    let sandbox = replicas.create(0, json!({}));
    replicas.value(0, &sandbox, "x = 7");
    // Passed on to the server that has it.
    assert_eq!(replicas.value(1, &sandbox, "x"), 7);
    let guests = |server: usize| replicas.ask(server, "GET", "/v1/health", None).expect(200)["guests"].clone();
    assert_eq!((guests(0), guests(1)), (json!(1), json!(0)));
    replicas.ask(1, "POST", &format!("{sandbox}/pause"), None).expect(200);
    assert_eq!(replicas.value(1, &sandbox, "x"), 7);
    assert_eq!(guests(1), 1);
    // It ends after the response.
    while guests(0) != 0 {}
}

#[host_test]
fn a_server_that_is_told_to_end_hands_its_sandboxes_over() {
    let mut replicas = Replicas::start(2);
    // Saved only when the server ends.
    let sandbox = replicas.create(0, json!({ "checkpoint": false }));
    replicas.value(0, &sandbox, "x = 7");
    let mut ending = replicas.servers.remove(0);
    ending.terminate();
    assert_eq!(ending.wait().code(), Some(0), "{}", ending.messages());
    assert_eq!(replicas.value(0, &sandbox, "x"), 7);
}

/// A server that is stopped for longer than its lease, and does not know that others have taken over.
#[host_test]
fn a_server_that_was_taken_for_gone_acknowledges_nothing_that_is_lost() {
    let replicas = Replicas::start(2);
    let sandbox = replicas.create(0, json!({}));
    replicas.value(0, &sandbox, "x = 1");
    let process = replicas.servers[0].process();
    // The program runs when the server is stopped, and ends after another one has the sandbox.
    let code = "import time\nx = 2\nprint('running', flush=True)\ntime.sleep(1)\nx";
    let late = replicas.begin(0, &format!("{sandbox}/runs"), json!({ "code": code }));
    while !replicas.ask(0, "GET", &format!("{late}/logs"), None).expect(200)["data"]
        .as_str()
        .is_some_and(|data| data.contains("running"))
    {}
    let tool = json!({ "name": "ask", "description": "", "input_schema": {} });
    let paused = replicas.begin(0, "/v1/runs", json!({ "code": "call_tool('ask')", "tools": [tool] }));
    assert_eq!(replicas.ask(0, "GET", &format!("{paused}?wait=1m"), None).expect(200)["state"], "paused");
    rustix::process::kill_process(process, rustix::process::Signal::STOP).expect("it runs");
    // A request that was passed on to it before is not passed on again; others are, once it counts as gone.
    let add = json!({ "code": "x += 10\nx" });
    let mut run = replicas.ask(1, "POST", &format!("{sandbox}/runs"), Some(add.clone()));
    while run.status == 503 {
        run = replicas.ask(1, "POST", &format!("{sandbox}/runs"), Some(add.clone()));
    }
    assert_eq!(run.expect(200)["result"]["value"], 11);
    let answers = json!({ "answers": { "1": { "value": 42 } } });
    replicas.ask(1, "POST", &format!("{paused}/answers"), Some(answers)).expect(202);
    assert_eq!(replicas.ask(1, "GET", &format!("{paused}?wait=1m"), None).expect(200)["result"]["value"], 42);
    rustix::process::kill_process(process, rustix::process::Signal::CONT).expect("it is there");
    // It answers, with what is true now, also about what it had acknowledged itself.
    let mut run = replicas.ask(0, "GET", &format!("{late}?wait=1m"), None);
    while run.status == 503 {
        run = replicas.ask(0, "GET", &format!("{late}?wait=1m"), None);
    }
    let run = run.expect(200);
    assert!(["lost", "cancelled"].contains(&text(&run, "state")), "{run}");
    for server in [0, 1] {
        let run = replicas.ask(server, "GET", &paused, None).expect(200);
        assert_eq!(run["result"]["value"], 42, "server {server}: {run}");
    }
    assert_eq!(replicas.value(0, &sandbox, "x += 1\nx"), 12);
    assert_eq!(replicas.value(1, &sandbox, "x"), 12);
}

/// Numbers that only grow, in several sandboxes, while servers are killed and replaced.
#[host_test]
fn nothing_acknowledged_is_lost_when_servers_are_killed_under_load() {
    let mut replicas = Replicas::start(3);
    let sandboxes: Vec<_> = (0..6).map(|number| replicas.create(number % 3, json!({}))).collect();
    let mut counters: BTreeMap<String, u64> = sandboxes.iter().map(|sandbox| (sandbox.clone(), 0)).collect();
    for round in 0..3 {
        let victim = replicas.servers.remove(0);
        let counted = thread::scope(|scope| {
            let workers: Vec<_> = counters
                .iter()
                .enumerate()
                .map(|(number, (sandbox, counter))| {
                    let replicas = &replicas;
                    scope.spawn(move || count(replicas, number % 2, sandbox, *counter))
                })
                .collect();
            thread::sleep(Duration::from_millis(300));
            drop(victim);
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Vec<_>>()
        });
        for (counter, counted) in counters.values_mut().zip(counted) {
            assert!(counted > *counter, "round {round}: no program ran");
            *counter = counted;
        }
        let next = replicas.servers[0].sibling();
        replicas.servers.push(next);
    }
    for (sandbox, counter) in &counters {
        assert_eq!(replicas.value(2, sandbox, "n"), json!(counter));
    }
}

/// Counts on in one sandbox for a time that is longer than the lease. Returns the number that was acknowledged last.
fn count(replicas: &Replicas, server: usize, sandbox: &str, before: u64) -> u64 {
    let code = json!({ "code": "n = globals().get('n', 0) + 1\nn" }).to_string().into_bytes();
    let (mut last, mut is_uncertain) = (before, false);
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(4) || last == before {
        let path = format!("{sandbox}/runs");
        let reply = replicas.servers[server].try_send("POST", &path, &[JSON, ALICE], Some(code.clone()));
        let Some(run) = reply.ok().filter(|reply| reply.status == 200).map(|reply| reply.json()) else {
            is_uncertain = true;
            continue;
        };
        if run["state"] != "succeeded" {
            is_uncertain = true;
            continue;
        }
        let value = run["result"]["value"].as_u64().expect("a number");
        assert!(value == last + 1 || (is_uncertain && value > last), "{sandbox}: {value} after {last}");
        (last, is_uncertain) = (value, false);
    }
    last
}

#[host_test]
fn the_state_of_a_server_is_not_mixed_with_that_of_a_shared_store() {
    let alone = Server::start(&["--http", "127.0.0.1:0", "--token", "alice=env:ALICE"]);
    let folder = tempfile::tempdir().expect("a folder");
    let place = format!("file://{}", folder.path().display());
    let state = alone.state();
    let serve_in = |state: &Path, arguments: &[&str]| {
        let mut command = isolette_tests::isolette();
        command.args(["serve", "--isolation", "process", "--state"]).arg(state).args(arguments);
        let output = command.env("ALICE", "alice-secret").output().expect("it ends");
        String::from_utf8(output.stderr).expect("text").replace(&*state.to_string_lossy(), "STATE")
    };
    let serve = |arguments: &[&str]| serve_in(&state, arguments);
    alone.terminate();
    let mut alone = alone;
    alone.wait();
    let http = ["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--shared-store"];
    insta::assert_snapshot!(
        "shared_store_errors",
        [
            serve(&[&http[..], &[&place]].concat()),
            serve(&[&http[..], &["ftp://host"]].concat()),
            serve(&[&http[..], &[&place, "--snapshot-key", "env:ALICE"]].concat()),
            serve_in(&folder.path().join("state"), &["--shared-store", &place]),
            serve(&["--advertise", "http://127.0.0.1:1"]),
        ]
        .join("\n")
    );
}
