//! What programs may use together, and what a client hears of it.

use isolette_tests::{
    ClientCase, Served, Skipped,
    brewery::{Brewery, Variant},
    client_test,
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

/// The settings live as long as the file.
fn serve(case: &ClientCase, api: &Brewery, settings: &str) -> (Served, NamedTempFile) {
    let file = NamedTempFile::with_suffix(".toml").expect("a file");
    std::fs::write(file.path(), settings).expect("a file");
    let served = case.serve(&["--config", file.path().to_str().expect("UTF-8"), "--base-url", &api.base_url()]);
    (served, file)
}

#[client_test]
fn a_budget_is_held_and_told(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[server.budget]\nhttp_requests = 3\n");
    let told = served.script.step(run(&requests(1))).step(run(&requests(2))).step(run(&requests(1))).play()?;
    let used = |result: &Value| result["structuredContent"]["budgets"].clone();
    let state =
        |used: u64| json!([{ "tool_calls": null, "http_requests": { "limit": 3, "used": used }, "time_ms": null }]);
    assert_eq!(told.results[0]["structuredContent"]["value"], json!([200]), "{}", told.results[0]);
    assert_eq!((used(&told.results[0]), used(&told.results[1])), (state(1), state(3)));
    assert!(!text(&told.results[0]).contains("budget"), "{}", told.results[0]);
    assert!(text(&told.results[1]).contains("the budget for HTTP requests (3) is spent"), "{}", told.results[1]);
    assert_eq!(told.results[2]["isError"], json!(true));
    assert!(text(&told.results[2]).contains("all runs together may send 3 requests"), "{}", told.results[2]);
    assert_eq!(api.requests().len(), 3);
    Ok(())
}

#[client_test]
fn every_sandbox_has_a_budget_that_outlasts_its_contents(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let settings = "[server]\nprofile = 'sessions'\nbudget = { http_requests = 2 }\n";
    let (served, _settings) = serve(case, &api, settings);
    let create = json!({ "call": "create_sandbox", "save": "sandbox_id" });
    let told = served
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
        [1, 3, 5, 6, 7].iter().map(|step: &usize| told.results[*step]["isError"] == json!(true)).collect();
    assert_eq!(failed, [false, true, false, false, true], "{:?}", told.results);
    assert_eq!(api.requests().len(), 6);
    Ok(())
}

#[client_test]
fn without_time_nothing_is_run(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[server.budget]\ntime = '1ms'\n");
    let told = served.script.step(run("while True: pass")).step(run("1")).play()?;
    let kinds: Vec<_> = told.results.iter().map(|result| &result["structuredContent"]["error"]["kind"]).collect();
    assert_eq!(kinds, ["Timeout", "BudgetSpent"]);
    Ok(())
}

#[client_test]
fn a_limit_that_was_reached_is_told(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let (served, _settings) = serve(case, &api, "[sandbox.limits]\nhttp_requests = 1\n");
    let told = served.script.step(run(&requests(2))).step(run("1 + 1")).play()?;
    let reached = &told.results[0]["structuredContent"]["limits_reached"];
    assert_eq!((&reached[0]["name"], &reached[0]["limit"]), (&json!("limits.http_requests"), &json!(1)));
    assert!(text(&told.results[0]).contains("the limit `limits.http_requests` is 1"), "{}", told.results[0]);
    assert_eq!(told.results[1]["structuredContent"]["limits_reached"], json!([]));
    Ok(())
}
