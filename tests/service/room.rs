//! What was acknowledged is there after a restart, also where there is no room to store it: programs are refused, fail, or go on in
//! their guests. Callers do not use up what others need.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use isolette_tests::{Skipped, SmallDisk, host_test};
use serde_json::{Value, json};

use crate::{
    runs::config,
    server::{Reply, Server, text},
};

/// A program whose state does not get smaller when it is compressed.
fn fill(bytes: usize) -> String {
    format!("import os\nx = os.urandom({bytes})\nlen(x)")
}

fn start(settings: &str) -> Server {
    Server::start(&["--config", &config(&format!("[service]\n{settings}"))])
}

fn run_with(server: &Server, sandbox: &str, body: Value) -> Reply {
    server.post(&format!("{sandbox}/runs"), body)
}

/// Waits for what happens after the response.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn stored_bytes(server: &Server) -> u64 {
    server.get("/v1/health").expect(200)["stored_bytes"].as_u64().expect("a number")
}

#[host_test]
fn a_program_whose_state_is_not_stored_has_not_succeeded() {
    let server = start("stored_bytes = '400KB'");
    for (language, one, large, both) in [
        ("python", "x = 1", "x = 2\nimport os\ny = os.urandom(1_000_000)\nprint('ran')", "[x, 'y' in globals()]"),
        (
            "javascript",
            "var x = 1",
            "x = 2; var y = Array.from({ length: 300_000 }, () => Math.random()); console.log('ran')",
            "[x, 'y' in globalThis]",
        ),
    ] {
        let sandbox = server.create(json!({ "language": language }));
        server.value(&sandbox, one);
        for background in [false, true] {
            let run = match background {
                false => server.run(&sandbox, large),
                true => server.ended(&server.begin(&format!("{sandbox}/runs"), json!({ "code": large }))),
            };
            assert_eq!((text(&run, "state"), &run["error"]["type"]), ("failed", &json!("StorageFull")), "{run}");
            assert!(text(&run["error"], "message").contains("are undone"), "{run}");
            assert!(text(&run["error"], "hint").contains("delete"), "{run}");
            // What it has done is not lost with it.
            assert_eq!(text(&run["result"], "stdout"), "ran\n", "{run}");
            let stored = server.get(&format!("/v1/runs/{}", text(&run, "id"))).expect(200);
            assert_eq!((&stored["state"], &stored["result"]), (&run["state"], &run["result"]));
            let logs = server.get(&format!("/v1/runs/{}/logs", text(&run, "id"))).expect(200);
            assert_eq!(text(&logs, "data"), "ran\n");
            assert_eq!(server.value(&sandbox, both), json!([1, false]));
        }
        server.delete(&sandbox).expect(204);
    }
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1");
    let failed = server.run(&sandbox, &fill(1_000_000));
    assert_eq!(failed["state"], "failed", "{failed}");
    let server = server.killed();
    assert_eq!(server.value(&sandbox, "x"), 1);
    let seen = server.get(&format!("/v1/runs/{}", text(&failed, "id"))).expect(200);
    assert_eq!((&seen["state"], &seen["error"]), (&failed["state"], &failed["error"]));
}

const TCP: [&str; 6] = ["--http", "127.0.0.1:0", "--token", "alice=env:ALICE", "--token", "bob=env:BOB"];

fn two_callers(settings: &str) -> Server {
    let config = config(&format!("[service]\n{settings}"));
    Server::start(&[&TCP[..], &["--config", &config]].concat())
}

fn send(server: &Server, caller: &str, method: &str, path: &str, body: Value) -> Reply {
    let authorization = format!("Bearer {caller}-secret");
    let headers = [("authorization", authorization.as_str()), ("content-type", "application/json")];
    server.send(method, path, &headers, Some(body.to_string().into_bytes()))
}

fn create_as(server: &Server, caller: &str) -> String {
    let made = send(server, caller, "POST", "/v1/sandboxes", json!({})).expect(201);
    format!("/v1/sandboxes/{}", text(&made, "id"))
}

/// Stores as much as a caller can, in contexts and snapshots. Returns its first sandbox.
fn fill_up(server: &Server, caller: &str) -> String {
    let first = create_as(server, caller);
    let mut sandbox = first.clone();
    for _ in 0..100 {
        let run = send(server, caller, "POST", &format!("{sandbox}/runs"), json!({ "code": fill(200_000) }));
        if run.status == 507 || run.expect(200)["state"] == "failed" {
            return first;
        }
        let taken = send(server, caller, "POST", &format!("{sandbox}/snapshots"), json!({}));
        assert!([201, 507].contains(&taken.status), "{taken:?}");
        sandbox = create_as(server, caller);
    }
    panic!("there is no limit");
}

#[host_test]
fn a_caller_does_not_use_up_what_others_need() {
    for settings in ["stored_bytes = '2MB'", "stored_bytes = '2MB'\nstored_bytes_of_caller = '1500KB'"] {
        let server = two_callers(settings);
        let of_alice = fill_up(&server, "alice");
        let before = stored_bytes_of_all(&server);
        let limit = if settings.contains("of_caller") { 1_500_000 } else { 1_000_000 };
        assert!(before <= limit, "{before}");
        // The other one has room, and what it was told is there after a restart.
        let sandbox = create_as(&server, "bob");
        let run =
            send(&server, "bob", "POST", &format!("{sandbox}/runs"), json!({ "code": fill(200_000) })).expect(200);
        assert_eq!(run["state"], "succeeded", "{run}");
        let server = server.killed();
        let run = send(&server, "bob", "POST", &format!("{sandbox}/runs"), json!({ "code": "len(x)" })).expect(200);
        assert_eq!(run["result"]["value"], 200_000, "{run}");
        // What was counted is counted after a restart, too.
        let refused = send(&server, "alice", "POST", &format!("{of_alice}/runs"), json!({ "code": fill(400_000) }));
        assert!(refused.status == 507 || refused.expect(200)["error"]["type"] == "StorageFull", "{refused:?}");
        let run =
            send(&server, "bob", "POST", &format!("{sandbox}/runs"), json!({ "code": "x = x[:10]\n1" })).expect(200);
        assert_eq!(run["state"], "succeeded", "{run}");
    }
}

fn stored_bytes_of_all(server: &Server) -> u64 {
    let health = send(server, "bob", "GET", "/v1/health", json!({})).expect(200);
    health["stored_bytes"].as_u64().expect("a number")
}

#[host_test]
fn a_program_is_refused_before_it_runs_where_there_is_no_room() {
    let server = start("stored_bytes = '500KB'");
    let sandbox = server.create(json!({}));
    server.value(&sandbox, &fill(200_000));
    // The state of the next program and the present one do not fit beside this.
    let other = server.create(json!({}));
    server.value(&other, &fill(200_000));
    let code = json!({ "code": "open('/workspace/ran', 'w').write('x')" });
    let in_background = json!({ "code": "open('/workspace/ran', 'w').write('x')", "background": true });
    for body in [&code, &in_background] {
        let refused = run_with(&server, &sandbox, body.clone());
        assert!(refused.failure(507).starts_with("StorageFull: "), "{refused:?}");
        assert!(text(&refused.json()["error"], "hint").contains("delete snapshots"), "{refused:?}");
    }
    assert_eq!(server.get(&format!("{sandbox}/files/content?path=ran")).status, 404);
    assert_eq!(
        server.get(&format!("/v1/runs?sandbox={}", sandbox.rsplit('/').next().expect("a name"))).json()["runs"][0]["state"],
        "succeeded"
    );
    // A program that leaves nothing needs no room.
    assert_eq!(server.post("/v1/runs", json!({ "code": "1" })).expect(200)["state"], "succeeded");
    server.delete(&other).expect(204);
    until("the room is free", || run_with(&server, &sandbox, code.clone()).status == 200);
    assert_eq!(server.value(&sandbox, "len(x)"), 200_000);
    let server = server.killed();
    assert_eq!(server.value(&sandbox, "len(x)"), 200_000);
}

#[host_test]
fn a_snapshot_that_is_not_stored_leaves_nothing() {
    let server = start("stored_bytes = '1MB'");
    let sandbox = server.create(json!({ "checkpoint": false }));
    server.value(&sandbox, &fill(200_000));
    for (number, name) in ["a", "b", "c"].into_iter().enumerate() {
        let content = vec![u8::try_from(number).expect("a digit"); 300_000];
        server.send("PUT", &format!("{sandbox}/files/content?path={name}"), &[], Some(content)).expect(204);
    }
    for _ in 0..3 {
        let snapshot = server.post(&format!("{sandbox}/snapshots"), json!({}));
        assert!(snapshot.failure(507).starts_with("StorageFull: "), "{snapshot:?}");
        let fork = server.post(&format!("{sandbox}/fork"), json!({}));
        assert!(fork.failure(507).starts_with("StorageFull: "), "{fork:?}");
    }
    // The files that were stored before it failed are not.
    until("only the context is stored", || stored_bytes(&server) < 300_000);
    server.delete(&format!("{sandbox}/files/content?path=c")).expect(204);
    server.delete(&format!("{sandbox}/files/content?path=b")).expect(204);
    server.post(&format!("{sandbox}/snapshots"), json!({})).expect(201);
    // The same files again need no room.
    for _ in 0..5 {
        server.post(&format!("{sandbox}/snapshots"), json!({})).expect(201);
    }
    assert_eq!(server.value(&sandbox, "len(x)"), 200_000);
    let server = server.stopped();
    assert_eq!(server.value(&sandbox, "len(x)"), 200_000);
}

#[host_test]
fn a_context_without_checkpoints_stays_in_its_guest_until_there_is_room() {
    let server = start("stored_bytes = '300KB'\nguests = 1\nwaiting_time = '1s'");
    let sandbox = server.create(json!({ "checkpoint": false, "idle": "100ms" }));
    server.value(&sandbox, &fill(600_000));
    let live =
        |server: &Server| server.get(&format!("{sandbox}/contexts")).expect(200)["contexts"][0]["is_live"].clone();
    // It is idle, and is not saved.
    until("it was tried", || server.messages().contains("a context was not saved"));
    assert_eq!(live(&server), true);
    let pause = server.post(&format!("{sandbox}/pause"), json!({}));
    assert!(pause.failure(507).starts_with("StorageFull: "), "{pause:?}");
    let id = sandbox.rsplit('/').next().expect("a name");
    let of_e2b = server.send("POST", &format!("/e2b/sandboxes/{id}/pause"), &[("x-api-key", "none")], None);
    assert_eq!(of_e2b.status, 507, "{of_e2b:?}");
    // Another program would need its guest.
    let other = server.create(json!({}));
    let refused = server.run(&other, "1");
    assert_eq!(refused["error"]["type"], "Busy", "{refused}");
    assert_eq!(server.value(&sandbox, "len(x)"), 600_000);
    // A server that is told to end saves it beyond the limit.
    let server = server.stopped();
    assert!(stored_bytes(&server) > 300_000);
    let refused = run_with(&server, &sandbox, json!({ "code": "len(x)" }));
    assert!(refused.failure(507).starts_with("StorageFull: "), "{refused:?}");
    let path = server.state();
    let server = stopped_with(server, "stored_bytes = '10MB'");
    assert!(path.exists());
    assert_eq!(server.value(&sandbox, "len(x)"), 600_000);
}

/// Another server in the place of one, with other settings.
fn stopped_with(server: Server, settings: &str) -> Server {
    server.stopped_with(&["--config", &config(&format!("[service]\n{settings}"))])
}

#[host_test]
fn a_program_that_cannot_be_stored_is_not_paused() {
    let server = start("stored_bytes = '300KB'");
    let tool = json!({ "name": "ask", "description": "", "input_schema": {} });
    let code = format!("{}\nprint('asks')\ny = call_tool('ask')", fill(600_000));
    // On its own.
    let run = server.post("/v1/runs", json!({ "code": code, "tools": [tool] })).expect(200);
    assert_eq!((text(&run, "state"), &run["error"]["type"]), ("failed", &json!("StorageFull")), "{run}");
    // In a context, which is as it was.
    let sandbox = server.create(json!({ "tools": [tool], "pauses": true }));
    server.value(&sandbox, "x = 1");
    let run = run_with(&server, &sandbox, json!({ "code": code })).expect(200);
    assert_eq!((text(&run, "state"), &run["error"]["type"]), ("failed", &json!("StorageFull")), "{run}");
    assert_eq!(server.value(&sandbox, "x"), 1);
    // One that is stored waits, also after a restart.
    let paused = run_with(&server, &sandbox, json!({ "code": "x = call_tool('ask')\nx" })).expect(202);
    let paused = format!("/v1/runs/{}", text(&paused, "id"));
    let own = server.post("/v1/runs", json!({ "code": "call_tool('ask')", "tools": [tool] })).expect(202);
    let own = format!("/v1/runs/{}", text(&own, "id"));
    let server = server.killed();
    for (run, value) in [(&paused, 5), (&own, 6)] {
        assert_eq!(server.get(run).expect(200)["state"], "paused");
        server.post(&format!("{run}/answers"), json!({ "answers": { "1": { "value": value } } })).expect(202);
        assert_eq!(server.ended(run)["result"]["value"], value);
    }
    assert_eq!(server.value(&sandbox, "x"), 5);
    // Where nothing more can be stored, one that would have to be is not begun.
    let mut size = 100_000;
    loop {
        let filling = run_with(&server, &server.create(json!({})), json!({ "code": fill(size) }));
        if filling.status == 507 {
            break;
        }
        if filling.expect(200)["state"] == "failed" {
            size /= 2;
        }
    }
    let refused = server.post("/v1/runs", json!({ "code": "1", "tools": [tool] }));
    assert!(refused.failure(507).starts_with("StorageFull: "), "{refused:?}");
}

#[host_test]
fn a_context_that_holds_what_cannot_be_saved_says_so() {
    let server = start("");
    let sandbox = server.create(json!({}));
    let hold = "import sqlite3\nf = sqlite3.connect('/workspace/a.db', isolation_level=None)\nf.execute('BEGIN EXCLUSIVE')\nx = 1";
    let run = server.run(&sandbox, hold);
    assert_eq!(run["state"], "succeeded", "{run}");
    assert_eq!(run["warning"]["type"], "Unavailable", "{run}");
    assert!(text(&run["warning"], "message").contains("in its guest only"), "{run}");
    let seen = server.get(&format!("/v1/runs/{}", text(&run, "id"))).expect(200);
    assert_eq!(seen["warning"], run["warning"]);
    let released = server.run(&sandbox, "f.close()\nx += 1");
    assert_eq!((&released["state"], &released["warning"]), (&json!("succeeded"), &Value::Null), "{released}");
    let server = server.killed();
    assert_eq!(server.value(&sandbox, "x"), 2);
}

#[host_test]
fn a_context_without_checkpoints_that_loses_programs_says_so() {
    let server = start("");
    let sandbox = server.create(json!({ "checkpoint": false }));
    server.value(&sandbox, "x = 1");
    server.value(&sandbox, "x = 2");
    let endless = run_with(&server, &sandbox, json!({ "code": "while True: pass", "timeout": "200ms" })).expect(200);
    assert_eq!(endless["error"]["type"], "Timeout", "{endless}");
    assert_eq!(endless["warning"]["type"], "Lost", "{endless}");
    assert!(text(&endless["warning"], "message").contains("2 programs before"), "{endless}");
    let again = run_with(&server, &sandbox, json!({ "code": "while True: pass", "timeout": "200ms" })).expect(200);
    assert_eq!(again["warning"], Value::Null, "{again}");
    assert_eq!(server.value(&sandbox, "'x' in globals()"), false);
}

/// A server whose state is on a disk of this size.
fn on_disk(kibibytes: u32) -> Result<(SmallDisk, Server), Skipped> {
    let disk = SmallDisk::new(kibibytes)?;
    let state = disk.path().join("state");
    let server = Server::start(&["--state", state.to_str().expect("UTF-8")]);
    Ok((disk, server))
}

/// Uses up the disk, until the file is removed.
fn use_up(disk: &Path) -> PathBuf {
    let path = disk.join("used");
    let mut file = File::create(&path).expect("a file");
    let mut length = 64 << 10;
    while length > 0 {
        if file.write_all(&vec![1; length]).is_err() {
            length /= 2;
        }
    }
    path
}

#[host_test]
fn nothing_is_acknowledged_that_a_full_disk_does_not_take() -> Result<(), Skipped> {
    let (disk, server) = on_disk(8 << 10)?;
    let sandbox = server.create(json!({}));
    server.value(&sandbox, "x = 1\nopen('/workspace/wait', 'w').write('x')");
    let waits =
        "import os, time\nprint('waits', flush=True)\nwhile os.path.exists('/workspace/wait'): time.sleep(0.01)\nx = 2";
    let waiting = server.begin(&format!("{sandbox}/runs"), json!({ "code": waits }));
    server.until(&waiting, |name, _| name == "output");
    let used = use_up(disk.path());
    server.delete(&format!("{sandbox}/files/content?path=wait")).expect(204);
    let _used = use_up(disk.path());
    let ended = server.ended(&waiting);
    assert_eq!(ended["state"], "failed", "{ended}");
    assert_eq!(ended["error"]["type"], "StorageFull", "{ended}");
    // Later requests see the same.
    thread::sleep(Duration::from_secs(2));
    assert_eq!(server.get(&waiting).expect(200)["state"], "failed");
    assert_eq!(text(&server.get(&format!("{waiting}/logs")).expect(200), "data"), "waits\n");
    for body in [json!({ "code": "x = 3" }), json!({ "code": "x = 4", "background": true })] {
        let refused = run_with(&server, &sandbox, body);
        assert!(refused.status == 507 || refused.json()["error"]["type"] == "StorageFull", "{refused:?}");
    }
    let file = server.send("PUT", &format!("{sandbox}/files/content?path=a"), &[], Some(vec![1; 100_000]));
    assert!(file.failure(507).starts_with("StorageFull: "), "{file:?}");
    let snapshot = server.post(&format!("{sandbox}/snapshots"), json!({}));
    assert_eq!(snapshot.status, 507, "{snapshot:?}");
    std::fs::remove_file(used).expect("it is there");
    assert_eq!(server.value(&sandbox, "x"), 1);
    // The end of the program is stored as soon as it can be.
    thread::sleep(Duration::from_secs(3));
    let server = server.killed();
    let seen = server.get(&waiting).expect(200);
    assert_eq!((&seen["state"], &seen["error"]), (&ended["state"], &ended["error"]));
    assert_eq!(text(&server.get(&format!("{waiting}/logs")).expect(200), "data"), "waits\n");
    assert_eq!(server.value(&sandbox, "x"), 1);
    Ok(())
}
