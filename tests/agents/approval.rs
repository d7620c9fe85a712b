//! Somebody has to agree, and is asked through the client.

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
fn what_is_approved_happens(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let told = served.script.elicitation("accept").call("execute_code", json!({ "code": PROGRAM })).play()?;
    assert_eq!(told.results[0]["structuredContent"]["value"], json!([10, 10]), "{told:?}");
    assert_eq!(told.results[0]["structuredContent"]["stdout"], "first\n");
    assert_eq!(told.asked.len(), 2);
    assert!(told.asked[0].contains("GET") && told.asked[0].contains(&api.base_url()), "{:?}", told.asked);
    // Each call was made once, though the client may have had to call twice.
    assert_eq!(api.requests().len(), 2);
    Ok(())
}

#[client_test]
fn what_is_declined_does_not_happen(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let told = served.script.elicitation("decline").call("execute_code", json!({ "code": PROGRAM })).play()?;
    let error = &told.results[0]["structuredContent"]["error"];
    assert!(error["message"].as_str().unwrap().contains("the user declined"), "{error}");
    assert_eq!(api.requests(), [""; 0]);
    Ok(())
}

#[client_test]
fn a_client_that_cannot_ask_has_not_agreed(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let served = case.serve(&arguments(&api).each_ref().map(String::as_str));
    let told = served.script.call("execute_code", json!({ "code": PROGRAM })).play()?;
    let error = &told.results[0]["structuredContent"]["error"];
    assert!(error["message"].as_str().unwrap().contains("the client cannot ask anybody"), "{error}");
    assert_eq!(api.requests(), [""; 0]);
    Ok(())
}

#[client_test]
fn a_whole_program_can_need_approval(case: &ClientCase) -> Result<(), Skipped> {
    let run = json!({ "code": "6 * 7" });
    let served = case.serve(&["--approval", "always"]);
    let told = served.script.elicitation("accept").call("execute_code", run.clone()).play()?;
    assert_eq!(told.results[0]["structuredContent"]["value"], 42, "{told:?}");
    assert!(told.asked[0].contains("6 * 7"), "{:?}", told.asked);
    let served = case.serve(&["--approval", "always"]);
    let told = served.script.elicitation("cancel").call("execute_code", run).play()?;
    assert_eq!(told.results[0]["structuredContent"]["error"]["kind"], "NotApproved");
    Ok(())
}

#[client_test]
fn a_program_with_any_amount_of_time_can_be_asked_about(case: &ClientCase) -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let base = arguments(&api);
    let arguments = [&base.each_ref().map(String::as_str)[..], &["--timeout", "unlimited"]].concat();
    let served = case.serve(&arguments);
    let told = served
        .script
        .elicitation("accept")
        .call("execute_code", json!({ "code": PROGRAM }))
        .call("execute_code", json!({ "code": "1", "timeout_s": 0 }))
        .step(json!({ "tools": true }))
        .play()?;
    assert_eq!(told.results[0]["structuredContent"]["value"], json!([10, 10]), "{told:?}");
    assert_eq!(told.results[1]["structuredContent"]["error"]["hint"], "give a number of seconds above 0");
    let tool = &told.results[2]["tools"][0];
    assert!(tool["description"].as_str().unwrap().contains("any amount of time"), "{tool}");
    assert_eq!(tool["inputSchema"]["properties"]["timeout_s"]["maximum"], json!(null));
    Ok(())
}

/// What somebody agrees to is what is run, and no part of it can hide behind the length of another.
#[client_test]
fn a_long_program_is_shown_with_its_end(case: &ClientCase) -> Result<(), Skipped> {
    let code = format!("text = \"the first line\"\n{}text + ' is the last'", "# a comment\n".repeat(5_000));
    let served = case.serve(&["--approval", "always"]);
    let told = served.script.elicitation("accept").call("execute_code", json!({ "code": code })).play()?;
    assert_eq!(told.results[0]["structuredContent"]["value"], "the first line is the last", "{told:?}");
    let asked = &told.asked[0];
    assert!(asked.contains("\ntext = \"the first line\"\n# a comment\n"), "{asked}");
    assert!(asked.contains("text + ' is the last'"), "{asked}");
    let omitted = code.chars().count() - 20_000;
    assert!(asked.contains(&format!("[{omitted} of {} characters left out]", code.chars().count())), "{asked}");
    Ok(())
}
