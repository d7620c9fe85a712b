//! Sandboxes that are kept between calls, by handle.

use isolette_tests::{
    ClientCase, Skipped,
    agents::{Era, HttpServer, Script, settings},
    client_test,
};
use serde_json::{Value, json};

const PROFILE: [&str; 2] = ["--profile", "sessions"];

fn create(script: Script) -> Script {
    script.step(json!({ "call": "create_sandbox", "save": "sandbox_id" }))
}

fn run(code: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code, "sandbox_id": "$sandbox_id" } })
}

fn on(tool: &str) -> Value {
    json!({ "call": tool, "arguments": { "sandbox_id": "$sandbox_id" } })
}

#[client_test]
fn a_sandbox_keeps_its_state_between_calls(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let replies = create(served.script)
        .step(run("import math\nx = 20"))
        .step(run("1 / 0"))
        .step(run("x + math.floor(22.5)"))
        .call("execute_code", json!({ "code": "'x' in globals()" }))
        .play()?;
    let values: Vec<_> = replies.results[1..].iter().map(|result| &result["structuredContent"]["value"]).collect();
    assert_eq!(values, [&Value::Null, &Value::Null, &json!(42), &json!(false)]);
    assert_eq!(replies.results[0]["structuredContent"]["language"], "python");
    Ok(())
}

#[client_test]
fn sandboxes_are_listed_reset_and_destroyed(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let replies = create(served.script)
        .step(run("x = 1\nopen('/output/a.txt', 'w').write('a')"))
        .step(json!({ "call": "list_sandboxes" }))
        .step(on("reset_sandbox"))
        .step(run("import os\n['x' in globals(), os.listdir('/output')]"))
        .step(on("destroy_sandbox"))
        .step(run("1"))
        .step(on("destroy_sandbox"))
        .play()?;
    let listed = replies.results[2]["structuredContent"]["sandboxes"].as_array().unwrap();
    // Over HTTP without protocol sessions, no client can list sandboxes.
    let lists_none = case.http && case.era == Era::New;
    assert_eq!(listed.len(), usize::from(!lists_none));
    assert_eq!(replies.results[4]["structuredContent"]["value"], json!([false, []]));
    assert_eq!(replies.results[5]["structuredContent"]["destroyed"], json!(true));
    for gone in &replies.results[6..] {
        assert_eq!(gone["isError"], json!(true));
        assert!(gone["content"][0]["text"].as_str().unwrap().contains("create_sandbox"), "{gone}");
    }
    Ok(())
}

#[client_test]
fn sandbox_files_are_written_read_and_listed(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let write = |path: &str, content: &str, encoding: &str| {
        let arguments = json!({ "sandbox_id": "$sandbox_id", "path": path, "content": content, "encoding": encoding });
        json!({ "call": "write_file", "arguments": arguments })
    };
    let read = |path: &str| json!({ "call": "read_file", "arguments": { "sandbox_id": "$sandbox_id", "path": path } });
    let replies = create(served.script)
        .step(write("/output/in/notes.txt", "one\ntwo\n", "text"))
        .step(write("/output/in/raw.bin", "AP+A", "base64"))
        .step(run("[open('/output/in/notes.txt').read().split(), list(open('/output/in/raw.bin', 'rb').read())]"))
        .step(run("open('/output/back.csv', 'w').write('a,b\\n')"))
        .step(read("/output/back.csv"))
        .step(read("/output/in/raw.bin"))
        .step(on("list_files"))
        .step(read("/output/../etc/passwd"))
        .step(write("/input/x", "x", "text"))
        .step(write("/output/x", "%", "base64"))
        .play()?;
    let results = &replies.results;
    assert_eq!(results[3]["structuredContent"]["value"], json!([["one", "two"], [0, 255, 128]]));
    assert_eq!(results[5]["content"][0]["text"], "a,b\n");
    assert_eq!(results[5]["structuredContent"]["mime_type"], "text/csv");
    assert_eq!(results[6]["content"][0]["resource"]["blob"], "AP+A");
    let paths: Vec<_> =
        results[7]["structuredContent"]["entries"].as_array().unwrap().iter().map(|entry| &entry["path"]).collect();
    assert_eq!(paths, ["/output/back.csv", "/output/in"]);
    for (result, why) in [
        (&results[8], "this cannot be a path"),
        (&results[9], "there is no such file"),
        (&results[10], "is not base64"),
    ] {
        assert_eq!(result["isError"], json!(true));
        assert!(result["content"][0]["text"].as_str().unwrap().contains(why), "{result}");
    }
    Ok(())
}

#[client_test]
fn long_files_and_listings_are_clipped_and_stored_in_full(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let read = json!({ "sandbox_id": "$sandbox_id", "path": "/output/long.txt" });
    let replies = create(served.script)
        .step(run("open('/output/long.txt', 'w').write('begin' + 'x' * 100_000 + 'end')"))
        .call("read_file", read)
        .step(json!({ "read": "$link" }))
        .step(run("for n in range(1_000):\n    open(f'/output/{n:04}.txt', 'w').close()"))
        .step(on("list_files"))
        .step(json!({ "read": "$link" }))
        .play()?;
    let (file, whole) = (&replies.results[2], &replies.results[3]);
    let shown = file["content"][0]["text"].as_str().unwrap();
    assert!(shown.starts_with("begin") && shown.ends_with("end") && shown.len() < 25_000, "{} bytes", shown.len());
    assert_eq!(
        (&file["structuredContent"]["clipped"], &file["structuredContent"]["size"]),
        (&json!(80_008), &json!(100_008))
    );
    assert_eq!(whole["contents"][0]["text"].as_str().map(str::len), Some(100_008));
    let (list, whole) = (&replies.results[5], &replies.results[6]);
    let left_out = list["structuredContent"]["left_out"].as_u64().unwrap();
    let entries = list["structuredContent"]["entries"].as_array().unwrap().len() as u64;
    assert!(left_out > 0 && entries + left_out == 1_001, "{entries} and {left_out}");
    let shown = list["content"][0]["text"].as_str().unwrap();
    assert!(shown.contains(&format!("[{left_out} of 1001 entries left out")) && shown.len() < 25_000, "{shown}");
    assert_eq!(whole["contents"][0]["text"].as_str().unwrap().lines().count(), 1_001);
    Ok(())
}

#[client_test]
fn a_limit_hit_ends_only_its_own_sandbox(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let endless = json!({ "code": "while True: pass", "timeout_s": 1, "sandbox_id": "$sandbox_id" });
    let replies = create(served.script)
        .call("execute_code", endless)
        .step(run("1"))
        .step(on("reset_sandbox"))
        .step(run("'anew'"))
        .play()?;
    assert_eq!(replies.results[1]["structuredContent"]["error"]["kind"], "Timeout");
    let ended = &replies.results[2]["structuredContent"]["error"];
    assert_eq!(ended["kind"], "SessionEnded");
    assert!(ended["hint"].as_str().unwrap().contains("reset_sandbox"), "{ended}");
    assert_eq!(replies.results[4]["structuredContent"]["value"], "anew");
    Ok(())
}

/// A handle gives access to its sandbox, and handles of other clients are not listed.
#[client_test]
fn sandboxes_of_other_clients_are_not_listed(case: &ClientCase) -> Result<(), Skipped> {
    let server = HttpServer::start(&PROFILE);
    let script = || Script::new(case.client, case.era, server.place());
    let mine = create(script()).step(run("secret = 42")).play()?;
    let handle = mine.results[0]["structuredContent"]["sandbox_id"].clone();
    assert!(handle.as_str().is_some_and(|handle| handle.len() >= 20), "{handle}");
    let theirs = script()
        .step(json!({ "call": "list_sandboxes" }))
        .call("execute_code", json!({ "code": "secret", "sandbox_id": handle }))
        .call("execute_code", json!({ "code": "secret", "sandbox_id": "sb-00000000000000000000000000000000" }))
        .play()?;
    assert_eq!(theirs.results[0]["structuredContent"]["sandboxes"], json!([]));
    assert_eq!(theirs.results[1]["structuredContent"]["value"], 42);
    assert_eq!(theirs.results[2]["structuredContent"]["error"]["kind"], "UnknownSandbox");
    Ok(())
}

#[client_test]
fn the_number_of_sandboxes_is_limited(case: &ClientCase) -> Result<(), Skipped> {
    let settings = settings("profile = 'sessions'\nsandboxes = 2");
    let served = case.serve(&["--config", settings.path().to_str().expect("UTF-8")]);
    let create = json!({ "call": "create_sandbox" });
    let replies = served.script.step(create.clone()).step(create.clone()).step(create).play()?;
    let full = &replies.results[2];
    assert_eq!(full["isError"], json!(true));
    assert!(full["content"][0]["text"].as_str().unwrap().contains("there can be 2 at most"), "{full}");
    Ok(())
}

#[client_test]
fn an_idle_sandbox_is_evicted(case: &ClientCase) -> Result<(), Skipped> {
    let settings = settings("profile = 'sessions'\nsandboxes = 1\nsandbox_idle = '1s'");
    let served = case.serve(&["--config", settings.path().to_str().expect("UTF-8")]);
    let create = json!({ "call": "create_sandbox" });
    // A sandbox that was idle for a second is evicted; this program takes longer.
    let later = json!({ "call": "execute_code", "arguments": { "code": "import time\ntime.sleep(1.5)" } });
    let replies = served.script.step(create.clone()).step(later).step(create).play()?;
    assert!(!replies.results[2]["isError"].as_bool().unwrap_or_default(), "{}", replies.results[2]);
    Ok(())
}
