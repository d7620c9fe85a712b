//! `run --pause-on` and `resume`: a program that waits in a file, from process to process.

use std::process::Output;

use isolette::Isolation;
use isolette_tests::{Case, Skipped, engines, scenario};
use serde_json::{Value, json};

use super::{User, path, stderr, stdout};

impl User<'_> {
    /// Runs a program until its first call.
    fn start(&self, file: &str, code: &str) -> Output {
        let language = self.case.language.to_string();
        let audit = format!("{file}.audit");
        self.command(&["run", "--pause-on", "ask", "--save", file, "--lang", &language, "--audit", &audit, "-c", code])
    }
}

fn supported(case: &Case) -> Result<(), Skipped> {
    if case.isolation == Isolation::Wasm {
        return Err(Skipped("programs are not paused in this isolation".into()));
    }
    Ok(())
}

/// Asks for as many numbers and prints their sum, if the clock never goes back.
fn sum_of(case: &Case, numbers: u32) -> String {
    case.pick(
        format!(
            "import time\ntotal, last = 0, time.monotonic()\nfor index in range({numbers}):\n    \
             total += call_tool('ask', index=index)\n    now = time.monotonic()\n    assert last <= now, (last, now)\n    \
             last = now\nprint(total)"
        ),
        format!(
            "let total = 0, last = performance.now(); for (let index = 0; index < {numbers}; index++) {{ \
             total += call_tool('ask', {{index}}); const now = performance.now(); \
             if (now < last) throw new Error(`${{last}}, ${{now}}`); last = now }} console.log(total)"
        ),
    )
}

#[scenario]
fn each_answer_comes_from_another_process(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let numbers = if case.isolation == Isolation::Process && !engines::emulated() { 50 } else { 2 };
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let file = folder.path().join("paused");
    let file = path(&file);
    let mut output = user.start(file, &sum_of(case, numbers));
    for index in 0..numbers {
        assert_eq!(output.status.code(), Some(106), "{}", stderr(&output));
        let expected = format!("call {}: ask {{\"index\":{index}}}\n", index + 1);
        assert_eq!(stdout(&output), expected);
        assert!(
            stderr(&output).contains(&format!("hint: answer the first call: isolette resume {file} --answer JSON"))
        );
        output = user.command(&["resume", file, "--answer", &index.to_string()]);
    }
    let audit = std::fs::read_to_string(format!("{file}.audit")).unwrap();
    let kinds: Vec<_> =
        audit.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["record"].clone()).collect();
    assert_eq!(kinds, ["run-began", "run-paused"]);
    let sum = numbers * (numbers - 1) / 2;
    assert_eq!((stdout(&output), output.status.code()), (format!("{sum}\n"), Some(0)), "{}", stderr(&output));
    Ok(())
}

#[scenario]
fn wrong_answers_leave_the_file_as_it_is(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let file = folder.path().join("paused");
    let file = path(&file);
    let code = case.pick("call_tool('ask', why='to know')", "call_tool('ask', {why: 'to know'})");
    assert_eq!(user.start(file, code).status.code(), Some(106));
    for (arguments, expected) in [
        (
            ["--answer", "yes"],
            "error: the answer is not JSON: expected value at line 1 column 1\nhint: write a text in quotes: --answer '\"yes\"'\n",
        ),
        (
            ["--answers", "yes"],
            "error: the answers are malformed: expected value at line 1 column 1\nhint: write them as {\"1\": {\"value\": 5}, \"2\": {\"error\": \"no such order\"}, \"3\": \"approve\", \"4\": {\"deny\": \"too much\"}}\n",
        ),
        (
            ["--answers", r#"{"7": {"value": 1}}"#],
            "error: there is no call 7 that waits for an answer\nhint: answer the calls that wait, each once and by its `id`\n",
        ),
    ] {
        let refused = user.command(&["resume", file, arguments[0], arguments[1]]);
        assert_eq!((stderr(&refused).as_str(), refused.status.code()), (expected, Some(102)));
    }
    let shown = user.command(&["resume", file, "--show", "--json"]);
    let expected = json!({ "paused": [{ "id": 1, "asks": "result", "capability": "tools", "operation": "call",
        "target": "ask", "arguments": { "why": "to know" }, "reason": "", "is_deferred": true }] });
    assert_eq!(stdout(&shown), format!("{expected}\n"));
    let failed = user.command(&["resume", file, "--error", "no such order"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(stderr(&failed).contains("Tool 'ask' failed: no such order"), "{}", stderr(&failed));
    let answered = user.command(&["resume", file, "--answers", r#"{"1": {"value": {"yes": true}}}"#, "--json"]);
    let result: Value = serde_json::from_str(&stdout(&answered)).unwrap();
    assert_eq!((&result["value"], &result["usage"]["tool_calls"]), (&json!({ "yes": true }), &json!(1)));
    Ok(())
}

#[scenario]
fn a_program_that_does_not_pause_saves_nothing(case: &Case) -> Result<(), Skipped> {
    supported(case)?;
    let folder = tempfile::tempdir().unwrap();
    let user = User { case, folder: folder.path() };
    let file = folder.path().join("paused");
    let output = user.start(path(&file), case.pick("1 + 1", "1 + 1"));
    assert_eq!((stdout(&output), output.status.code()), ("2\n".into(), Some(0)));
    assert!(!file.exists());
    Ok(())
}
