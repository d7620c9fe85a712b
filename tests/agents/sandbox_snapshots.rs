//! Snapshots and forks of sandboxes that are kept between calls.

use isolette_tests::{
    ClientCase, Skipped,
    agents::{Replies, Script},
    client_test,
};
use serde_json::{Value, json};

const PROFILE: [&str; 4] = ["--profile", "sessions", "--isolation", "process"];

fn run(code: &str, sandbox: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code, "sandbox_id": sandbox } })
}

fn values(replies: &Replies, from: usize) -> Vec<&Value> {
    replies.results[from..].iter().map(|result| &result["structuredContent"]["value"]).collect()
}

fn create(script: Script) -> Script {
    script.step(json!({ "call": "create_sandbox", "save": "sandbox_id" })).step(run("x = [1]", "$sandbox_id"))
}

#[client_test]
fn a_sandbox_returns_to_a_snapshot(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let snapshot =
        json!({ "call": "snapshot_sandbox", "arguments": { "sandbox_id": "$sandbox_id" }, "save": "snapshot_id" });
    let restore = |arguments: Value, save: bool| {
        let mut step = json!({ "call": "restore_sandbox", "arguments": arguments });
        if save {
            step["save"] = json!("sandbox_id");
        }
        step
    };
    let replies = create(served.script)
        .step(snapshot)
        .step(run("x.append(2); x", "$sandbox_id"))
        .step(restore(json!({ "snapshot_id": "$snapshot_id", "sandbox_id": "$sandbox_id" }), false))
        .step(run("x.append(3); x", "$sandbox_id"))
        .step(restore(json!({ "snapshot_id": "$snapshot_id" }), true))
        .step(run("x.append(4); x", "$sandbox_id"))
        .step(json!({ "call": "delete_snapshot", "arguments": { "snapshot_id": "$snapshot_id" } }))
        .step(restore(json!({ "snapshot_id": "$snapshot_id" }), false))
        .play()?;
    assert_eq!(replies.results[3]["structuredContent"]["value"], json!([1, 2]));
    assert_eq!(replies.results[5]["structuredContent"]["value"], json!([1, 3]));
    assert_eq!(replies.results[7]["structuredContent"]["value"], json!([1, 4]));
    assert!(replies.results[2]["structuredContent"]["bytes"].as_u64().unwrap() > 100_000);
    assert_eq!(replies.results[9]["isError"], json!(true));
    assert!(replies.results[9]["content"][0]["text"].as_str().unwrap().contains("snapshot_sandbox"));
    Ok(())
}

#[client_test]
fn forks_of_a_sandbox_are_sandboxes(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&PROFILE);
    let fork =
        |count: u64| json!({ "call": "fork_sandbox", "arguments": { "sandbox_id": "$sandbox_id", "count": count } });
    let replies =
        create(served.script).step(fork(3)).step(fork(0)).step(fork(40)).step(run("x", "$sandbox_id")).play()?;
    let forks = replies.results[2]["structuredContent"]["sandboxes"].as_array().unwrap();
    assert_eq!(forks.len(), 3);
    assert!(forks.iter().all(|fork| fork["sandbox_id"].as_str().unwrap().starts_with("sb-")));
    for (refused, reason) in [(3, "from 1 to 100"), (4, "there can be 32 at most")] {
        let text = replies.results[refused]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(reason), "{text}");
    }
    assert_eq!(values(&replies, 5), [&json!([1])]);
    Ok(())
}
