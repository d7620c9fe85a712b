//! Budgets that the programs of a client share, and how they are reported.

use std::time::{Duration, Instant};

use isolette_tests::{
    ClientCase, Served, Skipped,
    agents::HttpServer,
    brewery::{Brewery, Variant},
    client_test, host_test,
};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

fn requests(count: u32) -> String {
    format!(
        "[http_get(f'{{BASE_URL}}/breweries?by_city=san_diego&page=1&per_page=10')['status'] for n in range({count})]"
    )
}

fn run(code: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code } })
}

fn run_in(code: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code, "sandbox_id": "$sandbox_id" } })
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

/// The settings are valid as long as the file exists.
fn serve(case: &ClientCase, api: &Brewery, settings: &str) -> (Served, NamedTempFile) {
    let file = NamedTempFile::with_suffix(".toml").expect("a file");
    std::fs::write(file.path(), settings).expect("a file");
    let served = case.serve(&["--config", file.path().to_str().expect("UTF-8"), "--base-url", &api.base_url()]);
    (served, file)
}

#[client_test]
fn a_budget_is_enforced_and_reported(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[server.budget]\nhttp_requests = 3\n");
    let replies = served.script.step(run(&requests(1))).step(run(&requests(2))).step(run(&requests(1))).play()?;
    let used = |result: &Value| result["structuredContent"]["budgets"].clone();
    let state =
        |used: u64| json!([{ "tool_calls": null, "http_requests": { "limit": 3, "used": used }, "time_ms": null }]);
    assert_eq!(replies.results[0]["structuredContent"]["value"], json!([200]), "{}", replies.results[0]);
    assert_eq!((used(&replies.results[0]), used(&replies.results[1])), (state(1), state(3)));
    assert!(!text(&replies.results[0]).contains("budget"), "{}", replies.results[0]);
    assert!(text(&replies.results[1]).contains("the budget for HTTP requests (3) is spent"), "{}", replies.results[1]);
    assert_eq!(replies.results[2]["isError"], json!(true));
    assert!(text(&replies.results[2]).contains("all runs together may send 3 requests"), "{}", replies.results[2]);
    assert_eq!(api.requests().len(), 3);
    Ok(())
}

#[client_test]
fn a_sandbox_budget_survives_a_reset(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let settings = "[server]\nprofile = 'sessions'\nbudget = { http_requests = 2 }\n";
    let (served, _settings) = serve(case, &api, settings);
    let create = json!({ "call": "create_sandbox", "save": "sandbox_id" });
    let replies = served
        .script
        .step(create.clone())
        .step(run_in(&requests(2)))
        .step(json!({ "call": "reset_sandbox", "arguments": { "sandbox_id": "$sandbox_id" } }))
        .step(run_in(&requests(1)))
        .step(create)
        .step(run_in(&requests(2)))
        .step(run(&requests(1)))
        .step(run(&requests(2)))
        .play()?;
    let failed: Vec<_> =
        [1, 3, 5, 6, 7].iter().map(|step: &usize| replies.results[*step]["isError"] == json!(true)).collect();
    assert_eq!(failed, [false, true, false, false, true], "{:?}", replies.results);
    assert_eq!(api.requests().len(), 6);
    Ok(())
}

#[client_test]
fn a_spent_time_budget_starts_no_program(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[server.budget]\ntime = '1ms'\n");
    let replies = served.script.step(run("while True: pass")).step(run("1")).play()?;
    let kinds: Vec<_> = replies.results.iter().map(|result| &result["structuredContent"]["error"]["kind"]).collect();
    assert_eq!(kinds, ["BudgetSpent", "BudgetSpent"]);
    assert!(text(&replies.results[0]).contains("the budget for time"), "{}", replies.results[0]);
    Ok(())
}

#[host_test]
fn programs_at_once_use_no_more_time_than_the_budget_has() {
    let file = NamedTempFile::with_suffix(".toml").expect("a file");
    std::fs::write(file.path(), "[server]\nprofile = 'sessions'\nbudget = { time = '2s' }\n").expect("a file");
    let server = HttpServer::start(&["--config", file.path().to_str().expect("UTF-8")]);
    let call = |name: &str, arguments: Value| {
        crate::raw_protocol::call(&server.url, &json!({ "name": name, "arguments": arguments }))
    };
    let run = || call("execute_code", json!({ "code": "import time\nprint('begun', flush=True)\ntime.sleep(3)" }));
    let begun = Instant::now();
    let used: Vec<u64> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..12).map(|_| scope.spawn(run)).collect();
        let results = runs.into_iter().map(|run| run.join().expect("an answer"));
        let used = results.map(|result| {
            assert_eq!(result["structuredContent"]["error"]["kind"], "BudgetSpent", "{result}");
            let text = text(&result);
            assert!(text.contains("the budget for time") && text.contains("of 2s are used"), "{text}");
            result["structuredContent"]["budgets"][0]["time_ms"]["used"].as_u64().unwrap_or_default()
        });
        used.collect()
    });
    // Each program alone would take longer than the budget: they were ended before that.
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert!(used.iter().all(|used| *used < 4000), "{used:?}");
    // A sandbox that keeps its state has a budget of its own.
    let sandbox = call("create_sandbox", json!({}));
    let id = &sandbox["structuredContent"]["sandbox_id"];
    let result = call("execute_code", json!({ "code": "1 + 1", "sandbox_id": id }));
    assert_eq!(result["structuredContent"]["value"], 2, "{result}");
}

#[client_test]
fn a_limit_hit_is_reported(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[sandbox.limits]\nhttp_requests = 1\n");
    let replies = served.script.step(run(&requests(2))).step(run("1 + 1")).play()?;
    let reached = &replies.results[0]["structuredContent"]["limits_reached"];
    assert_eq!((&reached[0]["name"], &reached[0]["limit"]), (&json!("limits.http_requests"), &json!(1)));
    assert!(text(&replies.results[0]).contains("the limit `limits.http_requests` is 1"), "{}", replies.results[0]);
    assert_eq!(replies.results[1]["structuredContent"]["limits_reached"], json!([]));
    Ok(())
}
