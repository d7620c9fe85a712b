//! A server that is killed at any moment has lost nothing that it acknowledged, and nothing is half there.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use isolette_tests::host_test;
use serde_json::{Value, json};

use crate::server::{Server, text};

/// Operations in all.
const OPERATIONS: usize = 500;

/// What the caller knows of one sandbox.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The counter that was acknowledged last; if a request was cut off, it may be one more.
    counter: u64,
    is_uncertain: bool,
    files: BTreeMap<String, String>,
    uncertain_file: Option<(String, String)>,
}

/// Numbers without a pattern, the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[host_test]
fn nothing_acknowledged_is_lost_at_random_moments() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut numbers = Numbers(seed);
    let mut server = Server::start(&[]);
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    let (mut done, mut kills) = (0, 0);
    while done < OPERATIONS {
        let moment = Duration::from_millis(numbers.below(400));
        // The server is killed while operations are in flight: the next one fails, and is not acknowledged.
        let killer = {
            let process = server.process();
            thread::spawn(move || {
                thread::sleep(moment);
                let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
            })
        };
        while operate(&server, &mut known, &mut numbers).is_some() {
            done += 1;
        }
        killer.join().expect("no panic");
        kills += 1;
        server = server.killed();
        verify(&server, &mut known, seed);
    }
    assert!(kills > 3, "seed {seed}: {kills} kills");
}

/// Does one operation. `None` if the server is gone.
fn operate(server: &Server, known: &mut BTreeMap<String, Known>, numbers: &mut Numbers) -> Option<()> {
    let post = |path: &str, body: Value| {
        let headers = [("content-type", "application/json")];
        server.try_send("POST", path, &headers, Some(body.to_string().into_bytes())).ok()
    };
    let some = known.keys().nth(numbers.below(known.len().max(1) as u64) as usize).cloned();
    let (Some(sandbox), choice) = (some, numbers.below(10)) else {
        let made = post("/v1/sandboxes", json!({}))?.expect(201);
        known.insert(format!("/v1/sandboxes/{}", text(&made, "id")), Known::default());
        return Some(());
    };
    match choice {
        0 if known.len() < 6 => {
            let made = post("/v1/sandboxes", json!({}))?.expect(201);
            known.insert(format!("/v1/sandboxes/{}", text(&made, "id")), Known::default());
        }
        1 if known.len() < 6 => {
            let forks = post(&format!("{sandbox}/fork"), json!({}))?.expect(201);
            let fork = format!("/v1/sandboxes/{}", text(&forks["sandboxes"][0], "id"));
            known.insert(fork, known[&sandbox].clone());
        }
        2 if known.len() > 3 => {
            // If the request is cut off, it may be there or not.
            known.remove(&sandbox);
            assert_eq!(server.try_send("DELETE", &sandbox, &[], None).ok()?.status, 204);
        }
        3..=5 => {
            let name = format!("f{}", numbers.below(5));
            let content = format!("{:x}", numbers.below(u64::MAX >> 33)).repeat(100);
            let state = known.get_mut(&sandbox).expect("it is known");
            state.uncertain_file = Some((name.clone(), content.clone()));
            let path = format!("{sandbox}/files/content?path={name}");
            let reply = server.try_send("PUT", &path, &[], Some(content.clone().into_bytes())).ok()?;
            assert_eq!(reply.status, 204);
            state.uncertain_file = None;
            state.files.insert(name, content);
        }
        6 => {
            post(&format!("{sandbox}/pause"), json!({}))?.expect(200);
        }
        _ => {
            let state = known.get_mut(&sandbox).expect("it is known");
            state.is_uncertain = true;
            let code = "n = globals().get('n', 0) + 1\nn";
            let run = post(&format!("{sandbox}/runs"), json!({ "code": code }))?.expect(200);
            assert_eq!(run["state"], "succeeded", "{run}");
            state.counter = run["result"]["value"].as_u64().expect("a number");
            state.is_uncertain = false;
        }
    }
    Some(())
}

fn verify(server: &Server, known: &mut BTreeMap<String, Known>, seed: u64) {
    for (sandbox, state) in known {
        let counter = server.value(sandbox, "globals().get('n', 0)").as_u64().expect("a number");
        let is_expected = counter == state.counter || (state.is_uncertain && counter == state.counter + 1);
        assert!(is_expected, "seed {seed}: {sandbox} has {counter}, and {state:?} was acknowledged");
        (state.counter, state.is_uncertain) = (counter, false);
        let uncertain = state.uncertain_file.take();
        for (name, content) in &mut state.files {
            let found = server.get(&format!("{sandbox}/files/content?path={name}"));
            let found = String::from_utf8(found.bytes).expect("text");
            if uncertain.as_ref().is_some_and(|(file, new)| file == name && *new == found) {
                content.clone_from(&found);
            }
            assert_eq!(found, *content, "seed {seed}: {sandbox} {name}");
        }
        if let Some((name, content)) = uncertain {
            let found = server.get(&format!("{sandbox}/files/content?path={name}"));
            if found.status == 200 {
                // All of it, or what was there before.
                let found = String::from_utf8(found.bytes).expect("text");
                let before = state.files.get(&name);
                assert!(found == content || Some(&found) == before, "seed {seed}: {sandbox} {name} is half there");
                state.files.insert(name, found);
            }
        }
    }
    // Every file belongs to a sandbox.
    let sandboxes = server.get("/v1/health").expect(200)["sandboxes"].as_u64().expect("a number");
    let folders = std::fs::read_dir(server.state().join("sandboxes")).expect("the folder").count();
    assert_eq!(sandboxes, folders as u64, "seed {seed}");
}

/// What the caller knows of the program that is paused in its context now and then.
#[derive(Debug, Default)]
struct Pausing {
    /// The run that has not been seen to end, and whether the call that it was paused for may have been answered.
    run: Option<(String, bool)>,
    /// Whether it was seen to be paused.
    was_paused: bool,
    counter: u64,
}

#[host_test]
fn a_paused_program_is_neither_lost_nor_done_twice_at_random_moments() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut numbers = Numbers(seed);
    let mut server = Server::start(&[]);
    let tool = json!({ "name": "one", "description": "", "input_schema": {} });
    let sandbox = server.create(json!({ "tools": [tool], "pauses": true }));
    let (mut pausing, mut kills) = (Pausing::default(), 0);
    while pausing.counter < 50 {
        let killer = {
            let (process, moment) = (server.process(), Duration::from_millis(numbers.below(600)));
            thread::spawn(move || {
                thread::sleep(moment);
                let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
            })
        };
        while advance(&server, &sandbox, &mut pausing, (seed, &mut numbers)).is_some() {}
        killer.join().expect("no panic");
        kills += 1;
        server = server.killed();
        let runs = server.get(&format!("/v1/runs?sandbox={}", sandbox.rsplit('/').next().expect("a name"))).expect(200);
        // One that was begun with a request that was cut off.
        let open = runs["runs"].as_array().expect("a list").iter().find(|run| run["ended_at"].is_null());
        if let (None, Some(run)) = (&pausing.run, open) {
            pausing.run = Some((format!("/v1/runs/{}", text(run, "id")), false));
            pausing.was_paused = false;
        }
        if pausing.run.is_none() {
            assert_eq!(server.value(&sandbox, "globals().get('n', 0)"), pausing.counter, "seed {seed}");
        }
    }
    assert!(kills > 3, "seed {seed}: {kills} kills");
}

/// Does the next step with a program that asks twice. `None` if the server is gone.
fn advance(server: &Server, sandbox: &str, pausing: &mut Pausing, (seed, numbers): (u64, &mut Numbers)) -> Option<()> {
    let post = |path: &str, body: Value| {
        let headers = [("content-type", "application/json")];
        server.try_send("POST", path, &headers, Some(body.to_string().into_bytes())).ok()
    };
    let Some((run, is_answered)) = &mut pausing.run else {
        let code = "n = globals().get('n', 0) + call_tool('one')\nn += call_tool('one')\nn";
        let begun = post(&format!("{sandbox}/runs"), json!({ "code": code, "background": true }))?.expect(202);
        (pausing.run, pausing.was_paused) = (Some((format!("/v1/runs/{}", text(&begun, "id")), false)), false);
        return Some(());
    };
    let found = server.try_send("GET", run, &[], None).ok()?.expect(200);
    match text(&found, "state") {
        "paused" => {
            // Whatever was answered before did not arrive.
            (*is_answered, pausing.was_paused) = (false, true);
            if numbers.below(2) == 0 {
                return Some(());
            }
            *is_answered = true;
            let id = found["calls"][0]["id"].to_string();
            let value = u64::from(id == "1");
            post(&format!("{run}/answers"), json!({ "answers": { id: { "value": value } } }))?.expect(202);
        }
        "queued" | "running" => {}
        "succeeded" => {
            pausing.counter += 1;
            assert_eq!(found["result"]["value"], pausing.counter, "seed {seed}: {pausing:?}");
            pausing.run = None;
        }
        "lost" => {
            assert!(*is_answered || !pausing.was_paused, "seed {seed}: {pausing:?}");
            pausing.run = None;
        }
        state => panic!("seed {seed}: {state}: {found}"),
    }
    Some(())
}
