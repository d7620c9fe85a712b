//! Sandboxes that live on, by handle.

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
fn state_is_kept_between_calls(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let told = create(served.script)
        .step(run("import math\nx = 20"))
        .step(run("1 / 0"))
        .step(run("x + math.floor(22.5)"))
        .call("execute_code", json!({ "code": "'x' in globals()" }))
        .play()?;
    let values: Vec<_> = told.results[1..].iter().map(|result| &result["structuredContent"]["value"]).collect();
    assert_eq!(values, [&Value::Null, &Value::Null, &json!(42), &json!(false)]);
    assert_eq!(told.results[0]["structuredContent"]["language"], "python");
    Ok(())
}

#[client_test]
fn handles_are_listed_reset_and_destroyed(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let told = create(served.script)
        .step(run("x = 1\nopen('/output/a.txt', 'w').write('a')"))
        .step(json!({ "call": "list_sandboxes" }))
        .step(on("reset_sandbox"))
        .step(run("import os\n['x' in globals(), os.listdir('/output')]"))
        .step(on("destroy_sandbox"))
        .step(run("1"))
        .step(on("destroy_sandbox"))
        .play()?;
    let listed = told.results[2]["structuredContent"]["sandboxes"].as_array().unwrap();
    // Without sessions of the protocol, over HTTP, nobody's sandboxes are anybody's to list.
    let nobody = case.http && case.era == Era::New;
    assert_eq!(listed.len(), usize::from(!nobody));
    assert_eq!(told.results[4]["structuredContent"]["value"], json!([false, []]));
    assert_eq!(told.results[5]["structuredContent"]["destroyed"], json!(true));
    for gone in &told.results[6..] {
        assert_eq!(gone["isError"], json!(true));
        assert!(gone["content"][0]["text"].as_str().unwrap().contains("create_sandbox"), "{gone}");
    }
    Ok(())
}

#[client_test]
fn files_are_written_read_and_listed(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let write = |path: &str, content: &str, encoding: &str| {
        let arguments = json!({ "sandbox_id": "$sandbox_id", "path": path, "content": content, "encoding": encoding });
        json!({ "call": "write_file", "arguments": arguments })
    };
    let read = |path: &str| json!({ "call": "read_file", "arguments": { "sandbox_id": "$sandbox_id", "path": path } });
    let told = create(served.script)
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
    let results = &told.results;
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
fn long_files_and_lists_are_clipped_and_kept_whole(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let read = json!({ "sandbox_id": "$sandbox_id", "path": "/output/long.txt" });
    let told = create(served.script)
        .step(run("open('/output/long.txt', 'w').write('begin' + 'x' * 100_000 + 'end')"))
        .call("read_file", read)
        .step(json!({ "read": "$link" }))
        .step(run("for n in range(1_000):\n    open(f'/output/{n:04}.txt', 'w').close()"))
        .step(on("list_files"))
        .step(json!({ "read": "$link" }))
        .play()?;
    let (file, whole) = (&told.results[2], &told.results[3]);
    let shown = file["content"][0]["text"].as_str().unwrap();
    assert!(shown.starts_with("begin") && shown.ends_with("end") && shown.len() < 25_000, "{} bytes", shown.len());
    assert_eq!(
        (&file["structuredContent"]["clipped"], &file["structuredContent"]["size"]),
        (&json!(80_008), &json!(100_008))
    );
    assert_eq!(whole["contents"][0]["text"].as_str().map(str::len), Some(100_008));
    let (list, whole) = (&told.results[5], &told.results[6]);
    let left_out = list["structuredContent"]["left_out"].as_u64().unwrap();
    let entries = list["structuredContent"]["entries"].as_array().unwrap().len() as u64;
    assert!(left_out > 0 && entries + left_out == 1_001, "{entries} and {left_out}");
    let shown = list["content"][0]["text"].as_str().unwrap();
    assert!(shown.contains(&format!("[{left_out} of 1001 entries left out")) && shown.len() < 25_000, "{shown}");
    assert_eq!(whole["contents"][0]["text"].as_str().unwrap().lines().count(), 1_001);
    Ok(())
}

#[client_test]
fn a_program_that_was_ended_ends_only_its_session(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let endless = json!({ "code": "while True: pass", "timeout_s": 1, "sandbox_id": "$sandbox_id" });
    let told = create(served.script)
        .call("execute_code", endless)
        .step(run("1"))
        .step(on("reset_sandbox"))
        .step(run("'anew'"))
        .play()?;
    assert_eq!(told.results[1]["structuredContent"]["error"]["kind"], "Timeout");
    let ended = &told.results[2]["structuredContent"]["error"];
    assert_eq!(ended["kind"], "SessionEnded");
    assert!(ended["hint"].as_str().unwrap().contains("reset_sandbox"), "{ended}");
    assert_eq!(told.results[4]["structuredContent"]["value"], "anew");
    Ok(())
}

/// Whoever has the handle has the sandbox, and nobody is told of others'.
#[client_test]
fn handles_of_others_are_not_listed(case: &ClientCase) -> Result<(), Skipped> {
    let server = HttpServer::start(&PROFILE);
    let script = || Script::new(case.client, case.era, server.place());
    let mine = create(script()).step(run("secret = 42")).play()?;
    let handle = mine.results[0]["structuredContent"]["sandbox_id"].clone();
    assert!(handle.as_str().is_some_and(|handle| handle.len() >= 20), "{handle}");
    let theirs = script()
        .step(json!({ "call": "list_sandboxes" }))
        .call("execute_code", json!({ "code": "secret", "sandbox_id": handle }))
        .call("execute_code", json!({ "code": "secret", "sandbox_id": "sb_AAAAAAAAAAAAAAAAAAAAAA" }))
        .play()?;
    assert_eq!(theirs.results[0]["structuredContent"]["sandboxes"], json!([]));
    assert_eq!(theirs.results[1]["structuredContent"]["value"], 42);
    assert_eq!(theirs.results[2]["structuredContent"]["error"]["kind"], "UnknownSandbox");
    Ok(())
}

#[client_test]
fn there_is_an_end_to_sandboxes(case: &ClientCase) -> Result<(), Skipped> {
    let settings = settings("profile = 'sessions'\nsandboxes = 2");
    let served = case.serve(&["--config", settings.path().to_str().expect("UTF-8")]);
    let create = json!({ "call": "create_sandbox" });
    let told = served.script.step(create.clone()).step(create.clone()).step(create).play()?;
    let full = &told.results[2];
    assert_eq!(full["isError"], json!(true));
    assert!(full["content"][0]["text"].as_str().unwrap().contains("there are 2 sandboxes"), "{full}");
    Ok(())
}

#[client_test]
fn a_sandbox_that_nobody_uses_makes_room(case: &ClientCase) -> Result<(), Skipped> {
    let settings = settings("profile = 'sessions'\nsandboxes = 1\nsandbox_idle = '1s'");
    let served = case.serve(&["--config", settings.path().to_str().expect("UTF-8")]);
    let create = json!({ "call": "create_sandbox" });
    // What nobody has used for a second is gone; this program takes longer.
    let later = json!({ "call": "execute_code", "arguments": { "code": "import time\ntime.sleep(1.5)" } });
    let told = served.script.step(create.clone()).step(later).step(create).play()?;
    assert!(!told.results[2]["isError"].as_bool().unwrap_or_default(), "{}", told.results[2]);
    Ok(())
}
