//! Approval through the client (elicitation).

use isolette_tests::{
    ClientCase, Skipped,
    brewery::{Brewery, Variant},
    client_test,
};
use serde_json::json;

const PROGRAM: &str = "
print('first')
names = []
for page in (1, 2):
    names.append(len(http_get(f'{BASE_URL}/breweries?by_city=san_diego&page={page}&per_page=10')['json']))
names
";

fn arguments(api: &Brewery) -> [String; 4] {
    ["--base-url".into(), api.base_url(), "--approval".into(), "per-call".into()]
}

#[client_test]
fn approved_calls_are_made(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let replies = served.script.elicitation("accept").call("execute_code", json!({ "code": PROGRAM })).play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], json!([10, 10]), "{replies:?}");
    assert_eq!(replies.results[0]["structuredContent"]["stdout"], "first\n");
    assert_eq!(replies.asked.len(), 2);
    assert!(replies.asked[0].contains("GET") && replies.asked[0].contains(&api.base_url()), "{:?}", replies.asked);
    // Each call was made once, even if the client had to repeat a request.
    assert_eq!(api.requests().len(), 2);
    Ok(())
}

#[client_test]
fn declined_calls_are_not_made(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let replies = served.script.elicitation("decline").call("execute_code", json!({ "code": PROGRAM })).play()?;
    let error = &replies.results[0]["structuredContent"]["error"];
    assert!(error["message"].as_str().unwrap().contains("the user declined"), "{error}");
    assert_eq!(api.requests(), [""; 0]);
    Ok(())
}

#[client_test]
fn calls_are_denied_when_the_client_cannot_ask(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let replies = served.script.call("execute_code", json!({ "code": PROGRAM })).play()?;
    let error = &replies.results[0]["structuredContent"]["error"];
    assert!(error["message"].as_str().unwrap().contains("the client cannot ask for it"), "{error}");
    assert_eq!(api.requests(), [""; 0]);
    Ok(())
}

#[client_test]
fn a_whole_program_can_require_approval(case: &ClientCase) -> Result<(), Skipped> {
    let run = json!({ "code": "6 * 7" });
    let served = case.serve(&["--approval", "always"]);
    let replies = served.script.elicitation("accept").call("execute_code", run.clone()).play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], 42, "{replies:?}");
    assert!(replies.asked[0].contains("6 * 7"), "{:?}", replies.asked);
    let served = case.serve(&["--approval", "always"]);
    let replies = served.script.elicitation("cancel").call("execute_code", run).play()?;
    assert_eq!(replies.results[0]["structuredContent"]["error"]["kind"], "NotApproved");
    Ok(())
}

#[client_test]
fn approval_works_with_any_timeout(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let base = arguments(&api);
    let arguments = [&base.each_ref().map(String::as_str)[..], &["--timeout", "unlimited"]].concat();
    let served = case.serve(&arguments);
    let replies = served
        .script
        .elicitation("accept")
        .call("execute_code", json!({ "code": PROGRAM }))
        .call("execute_code", json!({ "code": "1", "timeout_s": 0 }))
        .step(json!({ "tools": true }))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], json!([10, 10]), "{replies:?}");
    assert_eq!(replies.results[1]["structuredContent"]["error"]["hint"], "give a number of seconds above 0");
    let tool = &replies.results[2]["tools"][0];
    assert!(tool["description"].as_str().unwrap().contains("any amount of time"), "{tool}");
    assert_eq!(tool["inputSchema"]["properties"]["timeout_s"]["maximum"], json!(null));
    Ok(())
}

/// The approved program is the one that runs, and no part of it can hide behind the length of another.
#[client_test]
fn the_approver_sees_the_end_of_a_long_program(case: &ClientCase) -> Result<(), Skipped> {
    let code = format!("text = \"the first line\"\n{}text + ' is the last'", "# a comment\n".repeat(5_000));
    let served = case.serve(&["--approval", "always"]);
    let replies = served.script.elicitation("accept").call("execute_code", json!({ "code": code })).play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], "the first line is the last", "{replies:?}");
    let asked = &replies.asked[0];
    assert!(asked.contains("\ntext = \"the first line\"\n# a comment\n"), "{asked}");
    assert!(asked.contains("text + ' is the last'"), "{asked}");
    let omitted = code.chars().count() - 20_000;
    assert!(asked.contains(&format!("[{omitted} of {} characters left out]", code.chars().count())), "{asked}");
    Ok(())
}
