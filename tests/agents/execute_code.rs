//! `execute_code`, the tool that every profile has: arguments, results and cancellation.

use isolette_tests::{ClientCase, Skipped, agents::Era, client_test};
use serde_json::{Value, json};

fn run(code: &str) -> Value {
    json!({ "call": "execute_code", "arguments": { "code": code } })
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

#[client_test]
fn a_value_is_returned_as_data_and_text(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let replies = served.script.step(run("{'answer': 6 * 7, 'emoji': '🦀'}")).step(run("print('hi')")).play()?;
    let [value, printed] = replies.results.as_slice() else { panic!("{replies:?}") };
    assert_eq!(value["structuredContent"]["value"], json!({"answer": 42, "emoji": "🦀"}));
    assert_eq!(text(value), r#"{"answer":42,"emoji":"🦀"}"#);
    assert_eq!(value["isError"], json!(false));
    assert_eq!(printed["structuredContent"]["stdout"], "hi\n");
    assert_eq!(printed["structuredContent"]["value"], Value::Null);
    Ok(())
}

#[client_test]
fn output_and_exceptions_are_returned(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let replies = served
        .script
        .step(run("print('before')\n1 / 0"))
        .step(run("def broken(:"))
        .step(run("import sys\nsys.exit(3)"))
        .play()?;
    let [exception, syntax, exit] = replies.results.as_slice() else { panic!("{replies:?}") };
    assert_eq!(exception["isError"], json!(true));
    let error = &exception["structuredContent"]["error"];
    assert_eq!((&error["kind"], &error["line"]), (&json!("ZeroDivisionError"), &json!(2)));
    assert!(error["traceback"].as_str().unwrap().contains("main.py"), "{error}");
    assert_eq!(exception["structuredContent"]["stdout"], "before\n");
    assert!(text(exception).contains("ZeroDivisionError") && text(exception).contains("before"));
    assert_eq!(syntax["structuredContent"]["error"]["kind"], "SyntaxError");
    let exit = &exit["structuredContent"];
    assert_eq!((&exit["exit_code"], &exit["error"]["kind"]), (&json!(3), &json!("Exit")));
    Ok(())
}

#[client_test]
fn a_run_ended_by_a_limit_is_reported(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let endless = json!({ "code": "print('on my way', flush=True)\nwhile True: pass", "timeout_s": 5 });
    let replies = served.script.call("execute_code", endless).step(run("'still there'")).play()?;
    let structured = &replies.results[0]["structuredContent"];
    assert_eq!((&structured["error"]["kind"], &structured["stdout"]), (&json!("Timeout"), &json!("on my way\n")));
    assert!(structured["error"]["hint"].as_str().unwrap().contains("do less"), "{structured}");
    assert_eq!(replies.results[0]["isError"], json!(true));
    assert_eq!(replies.results[1]["structuredContent"]["value"], "still there");
    Ok(())
}

#[client_test]
fn invalid_tool_arguments_are_reported(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let replies = served
        .script
        .call("execute_code", json!({ "code": "1", "timeout_s": 3600 }))
        .call("execute_code", json!({ "code": "1", "colour": "red" }))
        .call("execute_code", json!({}))
        .call("no_such_tool", json!({}))
        .play()?;
    assert_eq!(
        replies.results[0]["structuredContent"]["error"]["hint"],
        "give a number of seconds above 0 and up to 30"
    );
    assert!(text(&replies.results[1]).contains("unknown field `colour`"), "{}", replies.results[1]);
    assert!(text(&replies.results[2]).contains("missing field `code`"), "{}", replies.results[2]);
    assert_eq!(replies.results[3]["protocolError"]["code"], -32602);
    Ok(())
}

#[client_test]
fn output_is_streamed_while_the_program_runs(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let code = "import time\nfor n in range(3):\n    print('line', n, flush=True)\n    time.sleep(0.2)\n'done'";
    let replies = served
        .script
        .step(json!({ "call": "execute_code", "arguments": { "code": code }, "progress": true }))
        .play()?;
    let heard = replies.results[0]["progress"].as_array().expect("progress was asked for");
    let texts: String = heard.iter().filter_map(|each| each["message"].as_str()).collect();
    assert_eq!(texts, "line 0\nline 1\nline 2\n");
    let sizes: Vec<f64> = heard.iter().filter_map(|each| each["progress"].as_f64()).collect();
    assert!(sizes.is_sorted_by(|one, next| one < next) && sizes.last() == Some(&21.0), "{sizes:?}");
    assert_eq!(replies.results[0]["structuredContent"]["value"], "done");
    Ok(())
}

/// With capacity for one program, the second can run before the first one's timeout only if the first has ended.
#[client_test]
fn a_cancelled_request_ends_its_program(case: &ClientCase) -> Result<(), Skipped> {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("isolette.toml");
    std::fs::write(&config, "[server]\nconcurrent_runs = 1\n[sandbox]\ntimeout = '10m'\n").expect("a file");
    let served = case.serve(&["--config", config.to_str().expect("UTF-8")]);
    let endless = json!({ "code": "print('running', flush=True)\nwhile True: pass" });
    let replies =
        served.script.step(json!({ "cancel": "execute_code", "arguments": endless })).step(run("'my turn'")).play()?;
    assert_eq!(replies.results[0], json!({ "cancelled": true }));
    assert_eq!(replies.results[1]["structuredContent"]["value"], "my turn");
    Ok(())
}

#[client_test]
fn long_output_is_clipped_and_stored_in_full(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let replies =
        served.script.step(run("print('begin' + 'x' * 100_000 + 'end')")).step(json!({ "read": "$link" })).play()?;
    let structured = &replies.results[0]["structuredContent"];
    let shown = structured["stdout"].as_str().unwrap();
    assert!(shown.starts_with("begin") && shown.trim_end().ends_with("end") && shown.len() < 25_000);
    let omitted = structured["clipped"]["stdout"].as_u64().unwrap();
    assert!(omitted > 75_000 && text(&replies.results[0]).contains(&omitted.to_string()), "{omitted}");
    let whole = replies.results[1]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(whole, format!("begin{}end\n", "x".repeat(100_000)));
    Ok(())
}

#[client_test]
fn a_long_error_is_clipped_and_stored_in_full(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let raise = "raise ValueError('begin' + 'x' * 30_000 + 'end')";
    let replies = served.script.step(run(raise)).step(json!({ "read": "$link" })).play()?;
    let structured = &replies.results[0]["structuredContent"];
    let error = &structured["error"];
    for (name, shown) in [("message", &error["message"]), ("traceback", &error["traceback"])] {
        let omitted = structured["clipped"][name].as_u64().unwrap();
        let shown = shown.as_str().unwrap();
        assert!(omitted > 10_000 && shown.contains(&omitted.to_string()) && shown.len() < 25_000, "{name}: {omitted}");
    }
    let whole = replies.results[1]["contents"][0]["text"].as_str().unwrap();
    assert!(whole.contains(&format!("ValueError: begin{}end", "x".repeat(30_000))), "{} bytes", whole.len());
    Ok(())
}

#[client_test]
fn token_counts_are_estimated(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let replies = served.script.step(run("print('ä' * 999)")).step(run("def broken(:")).step(run(" ")).play()?;
    for result in &replies.results {
        let characters = text(result).chars().count();
        assert_eq!(result["structuredContent"]["tokens"], json!(characters.div_ceil(4)), "{result}");
    }
    Ok(())
}

/// Some clients send every argument that a tool has.
#[client_test]
fn null_arguments_count_as_omitted(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&["--profile", "codemode"]);
    let replies = served
        .script
        .call("search", json!({ "query": "", "detail": null, "tags": null, "limit": null }))
        .call("get_schema", json!({ "tool_names": null, "name": "nothing", "detail": null }))
        .call("execute_code", json!({ "code": "1", "timeout_s": null }))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["total"], 0, "{}", replies.results[0]);
    assert_eq!(replies.results[1]["structuredContent"]["missing"][0]["name"], "nothing", "{}", replies.results[1]);
    assert_eq!(replies.results[2]["structuredContent"]["value"], 1, "{}", replies.results[2]);
    Ok(())
}

#[client_test]
fn an_output_file_that_is_not_attached_is_reported(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&[]);
    let code = "open('/output/long.bin', 'wb').write(bytes(5 * 2**20 + 1))\nopen('/output/short.txt', 'w').write('s')";
    let replies = served.script.step(run(code)).play()?;
    let (_, named) = text(&replies.results[0]).split_once("\nnot attached").unwrap_or_else(|| panic!("{replies:?}"));
    assert!(named.contains("/output/long.bin (5242881 bytes)") && !named.contains("short.txt"), "{named}");
    Ok(())
}

#[client_test]
fn the_language_of_a_program_can_be_chosen(case: &ClientCase) -> Result<(), Skipped> {
    let served = case.serve(&["--lang", "python", "--lang", "javascript"]);
    let replies = served
        .script
        .step(run("sum(range(4))"))
        .call("execute_code", json!({ "code": "[1, 2, 3].map((n) => n * n)", "language": "javascript" }))
        .call("execute_code", json!({ "code": "1", "language": "cobol" }))
        .play()?;
    assert_eq!(replies.results[0]["structuredContent"]["value"], 6);
    assert_eq!(replies.results[1]["structuredContent"]["value"], json!([1, 4, 9]));
    assert_eq!(replies.results[2]["structuredContent"]["error"]["hint"], "use python or javascript");
    Ok(())
}

#[client_test]
fn the_newest_common_protocol_revision_is_used(case: &ClientCase) -> Result<(), Skipped> {
    let replies = case.serve(&[]).script.step(json!({ "tools": true })).play()?;
    let expected = if case.era == Era::New { "2026-07-28" } else { "2025-11-25" };
    assert_eq!(replies.protocol, expected);
    Ok(())
}
